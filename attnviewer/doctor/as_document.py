"""A case as a document, and the implementation's steps as those of its computation."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Trace, run
from attnviewer.compute.arrays import Array, Index, Numbers
from attnviewer.compute.given_steps import GivenSteps
from attnviewer.doctor.case import Case
from attnviewer.doctor.comparing import ComparedStep, largest_difference
from attnviewer.document import Document
from attnviewer.document.from_trace import document_of

PARTS_OF_OUTPUT = "heads", "concatenated"
"""The steps that are the output of a document with a single head and no W_O."""


@dataclass(frozen=True, slots=True)
class WorstCell:
    """The cell of a step that differs most.

    Parameters
    ----------
    head : int
        Which of the step's own heads; 0 for a step without heads.
    row, column : int
        Where in its matrix.
    theirs, right : float
        The implementation's number and the right one.
    """

    head: int
    row: int
    column: int
    theirs: float
    right: float


@dataclass(frozen=True, slots=True, eq=False)
class CaseDocument:
    """The right computation of a case, with what the implementation gave.

    Parameters
    ----------
    document : Document
        The right computation; of a batch, the item that differs most.
    theirs : Trace
        The implementation's steps that the document has, too.
    item : tuple of int
        The batch item; () without a batch.
    steps : mapping of str to str
        What the document calls the steps of the case, as far as it has them.
    cells : mapping of str to WorstCell
        The largest difference of the document's steps, where there is one.
    """

    document: Document
    theirs: Trace
    item: Index
    steps: Mapping[str, str]
    cells: Mapping[str, WorstCell]


def case_document(
    case: Case, compared: tuple[ComparedStep, ...], title: str
) -> CaseDocument:
    """Return the document of a case.

    Parameters
    ----------
    case : Case
        What is compared.
    compared : tuple of ComparedStep
        How its steps compare, which tells the batch item to show.
    title : str
        The document's title.

    Raises
    ------
    ValueError
        If a document cannot hold the computation, such as a mask for each head.
    """
    trace = run(case.spec, case.inputs)
    item = _item(_batch(case, trace), compared)
    document = document_of(trace, batch=item or None, title=title)
    right = document.compute()
    steps = {s: n for s in case.steps if (n := _name(s, right, case))}
    fitted: dict[str, Array] = {}
    cells: dict[str, WorstCell] = {}
    for step, name in steps.items():
        shape = right.shape(name)
        array = _fitted(case.mine[step], item, shape)
        if array is None:
            continue
        fitted[name] = array
        seen = _fitted(case.visible(step, case.right[step]), item, shape)
        assert seen is not None
        worst = largest_difference(seen, right[name])[1]
        if worst is not None:
            row, column = worst[-2:]
            cells[name] = WorstCell(
                head=worst[0] if len(worst) > 2 else 0,
                row=row,
                column=column,
                theirs=float(array[worst]),
                right=float(right[name][worst]),
            )
    return CaseDocument(document, GivenSteps(right, fitted), item, steps, cells)


def _batch(case: Case, trace: Trace) -> Index:
    """Return the sizes of the axes of the batch."""
    source = trace[case.spec.sources[0]]
    apart = case.spec.given and not case.spec.heads_joined and source.ndim > 2
    return source.shape[: -3 if apart else -2]


def _item(batch: Index, compared: tuple[ComparedStep, ...]) -> Index:
    """Return the batch item with the largest difference of the first step that differs.

    The first item where nothing differs.
    """
    differing = (c.worst for c in compared if c.standing == "differs" and c.worst)
    worst = next(differing, None)
    if worst is None or len(worst) < len(batch) + 2:
        return (0,) * len(batch)
    return tuple(worst[: len(batch)])


def _name(step: str, right: Trace, case: Case) -> str:
    """Return what a document calls a step; "" if it has no such step."""
    if step == "output" and right.spec.joins_heads and not case.spec.joins_heads:
        return "heads"  # which the document joins
    if step in right:
        return step
    return "output" if step in PARTS_OF_OUTPUT and "output" not in case.steps else ""


def _fitted(array: Numbers, item: Index, shape: tuple[int, ...]) -> Array | None:
    """Return one batch item of a step in a document's shape; None if it has another."""
    if array.ndim >= len(item) + 2:
        array = array[item]
    if tuple(k for k in array.shape if k > 1) != tuple(k for k in shape if k > 1):
        return None
    return np.asarray(array, np.float64).reshape(shape)
