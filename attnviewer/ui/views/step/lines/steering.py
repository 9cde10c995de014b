"""Keys and clicks: go from token to token, mark them, select lines."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position, SelectionModel
from attnviewer.ui.views.step.lines.arrangement import Side
from attnviewer.ui.views.step.lines.arrow_keys import walk
from attnviewer.ui.views.step.lines.focus import Token
from attnviewer.ui.views.step.lines.pairs import Pairs
from attnviewer.ui.views.step.lines.reading import Reading
from attnviewer.ui.views.step.lines.viewport import ZOOM, TokenViewport
from attnviewer.ui.widgets.marking import Line, Marking

LINES: dict[Side, Line] = {"queries": "row", "keys": "column"}


class Steering(QObject):
    """Knows which token the keys have come to, and which one is pointed at.

    Attributes
    ----------
    current : tuple
        The token that the keys have come to.
    walking : bool
        Whether it is the keys that lead, not the mouse.
    pointed : tuple or None
        The token under the pointer.
    pointed_changed : Signal
        Another token is under the pointer.
    walked : Signal
        The keys have come to another token.
    """

    pointed_changed = Signal()
    walked = Signal()

    def __init__(
        self,
        selection: SelectionModel,
        pairs: Pairs,
        token_viewport: TokenViewport,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._selection, self._pairs, self._token_viewport = (
            selection,
            pairs,
            token_viewport,
        )
        self._marking = Marking()
        self._under: tuple[Token | None, Position | None] = None, None
        self.current: Token = ("queries", 0)
        self.walking = False
        self.pointed: Token | None = None

    def start(self) -> None:
        """Go back to the first token: there are other ones."""
        self.current = "queries", 0
        self.let_go()

    def follow(self, selected: Linked, n_queries: int) -> None:
        """Have the keys start at the query of the selected cell.

        Parameters
        ----------
        selected : Linked
            The row of the selected cell, which may be one of another document.
        n_queries : int
            The number of queries.
        """
        if selected.rows and selected.rows[0] < n_queries:
            self.current = "queries", selected.rows[0]

    def renew(self) -> None:
        """Take whatever the pointer comes to next for something else."""
        self._under = None, None

    def let_go(self) -> None:
        """Point at nothing until the pointer moves."""
        self.pointed = None
        self.renew()

    def point_at(self, token: Token | None, cell: Position | None) -> bool:
        """Follow the pointer to a token or a line; tell whether it is another one."""
        if (token, cell) == self._under:
            return False
        self._under = token, cell
        if token != self.pointed:
            self.pointed = token
            self.pointed_changed.emit()
        self._pairs.hover(cell)
        return True

    def click(
        self,
        token: Token | None,
        cell: Position | None,
        modifiers: Qt.KeyboardModifier,
        reading: Reading,
    ) -> None:
        """Mark a token or select a line; with neither, clear the marks.

        A plain click on a token selects its strongest line as well.
        """
        self.walking = False
        if token is not None:
            self._mark(token, modifiers)
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self._select_strongest(token, reading)
        elif cell is not None:
            self._pairs.select(cell)
        else:
            self._selection.mark(Marked())

    def press(self, event: QKeyEvent, reading: Reading) -> bool:
        """Do what a key is for; tell whether it is for anything.

        Parameters
        ----------
        event : QKeyEvent
            The key.
        reading : Reading
            The weights that are shown.
        """
        key, modifiers = event.key(), event.modifiers()
        shift = Qt.KeyboardModifier.ShiftModifier
        if modifiers & ~(Qt.KeyboardModifier.KeypadModifier | shift):
            return False
        before, arrangement = self.current, self._token_viewport.arrangement()
        page = max(1, len(arrangement.in_sight(before[0])) - 1)
        token = walk(key, before, reading.shape, page)
        if token is not None:
            self._go(token)
            if modifiers & shift and token[0] == before[0]:
                self._extend(before)
        elif key == Qt.Key.Key_Space:
            self._mark(self.current, Qt.KeyboardModifier.ControlModifier)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select_next(reading.cells_of(*self.current))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = ZOOM if key == Qt.Key.Key_Plus else 1 / ZOOM
            self._token_viewport.zoom_by(factor, arrangement.middle(*before))
        elif key == Qt.Key.Key_Escape and self._selection.marked:
            self._selection.mark(Marked())
        elif key == Qt.Key.Key_Escape and self._selection.cell is not None:
            self._selection.choose_cell(self._selection.step, None)
        else:
            return False
        return True

    def _go(self, token: Token) -> None:
        self.current, self.walking = token, True
        self.let_go()
        self._token_viewport.bring_into_sight(token)
        self.walked.emit()

    def _mark(self, token: Token, modifiers: Qt.KeyboardModifier) -> None:
        self.current = token
        side, index = token
        marked = self._pairs.marked
        self._pairs.mark(self._marking.click(marked, LINES[side], index, modifiers))

    def _extend(self, before: Token) -> None:
        """Mark the tokens from another one to the current one."""
        side, index = self.current
        marked = self._pairs.marked
        self._pairs.mark(self._marking.extend(marked, LINES[side], before[1], index))

    def _select_strongest(self, token: Token, reading: Reading) -> None:
        """Select the strongest line of a token, unless one of its lines is."""
        cell = self._pairs.cell
        selected = cell is not None and cell[0 if token[0] == "queries" else 1]
        cells = reading.cells_of(*token)
        if cells and (cell is None or selected != token[1]):
            self._pairs.select(cells[0])

    def _select_next(self, cells: list[Position]) -> None:
        """Select the first of some lines; if one of them is selected, the next."""
        if not cells:
            return
        cell = self._pairs.cell
        following = cells.index(cell) + 1 if cell in cells else 0
        self._pairs.select(cells[following % len(cells)])
