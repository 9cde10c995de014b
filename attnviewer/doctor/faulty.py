"""A document that computes with the mistakes that were found."""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice, product

import numpy as np

from attnviewer.compute import Index, Slip, run
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.mistakes.arrays import join
from attnviewer.compute.mistakes.making import slips_in
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.diagnosis import Diagnosis, Finding
from attnviewer.doctor.holding import held_by_pins
from attnviewer.document import Document
from attnviewer.document.edits import EditError
from attnviewer.document.from_trace import document_of
from attnviewer.document.mistakes import set_mistakes
from attnviewer.document.pins import add_pins

MOST_WAYS = 64
"""The most ways of making the mistakes of a diagnosis together that are tried."""
_CLOSE = 1e-9
"""How far numbers may be apart, by the largest of their step."""


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
        Which batch item; required if there are several.
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
    `right_document`. A mistake of chance, as dropped weights, is held by pins.

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
    slips = _slips(right, diagnosis)
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


def _slips(right: Document, diagnosis: Diagnosis) -> tuple[Slip, ...] | None:
    """Return how a spec names all mistakes that were found; None if it cannot."""
    findings = diagnosis.findings
    wanted = Evaluation(findings[-1].plan, diagnosis.inputs)
    shapes = {name: right.matrix(name).shape for name in right.spec.input_names}
    plan = Plan.of(right.spec, shapes)
    for slips in islice(_ways(plan, findings), MOST_WAYS):
        try:
            made = with_slips(right, slips)
        except EditError:
            continue
        if _equal(made, wanted, only_result=bool(diagnosis.harmless)):
            return slips
    return None


def _ways(plan: Plan, findings: Sequence[Finding]) -> Iterator[tuple[Slip, ...]]:
    """Yield the ways to make mistakes together, the first of each one first."""
    return product(*(slips_in(plan, f.id, f.parameter) for f in findings))


def _equal(made: Document, wanted: Evaluation, *, only_result: bool) -> bool:
    """Return whether a document has the numbers of a plan."""
    trace = made.compute()
    steps = ("weights", "output") if only_result else tuple(wanted.plan.steps)
    common = [name for name in steps if name in trace]
    return all(_close(trace[name], wanted[name]) for name in common)


def _close(own: Numbers, other: Numbers) -> bool:
    found = _like(other, own.shape)
    if found is None:
        return False
    finite = np.isfinite(own)
    if not np.array_equal(own[~finite], found[~finite], equal_nan=True):
        return False
    slack = _CLOSE * np.max(np.abs(own), initial=0.0, where=finite)
    return bool((np.abs(own - found)[finite] <= slack).all())


def _like(array: Numbers, shape: tuple[int, ...]) -> Numbers | None:
    """Return an array in the shape that a document has; None if it is another."""
    while array.ndim > len(shape) and array.shape[0] == 1:
        array = array[0]
    if array.ndim == len(shape) + 1:
        array = join(array)
    return array if array.shape == shape else None
