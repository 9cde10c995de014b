"""The panels around the centre: where each opens, how wide, behind which keys."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from attnviewer.ui.docks import Docks, Panel
from attnviewer.ui.explain import ExplainPanel
from attnviewer.ui.history import HistoryPanel
from attnviewer.ui.inputs import InputsPanel
from attnviewer.ui.lines_beside import LinesBeside
from attnviewer.ui.models.effect import EffectPanel
from attnviewer.ui.notes import NotesArea
from attnviewer.ui.translation import translate_in
from attnviewer.ui.walk import WalkPanel

_tr = translate_in("Panels")

_KEYS = {"inputs": "F8", "explain": "F9", "history": "Ctrl+Shift+H", "walk": "F10"}
"""Of panels that have some."""


def build_docks(
    window: QMainWindow,
    *,
    inputs: InputsPanel,
    notes: NotesArea,
    explain: ExplainPanel,
    lines: LinesBeside,
    history: HistoryPanel,
    walk: WalkPanel,
    effect: EffectPanel,
) -> Docks:
    """Return the docks of a window with its panels in them.

    Parameters
    ----------
    window : QMainWindow
        The window.
    inputs, explain, lines, history, walk, effect
        The panels.
    notes : NotesArea
        Stands below the inputs.
    """
    area = Qt.DockWidgetArea
    panels = [
        Panel(
            "inputs",
            _tr("Inputs"),
            _tr("&Inputs"),
            _above_each_other(window, inputs, notes),
            inputs.heading,
            area.LeftDockWidgetArea,
            narrowest=22,
        ),
        Panel(
            "explain",
            _tr("Explain"),
            _tr("E&xplain"),
            explain,
            explain.heading,
            area.RightDockWidgetArea,
            narrowest=20,
        ),
        Panel(
            "lines",
            _tr("Lines"),
            _tr("&Lines"),
            lines,
            lines.heading,
            area.RightDockWidgetArea,
            narrowest=26,
            opened=False,
            beside="explain",
        ),
        Panel(
            "history",
            _tr("History"),
            _tr("Histor&y"),
            history,
            history.heading,
            area.RightDockWidgetArea,
            narrowest=20,
            opened=False,
        ),
        Panel(
            "walk",
            _tr("Step by step"),
            _tr("&Step by step"),
            walk,
            walk.heading,
            area.BottomDockWidgetArea,
            narrowest=0,
            opened=False,
        ),
        Panel(
            "model",
            _tr("Model"),
            _tr("&Model"),
            effect,
            effect.heading,
            area.RightDockWidgetArea,
            narrowest=22,
            opened=False,
            beside="explain",
        ),
    ]
    docks = Docks(window, panels)
    for panel, toggle in zip(panels, docks.toggles, strict=True):
        if panel.name in _KEYS:
            toggle.setShortcut(_KEYS[panel.name])
    corner = Qt.Corner
    window.setCorner(corner.BottomLeftCorner, area.LeftDockWidgetArea)
    window.setCorner(corner.BottomRightCorner, area.RightDockWidgetArea)
    return docks


def _above_each_other(
    window: QMainWindow, inputs: InputsPanel, notes: NotesArea
) -> QWidget:
    left = QWidget(window)
    column = QVBoxLayout(left)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(inputs, 1)
    column.addWidget(notes)
    left.setFocusProxy(inputs)
    return left
