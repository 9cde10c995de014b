"""The heads that the current view shows, and how it shows them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from attnviewer.compute import Combination
from attnviewer.ui.views.step import StepView

if TYPE_CHECKING:
    from attnviewer.ui.views.step.lines.page import Lines
    from attnviewer.ui.views.step.on_picture.page import OnPicturePage


@dataclass(frozen=True, slots=True)
class ViewSettings:
    """What a picture of a view has to say beside the step.

    Parameters
    ----------
    head : int or None
        The query head; None where several are shown.
    combination : str or None
        The way in which heads are combined in one map or on the picture, or None.
    combined_heads : tuple of int
        The heads of the step that one map combines; () where none does.
    of_layers : bool
        Whether heads of all layers are shown.
    line_heads : tuple of int
        The heads that have lines; () unless there are lines.
    hues : bool
        Whether the lines of each head have their own colour.
    threshold : float or None
        The least weight that has a line; None unless there are lines.
    """

    head: int | None
    combination: Combination | None = None
    combined_heads: tuple[int, ...] = ()
    of_layers: bool = False
    line_heads: tuple[int, ...] = ()
    hues: bool = False
    threshold: float | None = None


def settings_of(step_view: StepView) -> ViewSettings:
    """Return the settings of the current view."""
    if step_view.view == "heads":
        return _of_heads(step_view)
    if step_view.view == "lines":
        return _of_lines(step_view)
    head, combination = step_view.head, None
    if step_view.view == "on_picture":
        page = cast("OnPicturePage", step_view.page_of("on_picture"))
        combination = page.combination
    return ViewSettings(None if combination else head, combination)


def _of_heads(step_view: StepView) -> ViewSettings:
    page = step_view.heads
    if (found := page.heads.enlarged) is None:
        return ViewSettings(None, of_layers=page.of_layers)
    combination, locations = found
    heads = tuple(location.head for location in locations)
    return ViewSettings(None, combination, heads, page.of_layers)


def _of_lines(step_view: StepView) -> ViewSettings:
    page = cast("Lines", step_view.page_of("lines"))
    head = step_view.head if page.of_one_head else None
    return ViewSettings(
        head,
        line_heads=page.legend.heads if head is None else (head,),
        hues=page.overlay.overlay == "hues",
        threshold=page.threshold.threshold,
    )
