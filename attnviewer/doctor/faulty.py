"""A document that computes with the mistakes that were found."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import islice, product

import numpy as np

from attnviewer.compute import Index, Slip, Trace, run
from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.mistakes.arrays import join
from attnviewer.compute.mistakes.making import slips_in
from attnviewer.doctor.diagnosis import Diagnosis, Finding
from attnviewer.doctor.holding import held_by_pins
from attnviewer.document import Document
from attnviewer.document.edits import EditError
from attnviewer.document.from_trace import document_of
from attnviewer.document.mistakes import set_mistakes
from attnviewer.document.pins import add_pins

MOST_WAYS = 32
"""The most combinations of variations of several mistakes that are tried."""
RESULTS = "weights", "output"
_CLOSE = 1e-9
"""The largest difference of equal computations, relative to the largest number."""
_TOLERANCES = {
    "float64": 1e-8,
    "float32": 1e-3,
    "tf32": 0.05,
    "float16": 0.05,
    "bfloat16": 0.1,
}
"""The same for numbers of an implementation, by its precision."""


class InexpressibleError(ValueError):
    """Findings that no document can compute with, with the reason as its message."""


def right_document(
    diagnosis: Diagnosis,
    *,
    tokens: Sequence[str] | None = None,
    batch: int | Index | None = None,
    title: str = "Checked implementation",
) -> Document:
    """Return the document of the intended computation.

    Parameters
    ----------
    diagnosis : Diagnosis
        What was found.
    tokens : sequence of str, optional
        Names of the tokens; numbered by default.
    batch : int or tuple of int, optional
        The batch item; required if there are several.
    title : str
        Its title.

    Raises
    ------
    ValueError
        If a document cannot hold the inputs.
    """
    trace = run(diagnosis.plan.spec, diagnosis.inputs)
    return document_of(trace, tokens=tokens, batch=batch, title=title)


def faulty_document(
    diagnosis: Diagnosis,
    finding: Finding | None = None,
    *,
    tokens: Sequence[str] | None = None,
    batch: int | Index | None = None,
    title: str = "Checked implementation",
) -> Document:
    """Return a document that computes as an implementation does.

    It has the right inputs and the mistakes that were found, without which it is the
    `right_document`. Random mistakes, such as dropout, are reproduced by pins.

    Parameters
    ----------
    diagnosis : Diagnosis
        What was found.
    finding : Finding, optional
        The one mistake of the diagnosis to make; by default all.
    tokens, batch, title
        As in `right_document`; the title also says which mistakes are made.

    Raises
    ------
    InexpressibleError
        If nothing was found, or it depends on more than the inputs.
    ValueError
        If a document cannot hold the inputs.
    """
    found = diagnosis.findings
    if not found:
        raise InexpressibleError(
            "No mistake was found that explains the numbers, so there is none to "
            "compute with."
        )
    right = right_document(diagnosis, tokens=tokens, batch=batch, title=title)
    lead = batch if isinstance(batch, tuple) else () if batch is None else (batch,)
    slips = _slips(right, diagnosis, lead)
    if slips is not None:
        if finding is not None:
            slips = (slips[found.index(finding)],)
        return with_slips(right, slips)
    if len(found) > 1 and finding is None:
        raise InexpressibleError(
            "The mistakes cannot be made together in a document, as one of them "
            "depends on more than the inputs. Open them one by one."
        )
    pins = held_by_pins(diagnosis, found[0] if finding is None else finding)
    if not pins or len(found) > 1:
        name = (finding or found[0]).title
        raise InexpressibleError(
            f"“{name}” depends on more than the inputs here, so that no document "
            "computes with it."
        )
    try:
        right.apply(add_pins(right, pins, "Hold the numbers of the mistake"))
    except EditError as error:
        raise InexpressibleError(str(error)) from error
    return right


def with_slips(document: Document, slips: Sequence[Slip]) -> Document:
    """Return a copy of a document that computes with mistakes.

    Raises
    ------
    EditError
        If it cannot.
    """
    made = copy(document)
    made.apply(set_mistakes(made, slips, "Compute with a mistake"))
    return made


def _slips(
    right: Document, diagnosis: Diagnosis, lead: Index
) -> tuple[Slip, ...] | None:
    """Return how a spec names all mistakes that were found; None if it cannot.

    Of mistakes that explain a step equally well, the one that leads to the
    implementation's other steps too.
    """
    findings = diagnosis.findings
    proved = Evaluation(findings[-1].plan, diagnosis.inputs)
    found: list[tuple[float, tuple[Slip, ...]]] = []
    for slips in islice(_ways(right, findings), MOST_WAYS):
        try:
            trace = with_slips(right, slips).compute()
        except EditError:
            continue
        off = _distance(trace, diagnosis.mine, lead)
        results = {name: proved[name] for name in RESULTS}
        near = _distance(trace, results, lead) <= _CLOSE
        tolerance = _TOLERANCES[diagnosis.precision]
        if off <= tolerance / 100:
            return slips
        if near or off <= tolerance:
            found.append((off, slips))
    least = min((off for off, _ in found), default=np.inf)
    return next((slips for off, slips in found if off <= 2 * least + _CLOSE), None)


def _ways(right: Document, findings: Sequence[Finding]) -> Iterator[tuple[Slip, ...]]:
    """Yield the ways to make mistakes together, the best of each one first."""
    shapes = {name: right.matrix(name).shape for name in right.spec.input_names}
    plan = Plan.of(right.spec, shapes)
    return product(
        *(
            [slip for id in f.ids for slip in slips_in(plan, id, f.parameter)]
            for f in findings
        )
    )


def _distance(trace: Trace, others: Mapping[str, Numbers], lead: Index) -> float:
    """Return how far steps are apart at most, by the largest number of each."""
    return max(_apart(trace[n], others[n], lead) for n in others if n in trace)


def _apart(own: Numbers, other: Numbers, lead: Index) -> float:
    found = _like(other, own.shape, lead)
    if found is None or np.isnan(own).any() != np.isnan(found).any():
        return np.inf
    both = np.isfinite(own) & np.isfinite(found)
    size = np.max(np.abs(own), initial=1e-300, where=both)
    return float(np.max(np.abs(own[both] - found[both]), initial=0.0) / size)


def _like(array: Numbers, shape: tuple[int, ...], lead: Index) -> Numbers | None:
    """Return an array of one batch item as a document has it; None if it cannot be."""
    if array.ndim >= len(shape) + len(lead):
        array = array[lead]
    while array.ndim > len(shape) and array.shape[0] == 1:
        array = array[0]
    if array.ndim == len(shape) + 1:
        array = join(array)
    return array if array.shape == shape else None
