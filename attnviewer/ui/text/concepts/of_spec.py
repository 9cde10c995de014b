"""The explanation of a step within its variant."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from attnviewer.compute import Alibi, Disentangled, RelativeBias, Stage, Trace
from attnviewer.ui.text.concepts.choices import SCORES, VARIANTS, scale_concept
from attnviewer.ui.text.concepts.concept import Concept
from attnviewer.ui.text.concepts.normalizers import normalizer_concept
from attnviewer.ui.text.concepts.positions import position_concept
from attnviewer.ui.text.concepts.steps import step_concept


def concepts_of(step: str, trace: Trace) -> tuple[Concept, ...]:
    """Return the explanation of a step, and of the choice that determines it.

    Parameters
    ----------
    step : str
        The step's name.
    trace : Trace
        The computation that it is a step of.
    """
    spec, own = trace.spec, concept_within(step, trace.stages)
    if step == "weights":
        return own, normalizer_concept(spec.build_normalizer())
    if step == "scores" and spec.score != "dot":
        return own, SCORES[spec.score]
    if step == "scaled" and spec.scale is not None:
        return (replace(own, sentence=scale_concept(spec.scale).sentence),)
    if step == "biased" and isinstance(spec.positions, Alibi | RelativeBias):
        return own, position_concept(spec.positions)
    if step == "summed" and isinstance(spec.positions, Disentangled):
        return own, position_concept(spec.positions)
    if step in ("P", "position_ids"):
        return own, position_concept(spec.positions)
    if step == "X" and spec.variant == "simplified":
        return own, VARIANTS["simplified"]
    return (own,)


def concept_within(step: str, stages: Mapping[str, Stage]) -> Concept:
    """Return what is said of a step, with its formula in a computation.

    An input has the formulas that it is a part of.

    Parameters
    ----------
    step : str
        The step or input.
    stages : mapping of str to Stage
        The stages of the computation.
    """
    concept = step_concept(step)
    if concept.holds_everywhere:
        return concept
    stage = stages[step]
    uses = [s for s in stages.values() if step in s.inputs and step in s.formula]
    told = [stage] if stage.inputs else uses
    formula = "; ".join(stage.equation for stage in told)
    return replace(concept, formula=formula or concept.formula)


def line(concepts: Sequence[Concept]) -> str:
    """Return the sentences of concepts in one line."""
    return " ".join(concept.text for concept in concepts)


def tip(concepts: Sequence[Concept]) -> str:
    """Return the tool tip with the sentences and formulas of concepts."""
    return "\n".join(concept.tip for concept in concepts)
