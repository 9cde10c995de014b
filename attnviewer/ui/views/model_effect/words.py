"""The texts about the open model and the effect of changes."""

from typing import TYPE_CHECKING

from attnviewer.ui.text.numbers import number_or_dash, significant_number
from attnviewer.ui.text.tokens import how_many_tokens, quoted, token_label
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.models.effect import EmbeddingSimilarity, ModelEffect, NextTokens
    from attnviewer.models.experiment import Experiment

_tr = translate_in("EffectPanel")

DIGITS = 4


def about(experiment: "Experiment") -> str:
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


def before_called(experiment: "Experiment") -> str:
    """Return the name of the numbers before a change; "" if there are none."""
    if experiment.compared is None:
        return ""
    return _tr("before") if experiment.other is None else _tr("other")


def about_layers(experiment: "Experiment", outcome: "ModelEffect") -> str:
    """Describe the numbers of the layers, or why there are none."""
    if outcome.layers is None:
        return _tr(
            "The layers cannot be compared: the other sentence has another number of "
            "tokens."
        )
    if experiment.compared is None:
        return _tr("Nothing has been changed yet.")
    if experiment.other is not None:
        return _tr("How the hidden states after each differ: ‖Δ‖ / ‖other‖.")
    return _tr("How much the hidden states after each changed: ‖Δ‖ / ‖before‖.")


def result_title(experiment: "Experiment", tokens: "NextTokens | None") -> str:
    """Return the heading of the model's output."""
    run = experiment.run
    if tokens is None:
        encoder = run.model.kind == "encoder"
        return _tr("Sentence embedding") if encoder else _tr("Next token")
    (token,) = run.model.readable([run.tokens[tokens.position]])
    return _tr("Next token after {token}, position {position}").format(
        token=quoted(token_label(token)), position=tokens.position
    )


def moved(tokens: "NextTokens") -> str:
    """Describe how much probability moved between tokens."""
    return _tr(
        "{share} % of the probability is on other tokens (total variation distance)."
    ).format(share=significant_number(100 * tokens.distance, DIGITS))


def alike(similarity: "EmbeddingSimilarity", experiment: "Experiment") -> str:
    """Describe the similarity of two embeddings, in two lines."""
    pattern = (
        _tr("cosine to before: {cosine}\nlength of the difference: {distance}")
        if experiment.other is None
        else _tr("cosine to the other: {cosine}\nlength of the difference: {distance}")
    )
    return pattern.format(
        cosine=number_or_dash(similarity.cosine, DIGITS),
        distance=significant_number(similarity.distance, DIGITS),
    )
