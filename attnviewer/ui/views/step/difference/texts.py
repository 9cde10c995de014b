"""The texts of the comparison."""

from attnviewer.compute import LargestChanges
from attnviewer.document import Incomparable
from attnviewer.ui.text.numbers import format_number, significant_number
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.step_changes import UNCHANGED, UNKNOWN, StepChange

_tr = translate_in("Difference")

DIGITS = 4
"""Of a step's largest change."""


def why_not(step: str, reason: Incomparable) -> str:
    """Say why a step cannot be compared, in one sentence."""
    sentences = {
        "step": _tr("A has no step “{step}”."),
        "heads": _tr("The heads cannot be compared: A has {before}, B has {after}."),
        "features": _tr(
            "The columns cannot be compared: A has {before}, B has {after}."
        ),
        "tokens": _tr(
            "A and B have no tokens in common: A has {before}, B has {after}."
        ),
    }
    _, after, before = reason
    return sentences[reason.what].format(
        step=step_title(step), after=after, before=before
    )


def what_changed(changes: LargestChanges) -> str:
    """Say how much of a step changed, in one sentence."""
    if not changes.changed and changes.finished:
        if changes.rounded:
            return _tr(
                "Nothing differs beyond rounding; the largest number is {largest}."
            ).format(largest=_largest_number(changes))
        if changes.cells == 1:
            return _tr("Nothing differs: the only cell is the same.")
        return _tr("Nothing differs: all {cells} cells are the same.").format(
            cells=changes.cells
        )
    text = _tr("{changed} of {cells} cells differ, by at most {most}.").format(
        changed=changes.changed, cells=changes.cells, most=largest_text(changes)
    )
    return text if changes.finished else f"{_tr('Comparing…')} {text}"


def what_last_edit_did(step: str, changes: LargestChanges) -> str:
    """Say in a few words how much of a step the last edit changed."""
    if changes.changed:
        text = _tr("Last edit changed {step} by up to {most}")
        return text.format(step=step, most=largest_text(changes))
    if changes.rounded:
        text = _tr("Last edit changed {step} within rounding only (largest: {largest})")
        return text.format(step=step, largest=_largest_number(changes))
    return _tr("Last edit did not change {step}").format(step=step)


def largest_text(changes: LargestChanges) -> str:
    """Format the magnitude of the largest change of a step."""
    if changes.largest:
        change = abs(changes.largest[0].change)
        if change > changes.reach or change != change:
            return format_number(change, 0)
    return significant_number(changes.reach, DIGITS)


def _largest_number(changes: LargestChanges) -> str:
    return significant_number(changes.largest_number, DIGITS)


def step_change(
    step: str, changes: LargestChanges | Incomparable, largest: float
) -> StepChange:
    """Return the row of a step in the list of all steps.

    Parameters
    ----------
    step : str
        The step.
    changes : LargestChanges or Incomparable
        The changes, or why they cannot be computed.
    largest : float
        The largest finite change of all steps.
    """
    title = step_title(step)
    if isinstance(changes, Incomparable):
        return StepChange(step, UNKNOWN, f"{title}: {why_not(step, changes)}", 0.0)
    sentence = f"{title}: {what_changed(changes)}"
    if not changes.changed:
        return StepChange(step, UNCHANGED if changes.finished else "…", sentence, 0.0)
    share = changes.reach / largest if largest else 0.0
    text = largest_text(changes)
    infinite = text != significant_number(changes.reach, DIGITS)
    return StepChange(step, text, sentence, 1.0 if infinite else share)


def how_many_belong(before: int, after: int, tied: int) -> str:
    """Say how many rows A and B have, and how many of them match."""
    return _tr("A has {before} rows, B has {after}; {tied} of them match.").format(
        before=before, after=after, tied=tied
    )
