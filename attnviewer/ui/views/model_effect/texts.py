"""The texts about the open model and the effect of changes."""

from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.ui.text.numbers import number_or_dash, significant_number
from attnviewer.ui.text.tokens import how_many_tokens, quoted_token
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.ablation import AblationEffect
    from attnviewer.models.effect import (
        Classes,
        EmbeddingSimilarity,
        ModelEffect,
        NextTokens,
    )
    from attnviewer.models.experiment import Experiment

_tr = translate_in("EffectPanel")

DIGITS = 4
DIGITS_OF_SHARES = 2


class Comparison(Enum):
    """The run that another is compared with."""

    NONE = auto()
    """Nothing: nothing has been changed."""
    BEFORE = auto()
    """The same sentence before a change."""
    OTHER = auto()
    """Another sentence, or another checkpoint."""

    @classmethod
    def of(cls, experiment: "Experiment") -> "Comparison":
        """Return what the run of an experiment is compared with."""
        if experiment.compared is None:
            return cls.NONE
        is_own = experiment.compared is experiment.original
        return cls.BEFORE if is_own else cls.OTHER


def model_line(experiment: "Experiment") -> str:
    """Describe the model, and the number of its tokens, in one line."""
    model = experiment.run.model
    return _tr(
        "{family}, {kind} · {layers} layers × {heads} heads · "
        "d_model\u00a0{width} · {tokens}"
    ).format(
        family=model.architecture.family,
        kind=_tr("encoder") if model.kind == "encoder" else _tr("decoder"),
        layers=model.n_layers,
        heads=model.n_heads,
        width=model.architecture.d_model,
        tokens=how_many_tokens(len(experiment.run.ids)),
    )


def before_called(comparison: Comparison) -> str:
    """Return the name of the numbers before a change; "" if there are none."""
    if comparison is Comparison.NONE:
        return ""
    return _tr("before") if comparison is Comparison.BEFORE else _tr("other")


def about_layers(comparison: Comparison, outcome: "ModelEffect") -> str:
    """Describe the numbers of the layers, or why there are none."""
    if outcome.layers is None:
        return _tr(
            "The layers cannot be compared: the other sentence has another number of "
            "tokens."
        )
    if comparison is Comparison.NONE:
        return _tr("Nothing has been changed yet.")
    if comparison is Comparison.OTHER:
        return _tr("How the hidden states after each differ: ‖Δ‖ / ‖other‖.")
    return _tr("How much the hidden states after each changed: ‖Δ‖ / ‖before‖.")


def about_ablation(effect: "AblationEffect") -> str:
    """Name the token that a head's ablation changes most, in a sentence."""
    ablation, run = effect.ablation, effect.run
    what = (
        _tr("Without {head}")
        if ablation.kind == "off"
        else _tr("With {head} held at its mean")
    ).format(head=ablation.name)
    most = int(np.argmax(effect.tokens))
    if not effect.tokens[most]:
        pattern = _tr("{what}, no hidden state after L{layer} changes.")
        return pattern.format(what=what, layer=ablation.layer)
    (token,) = run.model.readable([run.tokens[most]])
    pattern = _tr(
        "{what}, {token} changes most of all tokens: its hidden state after L{layer} "
        "by {share} %."
    )
    return pattern.format(
        what=what,
        token=quoted_token(token),
        layer=ablation.layer,
        share=significant_number(100 * float(effect.tokens[most]), DIGITS_OF_SHARES),
    )


def result_title(run: "ModelTrace", found: "NextTokens | Classes | None") -> str:
    """Return the heading of the model's output."""
    if found is None:
        encoder = run.model.kind == "encoder"
        return _tr("Sentence embedding") if encoder else _tr("Next token")
    head = run.model.architecture.head
    if found.position is None:
        if head is None or head.predicts != "numbers":
            return _tr("Predicted label")
        several = len(head.labels) > 1
        return _tr("Predicted numbers") if several else _tr("Predicted number")
    (token,) = run.model.readable([run.tokens[found.position]])
    if head is None:
        pattern = _tr("Next token after {token}, position {position}")
    elif head.predicts == "tokens":
        pattern = _tr("Token in place of {token}, position {position}")
    elif head.predicts == "span":
        pattern = _tr("Answer’s start and end at {token}, position {position}")
    else:
        pattern = _tr("Label of {token}, position {position}")
    return pattern.format(token=quoted_token(token), position=found.position)


def moved(tokens: "NextTokens") -> str:
    """Describe how much probability moved between tokens."""
    return _tr(
        "{share} % of the probability is on other tokens (total variation distance)."
    ).format(share=significant_number(100 * tokens.distance, DIGITS))


def alike(similarity: "EmbeddingSimilarity", comparison: Comparison) -> str:
    """Describe the similarity of two embeddings, in two lines."""
    pattern = (
        _tr(
            "cosine similarity to before: {cosine}\n"
            "length of the difference: {distance}"
        )
        if comparison is Comparison.BEFORE
        else _tr(
            "cosine similarity to the other: {cosine}\n"
            "length of the difference: {distance}"
        )
    )
    return pattern.format(
        cosine=number_or_dash(similarity.cosine, DIGITS),
        distance=significant_number(similarity.distance, DIGITS),
    )
