"""The texts of the Doctor panel."""

from typing import TYPE_CHECKING

from attnviewer.document.labels import cell_name
from attnviewer.ui.state.doctor import Examination
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.doctor.comparing import ComparedStep
    from attnviewer.doctor.diagnosis import Diagnosis, Finding

_tr = translate_in("Doctor")

DIGITS = 6


def summary(diagnosis: "Diagnosis") -> str:
    """Return the result in a few words, for the title of the panel."""
    if diagnosis.agrees:
        return _tr("agrees")
    count = len(diagnosis.findings)
    if not count:
        return _tr("differs, not explained")
    one, many = _tr("1 finding"), _tr("{count} findings")
    return one if count == 1 else many.format(count=count)


def standing_of(compared: "ComparedStep", precision: str) -> str:
    """Return how a step compares, in words."""
    if compared.standing == "exact":
        return _tr("agrees with your array, except for rounding in the last digits")
    if compared.standing == "rounded":
        return _tr("agrees with your array to within {precision} rounding").format(
            precision=precision
        )
    if compared.follows:
        return _tr("your array differs, as it follows from an earlier step")
    return _tr("your array differs")


def evidence(finding: "Finding") -> str:
    """Return how well a mistake explains the numbers."""
    return _tr(
        "Evidence: with this mistake the computation gives your numbers. The largest "
        "difference that is left is {share} of what rounding explains."
    ).format(share=_percent(finding.evidence))


def _percent(share: float) -> str:
    return _tr("less than 1 %") if share < 0.01 else f"{100 * share:.0f} %"


def same_numbers(finding: "Finding") -> str:
    """Return the other mistakes that give the same numbers here; "" for none."""
    others = [name for name in finding.ids if name != finding.id]
    if not others:
        return ""
    text = _tr("These inputs cannot tell it from: {ids}.")
    return text.format(ids=", ".join(others))


def worst_cell(examination: Examination, step: str) -> str:
    """Return the numbers of the cell of a step that differs most; "" without one.

    Parameters
    ----------
    examination : Examination
        What was checked.
    step : str
        A step by the document's name.
    """
    cell = examination.cells.get(step)
    if cell is None:
        return ""
    stage, labels = examination.theirs.stages[step], examination.document.labels
    heads = (cell.head,) if examination.theirs.n_heads(step) > 1 else ()
    index = (*heads, cell.row, cell.column)
    text = _tr(
        "Largest difference: {cell} is {theirs} in your array, {right} is right."
    )
    return text.format(
        cell=cell_name(stage, labels, index, token_label),
        theirs=significant_number(cell.theirs, DIGITS),
        right=significant_number(cell.right, DIGITS),
    )
