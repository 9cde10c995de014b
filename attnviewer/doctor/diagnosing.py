"""Diagnoses a case."""

from dataclasses import replace

import numpy as np

from attnviewer.compute.cost import cost
from attnviewer.compute.progress import Progress
from attnviewer.compute.threads import one_blas_thread
from attnviewer.doctor.case import Case
from attnviewer.doctor.diagnosis import Diagnosis, Finding, Unexplained
from attnviewer.doctor.hypotheses import Hypothesis
from attnviewer.doctor.locating import where_different
from attnviewer.doctor.searching import search
from attnviewer.doctor.walking import Deviation

ONLY_SOME = (
    "Not all pairs of mistakes were tried, which would take long. The more steps are "
    "given, the fewer pairs there are."
)


def diagnose_case(case: Case, progress: Progress | None = None) -> Diagnosis:
    """Compare an implementation with what was intended, and explain what differs.

    Parameters
    ----------
    case : Case
        Both.
    progress : callable, optional
        Called with the completed fraction; may raise to abort.
    """
    with one_blas_thread(cost(case.spec, case.plan.shapes)):
        return _diagnosed(case, progress)


def _diagnosed(case: Case, progress: Progress | None) -> Diagnosis:
    outcome = search(case, progress)
    findings: list[Finding] = []
    for deviation in outcome.deviations:
        findings = _joined(findings, _findings(case, deviation))
    return Diagnosis(
        agrees=not outcome.deviations,
        first_different=outcome.first_different
        and case.name_of(outcome.first_different),
        findings=tuple(findings),
        unexplained=tuple(
            Unexplained(case.name_of(d.step), where_different(case, d.step, d.held))
            for d in outcome.deviations
            if not d.explanations
        ),
        harmless=outcome.harmless,
        unseen=outcome.unseen,
        precision=outcome.precision.name,
        compared=tuple(case.name_of(step) for step in case.steps),
        notes=(*case.notes, ONLY_SOME) if outcome.only_some else case.notes,
        plan=case.plan,
        inputs=case.inputs,
        mine=case.mine,
        case=replace(case),  # without what is computed from it
    )


def _joined(before: list[Finding], found: list[Finding]) -> list[Finding]:
    """Return the mistakes of some steps and of the next one that differs.

    One that explains it together with another, and shows in an earlier step already, is
    a mistake of that step, made together with the other.
    """
    steps = {finding.id: finding.step for finding in before}
    again = {finding.id for finding in found}
    kept = [finding for finding in before if finding.id not in again]
    return kept + [replace(f, step=steps.get(f.id, f.step)) for f in found]


def _findings(case: Case, deviation: Deviation) -> list[Finding]:
    """Return the mistakes that explain a step: one, or more made together."""
    together = len(deviation.explanations[0]) if deviation.explanations else 0
    return [_finding(case, deviation, number) for number in range(together)]


def _finding(case: Case, deviation: Deviation, number: int) -> Finding:
    best = deviation.explanations[0][number]
    same = [one[number] for one in deviation.explanations if len(one) > number]
    return Finding(
        id=best.id,
        ids=tuple(dict.fromkeys(hypothesis.id for hypothesis in same)),
        title=_filled(best.mistake.title, best),
        step=case.name_of(deviation.step),
        parameter=best.variation.parameter,
        evidence=deviation.left,
        explanation=_filled(best.mistake.explanation, best),
        torch=best.mistake.torch,
        numpy=best.mistake.numpy,
        source=best.mistake.source,
        convention=best.mistake.kind == "convention",
        mistake=best.mistake,
        plan=deviation.explanations[0][-1].plan,
    )


def _filled(text: str, hypothesis: Hypothesis) -> str:
    variation = hypothesis.variation
    parameter = np.nan if variation.parameter is None else variation.parameter
    return text.format(parameter=parameter, detail=variation.detail)
