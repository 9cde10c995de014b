"""The current view as a panel of a figure."""

from attnviewer.ui.figures.kinds import KINDS
from attnviewer.ui.figures.panel import Compared, Panel
from attnviewer.ui.figures.texts import place_words
from attnviewer.ui.paint.folded_content import folding_of, grouped_content
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.step_scale import step_scale
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.pictures.view_settings import settings_of
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView


def has_figure(step_view: StepView) -> bool:
    """Return whether there is a figure of what the current view shows."""
    settings = settings_of(step_view)
    no_lines = step_view.view == "lines" and not settings.line_heads
    return step_view.view in KINDS and not settings.of_layers and not no_lines


def shown_panel(
    step_view: StepView, workbench: Workbench, theme: Theme, *, with_cell: bool = False
) -> Panel:
    """Return what the window shows, as a panel.

    Colours that were chosen for the step are kept.

    Parameters
    ----------
    step_view : StepView
        The view.
    workbench : Workbench
        What it shows: the selection, colours and baseline.
    theme : Theme
        The figure's colours.
    with_cell : bool
        Whether the selected cell is framed.
    """
    computation, selection = step_view.computation, workbench.selection
    step, head, settings = selection.step, step_view.head, settings_of(step_view)
    look, scale = workbench.looks.of(step), None
    computed, folds = workbench.engine.current, workbench.folds.current
    shown = DisplayedStep(computed, step, head, look, theme, folds=folds)
    folding = folding_of(folds, shown)
    if folding is not None and not (look == AUTOMATIC and folding.keeps_shares):
        scale = grouped_content(shown).scale
    elif look != AUTOMATIC:
        scale = step_scale(computed, step, head, theme, look)
    compared, reference = None, workbench.baseline.reference()
    if reference is not None and reference.side is not None:
        compared = Compared(reference.title, reference.side)
    combined = settings.combined_heads
    overlay = settings.line_heads if settings.head is None else ()
    return Panel(
        computation,
        step,
        "heatmap" if combined else step_view.view,
        head,
        selection.cell if with_cell or step_view.view == "on_picture" else None,
        compared,
        settings.threshold,
        scale,
        _place(workbench),
        combination=settings.combination,
        folds=folds,
        heads=combined or overlay,
        hues=settings.hues,
        focus=selection.cell,
    )


def _place(workbench: Workbench) -> str:
    link = workbench.link
    if link is None:
        return ""
    return place_words(link.run.model.name, link.layer, link.head)
