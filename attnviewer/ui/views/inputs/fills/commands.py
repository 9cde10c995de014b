"""Filling by menu: at once, or through the dialog."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.document.drawing.draws import last_draw
from attnviewer.document.drawing.recipe import python_lines
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.mnemonics import action_text
from attnviewer.ui.views.inputs.fills.choices import FillChoice, choices, order
from attnviewer.ui.views.inputs.fills.dialog import FillDialog, FillMemory
from attnviewer.ui.views.inputs.fills.targets import (
    Target,
    selection_after,
    targets_at,
    whole,
)
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.late_menu import LateMenu

FillCommand = tuple[str, str | None]
"""The fill, and the matrix; None for the selection."""

_DRAWN_FIRST = ("W_Q", "W_K", "W_V", "W_G", "W_O")


class FillCommands(QObject):
    """Builds the menus of fills and carries them out.

    Attributes
    ----------
    menu : QMenu
        The menu for the selection.
    """

    refused = Signal(str, str)
    """A reason, and the matrix it is about; "" for none."""

    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(parent)
        self._widget = parent
        self._edits = edits
        self._memory = FillMemory()
        self._header = QAction(self)
        self._header.setEnabled(False)
        self._choices = choices()
        self._on_selection: dict[QAction, FillChoice] = {}
        self.menu = self._selection_menu(parent)

    def _selection_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(self.tr("&Fill"), parent)
        menu.setObjectName("menu.fill")
        open_, draw = self.tr("&Fill with…"), self.tr("&Draw several matrices…")
        fill_menu(
            menu,
            [
                self._header,
                *self._fill_rows(None),
                SEPARATOR,
                ActionRow("fill", open_, self._ask, "Ctrl+Shift+F", (None, None)),
                ActionRow("draw_all", draw, self._ask_all, "Ctrl+Shift+R"),
                SEPARATOR,
                self._copy_row(None),
            ],
        )
        for name, choice in self._choices.items():
            action = menu.findChild(QAction, f"action.{_named(name, None)}")
            if action is not None:
                self._on_selection[action] = choice
        menu.aboutToShow.connect(self._show_target)
        self._show_target()
        return menu

    def fill_menu(self, matrix: str, parent: QWidget) -> QMenu:
        """Return the menu of deterministic fills, for a whole matrix."""
        return LateMenu(partial(self._fill_rows, matrix), parent)

    def random_menu(self, matrix: str, parent: QWidget) -> QMenu:
        """Return the menu of random fills, for a whole matrix."""
        return LateMenu(partial(self._random_rows, matrix), parent)

    def drawn_by(self, matrix: str) -> Iterator[str]:
        """Return the lines of Python that reproduce a matrix's draw."""
        document = self._edits.document
        shapes = {name: array.shape for name, array in document.matrices.items()}
        recipes = [
            recipe
            for recipe in document.recipes
            if any(draw.matrix == matrix for draw in recipe.draws)
        ]
        return python_lines(recipes, shapes)

    def _fill_rows(self, matrix: str | None) -> Rows:
        return [
            self._row("zeros", matrix),
            self._row("ones", matrix),
            self._row("constant", matrix, asks=True),
            self._row("identity", matrix),
            self._row("one_hot", matrix),
            SEPARATOR,
            self._row("negate", matrix),
            self._row("scale", matrix, asks=True),
            self._row("round", matrix, asks=True),
            self._row("transpose", matrix),
        ]

    def _random_rows(self, matrix: str) -> Rows:
        names = ("integers", "normal", "uniform", "xavier", "orthogonal")
        rows = [self._row(name, matrix, asks=True) for name in names]
        return [*rows, SEPARATOR, self._copy_row(matrix)]

    def _row(self, name: str, matrix: str | None, *, asks: bool = False) -> ActionRow:
        text = self._choices[name].text + ("…" if asks else "")
        callback = self._ask if asks else self._fill
        return ActionRow(_named(name, matrix), text, callback, data=(name, matrix))

    def _copy_row(self, matrix: str | None) -> ActionRow:
        text = self.tr("&Copy draws as Python")
        return ActionRow(_named("copy", matrix), text, self._copy, data=matrix)

    @Slot()
    def _show_target(self) -> None:
        targets = self._targets(None)
        text = targets[0].text if targets else self.tr("No matrix is selected")
        self._header.setText(action_text(text))
        for action, choice in self._on_selection.items():
            suits = all(choice.suits(target.matrix) for target in targets)
            action.setEnabled(suits)

    # --------------------------------------------------------------- commands

    def _targets(self, matrix: str | None) -> list[Target]:
        document = self._edits.document
        if matrix is None:
            return targets_at(document, self._edits.cursor.selection)
        return [whole(document, matrix)]

    def _fill(self, command: FillCommand) -> None:
        name, matrix = command
        targets = self._targets(matrix)
        if not targets:
            self._refuse_nothing()
            return
        target = targets[0]
        try:
            edit = order(self._edits.document, self._choices[name], (), [target])
            if edit is not None:
                then = selection_after(self._edits.cursor.selection, target)
                self._edits.submit(edit, then=then)
        except ValueError as error:
            self.refused.emit(str(error), target.matrix)

    def _ask(self, command: tuple[str | None, str | None]) -> None:
        name, matrix = command
        targets = self._targets(matrix)
        if not targets:
            self._refuse_nothing()
            return
        if name is not None:
            self._memory.choice = name
        FillDialog(self._edits, targets, self._memory, self._window()).open()

    def _ask_all(self, _data: object) -> None:
        document = self._edits.document
        used = [n for n in document.spec.input_names if n != "mask"]
        first = [name for name in _DRAWN_FIRST if name in used]
        names = [*first, *(name for name in used if name not in first)]
        targets = [whole(document, name) for name in names]
        dialog = FillDialog(
            self._edits, targets, self._memory, self._window(), together=True
        )
        dialog.open()

    def _copy(self, matrix: str | None) -> None:
        targets = self._targets(matrix)
        if not targets:
            self._refuse_nothing()
            return
        name = targets[0].matrix
        if last_draw(self._edits.document, name) is None:
            reason = self.tr("{matrix} was not drawn at random.").format(matrix=name)
            self.refused.emit(reason, name)
            return
        lines = ["import numpy as np", "", *self.drawn_by(name)]
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")

    def _refuse_nothing(self) -> None:
        self.refused.emit(self.tr("Select cells of a matrix first."), "")

    def _window(self) -> QWidget:
        return self._widget.window()


def _named(name: str, matrix: str | None) -> str:
    return f"fill.{name}" if matrix is None else f"fill.{matrix}.{name}"
