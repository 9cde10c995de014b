"""Texts of a split output."""

from typing import TYPE_CHECKING

from attnviewer.ui.text.numbers import format_number, signed_number
from attnviewer.ui.text.tokens import quoted_token
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.models import Contributions
    from attnviewer.ui.state.output_split import OutputParts, Prediction

_tr = translate_in("Contributions")

DECIMALS = 3


def output_name(parts: "OutputParts") -> str:
    """Return what is split: ``logit of “a” − “b”``."""
    prediction = parts.prediction
    if prediction is None:
        return _tr("length of the sentence embedding")
    pattern = _tr("logit of {token}")
    if prediction.capped:
        pattern = _tr("logit of {token} before the soft cap")
    return pattern.format(token=_difference(prediction))


def _difference(prediction: "Prediction") -> str:
    token = quoted_token(prediction.token)
    if not prediction.against:
        return token
    return f"{token} − {quoted_token(prediction.against)}"


def summary(parts: "OutputParts") -> str:
    """Say what the output is the sum of."""
    pattern = _tr(
        "The {output}, {total}, is the sum of what these parts write. Only what each "
        "adds directly counts; “off” in the Model panel measures the whole effect of a "
        "head."
    )
    total = format_number(parts.contributions.total, DECIMALS)
    return pattern.format(output=output_name(parts), total=total)


def formula(parts: "OutputParts") -> str:
    """Return how the output is split, and where that is from."""
    if parts.prediction is None:
        return _tr(
            "p · e / ‖e‖: what a part writes, pooled as the embedding e is, along e. "
            "The scales of the norms stay as they are in this run.\n"
            "Elhage et al. 2021, “A Mathematical Framework for Transformer Circuits”; "
            "Reimers and Gurevych 2019, “Sentence-BERT”."
        )
    return _tr(
        "Direct logit attribution, (x ⊙ w / σ) · (u − u′): what a part writes, x, "
        "less its mean in a layer norm, after the final norm with its weight w and its "
        "scale σ in this run, times the token's column u of the unembedding, minus "
        "that of the other token.\n"
        "Elhage et al. 2021, “A Mathematical Framework for Transformer Circuits”; "
        "Wang et al. 2023, “Interpretability in the Wild”."
    )


def lens_formula() -> str:
    """Return what the logit lens is, and where it is from."""
    return _tr(
        "The logit lens: the final norm and the unembedding, applied to the residual "
        "stream after each layer.\n"
        "nostalgebraist 2020, “interpreting GPT: the logit lens”."
    )


def part_text(name: str, value: float, contributions: "Contributions") -> str:
    """Say what a part contributes."""
    number = signed_number(value, 2 * DECIMALS)
    total = format_number(contributions.total, 2 * DECIMALS)
    pattern = _tr("{name}: {number} of {total}")
    return pattern.format(name=name, number=number, total=total)
