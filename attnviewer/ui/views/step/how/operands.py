"""Tables over operands that are inputs, which are edited in the picture."""

from typing import Protocol

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.how.drawing import Drawing, Sheet
from attnviewer.ui.views.step.how.sheet_painter import SheetPainter


class OperandTable(Protocol):
    """A table whose cells lie over those of a picture."""

    def lie_over(
        self,
        rect: QRect,
        cell: int,
        gap: int,
        size: int,
        decimals: int,
        columns: range,
    ) -> None:
        """Cover an operand."""


class InputTables(Protocol):
    """Lends the tables of inputs."""

    def borrow(self, name: str, parent: QWidget) -> OperandTable | None:
        """Return the table of an input; None if it has none."""

    def put_away(self, keep: frozenset[str] = frozenset()) -> None:
        """Hide all tables but some."""


class Operands:
    """Lays tables over the operands of a picture that are inputs.

    Parameters
    ----------
    stage : QWidget
        The picture.
    """

    def __init__(self, stage: QWidget) -> None:
        self._stage = stage
        self._tables: InputTables | None = None
        self._frames = _Frames(stage)

    def set_tables(self, tables: InputTables) -> None:
        """Use tables from now on."""
        self._tables = tables

    def lay(self, drawing: Drawing, theme: Theme) -> frozenset[str]:
        """Lay the tables over the operands of a picture; return which have one."""
        covered: list[Sheet] = []
        if self._tables is not None:
            covered = [s for s in drawing.sheets if _is_editable(s) and self._lay(s)]
            self._tables.put_away(frozenset(sheet.step for sheet in covered))
        self._frames.show_frames(covered, theme)
        return frozenset(sheet.step for sheet in covered)

    def put_away(self) -> None:
        """Hide all tables."""
        if self._tables is not None:
            self._tables.put_away()
        self._frames.hide()

    def _lay(self, sheet: Sheet) -> bool:
        assert self._tables is not None
        table = self._tables.borrow(sheet.step, self._stage)
        if table is None:
            return False
        columns = range(sheet.columns[0], sheet.columns[-1] + 1)
        table.lie_over(
            sheet.rect.toRect(),
            round(sheet.cell),
            round(sheet.gap),
            round(sheet.size),
            sheet.decimals,
            columns,
        )
        return True


def _is_editable(sheet: Sheet) -> bool:
    """Return whether a table can take the place of an operand."""
    first, last = sheet.columns[0], sheet.columns[-1]
    together = tuple(sheet.columns) == tuple(range(first, last + 1))
    return (
        sheet.editable
        and bool(sheet.texts)
        and not sheet.transposed
        and sheet.empty is None
        and together
    )


class _Frames(QWidget):
    """The frames of the selection, above the tables."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._sheets: list[Sheet] = []
        self._theme: Theme | None = None
        self.hide()

    def show_frames(self, sheets: list[Sheet], theme: Theme) -> None:
        """Show the frames of some matrices."""
        self._sheets, self._theme = sheets, theme
        parent = self.parentWidget()
        if not sheets or parent is None:
            self.hide()
            return
        self.setGeometry(parent.rect())
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._theme is None:
            return
        painter = QPainter(self)
        frames = SheetPainter(painter, self._theme, self.font())
        for sheet in self._sheets:
            frames.frame(sheet)
        painter.end()
