"""The explanation of a step within its variant."""

from collections.abc import Sequence

from attnviewer.compute import Alibi, Disentangled, RelativeBias, Spec
from attnviewer.ui.text.concepts.choices import SCORES, VARIANTS, scale_concept
from attnviewer.ui.text.concepts.concept import Concept
from attnviewer.ui.text.concepts.normalizers import NORMALIZERS
from attnviewer.ui.text.concepts.positions import position_concept
from attnviewer.ui.text.concepts.steps import step_concept


def concepts_of(step: str, spec: Spec) -> tuple[Concept, ...]:
    """Return the explanation of a step, and of the choice that determines it.

    Parameters
    ----------
    step : str
        The step's name.
    spec : Spec
        The variant.
    """
    own = step_concept(step)
    if step == "weights":
        return own, NORMALIZERS[spec.build_normalizer().name]
    if step == "scores" and spec.score != "dot":
        return own, SCORES[spec.score]
    if step == "scaled" and spec.scale is not None:
        return (scale_concept(spec.scale),)
    if step == "biased" and isinstance(spec.positions, Alibi | RelativeBias):
        return own, position_concept(spec.positions)
    if step in ("R", "summed") and isinstance(spec.positions, Disentangled):
        return own, position_concept(spec.positions)
    if step in ("P", "position_ids"):
        return own, position_concept(spec.positions)
    if step == "X" and spec.variant == "simplified":
        return own, VARIANTS["simplified"]
    return (own,)


def line(concepts: Sequence[Concept]) -> str:
    """Return the sentences of concepts in one line."""
    return " ".join(concept.text for concept in concepts)


def tip(concepts: Sequence[Concept]) -> str:
    """Return the tool tip with the sentences and formulas of concepts."""
    return "\n".join(concept.tip for concept in concepts)
