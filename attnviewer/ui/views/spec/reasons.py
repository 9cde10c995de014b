"""Reasons why a variant lacks certain choices."""

from attnviewer.compute import Spec
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Choices")


def no_other_variant(spec: Spec) -> str:
    """Say why the variant cannot be another one; "" where it can."""
    if not spec.given:
        return ""
    return _tr(
        "Other variants compute queries, keys and values from X; there is no X here."
    )


def no_weights(spec: Spec) -> str:
    """Say why there are no heads, biases and W_O to choose; "" where there are."""
    if spec.projected:
        return ""
    return _tr("This variant has no weight matrices whose columns heads could divide.")


def no_ablation(spec: Spec) -> str:
    """Say why no head can be switched off; "" where one can."""
    if spec.projected:
        return ""
    return _tr("This variant has no weight matrices, so no head can be switched off.")


def no_queries(spec: Spec) -> str:
    """Say why queries and keys cannot be normalised; "" where they can."""
    if spec.projected or (spec.given and spec.score != "given"):
        return ""
    return _tr("This variant has no queries and keys of its own to normalise.")


def no_sum(spec: Spec) -> str:
    """Say why positions cannot be added to X; "" where they can."""
    if not spec.given:
        return ""
    return _tr("There is no X here to add positions to.")
