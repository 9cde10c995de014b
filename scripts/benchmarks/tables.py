"""What large input tables cost, beside a QTableWidget as people fill one.

Opening one of 10,000 rows of 768 would take half a minute and 4 GB, so smaller ones
stand for it; the notes say how its time grows.
"""

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import offscreen  # noqa: F401 before Qt is started
from comparison import Comparison, Goal, Result, Settings
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from timing import Variant, timed

from attnviewer.compute import Array, Spec
from attnviewer.document import Document, Region, SetCells
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs import InputsPanel
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.window.application import create_application

if TYPE_CHECKING:
    from collections.abc import Callable

OURS = "attnviewer"
VIEW = 1600, 900
OPENED = Goal(500 / 10, at_least=True)
"""Of a table with a hundredth of the rows: 500 times one with a tenth, which takes ten
times as long."""
SCROLLED = Goal(2.5)
COPIED_MS = Goal(1000)


def comparisons(settings: Settings) -> list[Comparison]:
    (rows,), (tokens,), (side,) = (
        settings.lengths(usual, quick)
        for usual, quick in (((100_000,), 300), ((4096,), 40), ((1000,), 30))
    )
    columns = 24 if settings.quick else 768
    few = max(rows // 100, 2)
    view = f"{VIEW[0]}×{VIEW[1]} pixels"
    big = f"{rows:,}×{columns}"
    return [
        Comparison(f"opening {big}", partial(opening, rows, few, columns)),
        Comparison(
            f"scrolling {big} by a page, {view}",
            partial(scrolling, rows, few, columns, _by_a_page),
        ),
        Comparison(
            f"scrolling {big} by the wheel, {view}",
            partial(scrolling, rows, few, columns, _by_the_wheel),
        ),
        Comparison(f"copying {side:,}×{side:,}", partial(copying, side)),
        Comparison(
            f"inputs panel with X of {tokens:,}×{columns}",
            partial(panels, tokens, columns),
        ),
    ]


def opening(rows: int, few: int, columns: int, settings: Settings) -> Result:
    """Measure from a matrix to a painted table."""
    sheet = _style_sheet()
    document = _positions(rows, columns)
    values = document.matrix("P")
    # Once through, before anything is timed: fonts and styles are loaded.
    _widget(values[:2])
    smaller, small = f"QTableWidget, {few // 2:,} rows", f"QTableWidget, {few:,} rows"
    ours = f"{OURS}, {rows:,} rows"
    lines = timed(
        [
            Variant(name=smaller, call=lambda: _widget(values[: few // 2])),
            Variant(name=small, call=lambda: _widget(values[:few])),
            Variant(
                name=ours,
                call=lambda: _table(document, sheet),
                goal=_unless_quick(OPENED, settings),
            ),
        ],
        settings,
        beside=small,
        faster=True,
    )
    grown = (lines[1].min_ms or 0) / (lines[0].min_ms or 1)
    return Result(
        lines,
        [
            f"Ratios are how many times faster than {few:,} rows of a QTableWidget.",
            f"It took {grown:.2f} times as long for twice the rows, so {rows // 10:,} "
            f"rows are about {rows // 10 / few:.0f} times {few:,}.",
            "The document is there already: taking a matrix over copies and checks it.",
        ],
    )


def scrolling(
    rows: int,
    few: int,
    columns: int,
    step: "Callable[[QTableView], None]",
    settings: Settings,
) -> Result:
    """Measure from a step of the scroll bar to the painted frame."""
    document = _positions(rows, columns)
    theirs = _widget(document.matrix("P")[:few])
    ours = _table(document, _style_sheet())
    hot = _table(document, _style_sheet())
    hot.painter.heat = True
    name = f"QTableWidget, {few:,} rows"
    lines = timed(
        [
            Variant(name=name, call=partial(step, theirs)),
            Variant(
                name=f"{OURS}, {rows:,} rows",
                call=partial(step, ours),
                goal=_unless_quick(SCROLLED, settings),
            ),
            Variant(
                name="the same with heat colours",
                call=partial(step, hot),
                goal=_unless_quick(SCROLLED, settings),
            ),
        ],
        settings,
        beside=name,
    )
    return Result(lines, ["Ratios are shares of a QTableWidget's frame."])


def copying(side: int, settings: Settings) -> Result:
    """Measure from Ctrl+C to the clipboard, for a whole matrix of random numbers."""
    panel = _Panel(_embeddings(side, side))
    table = panel.table("X")
    table.selectAll()
    values = table.matrix.values(_whole(table))

    def join() -> str:
        return "\n".join("\t".join(map(repr, row)) for row in values.tolist())

    def copy() -> None:
        QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    ours = Variant(name=f"{OURS}, Ctrl+C", call=copy)
    lines = timed(
        [Variant(name="repr of each", call=join), ours], settings, beside="repr of each"
    )
    copied = QGuiApplication.clipboard().text()
    if not np.array_equal(np.loadtxt(copied.splitlines(), ndmin=2), values):
        raise ValueError("The copy is not the matrix.")
    if not settings.quick:
        lines[1].goal = f"{COPIED_MS} ms"
        lines[1].verdict = COPIED_MS.verdict(lines[1].median_ms or 0)
    return Result(lines, ["Ratios are shares of the time."])


def panels(tokens: int, columns: int, settings: Settings) -> Result:
    """Measure the inputs panel of a large document beside that of a small one."""
    small, large = _embeddings(4, 3), _embeddings(tokens, columns)
    few, many = "4×3", f"{tokens:,}×{columns}"
    opened = timed(
        [
            Variant(name=f"opening {few}", call=lambda: _Panel(small)),
            Variant(name=f"opening {many}", call=lambda: _Panel(large)),
        ],
        settings,
        beside=f"opening {few}",
    )
    one, other = _Panel(small), _Panel(large)
    edited = timed(
        [
            Variant(name=f"an edited cell of {few}", call=one.edit),
            Variant(name=f"an edited cell of {many}", call=other.edit),
        ],
        settings,
        beside=f"an edited cell of {few}",
    )
    notes = ["Nothing is computed from the inputs here.", "Ratios are shares."]
    return Result(opened + edited, notes)


class _Panel:
    """An inputs panel in a window of its own."""

    def __init__(self, document: Document) -> None:
        _application()
        self._window = QWidget()
        self._window.setStyleSheet(_style_sheet())
        self._edits = EditStack(document, self._window)
        panel = InputsPanel(self._edits, ReasonBubble(self._window), self._window)
        QVBoxLayout(self._window).addWidget(panel)
        self._rng = np.random.default_rng(0)
        self._panel = panel
        self._window.resize(400, 900)
        self._window.show()
        _paint()

    def table(self, name: str) -> MatrixTable:
        """Return a table that has the keys."""
        table = self._panel.table(name)
        assert isinstance(table, MatrixTable)
        self._window.activateWindow()
        table.setFocus()
        _paint()
        return table

    def edit(self) -> None:
        """Write a number as if it had been typed, and wait for its picture."""
        self._edits.submit(SetCells("Set", "X", 0, 0, self._rng.normal(size=(1, 1))))
        _paint()


def _embeddings(tokens: int, columns: int) -> Document:
    x = np.random.default_rng(0).normal(size=(tokens, columns))
    return Document("Long", map(str, range(tokens)), {"X": x}, Spec(projected=False))


def _positions(rows: int, columns: int) -> Document:
    """Return a document with one token, and a position table of many rows."""
    table = np.random.default_rng(0).normal(size=(rows, columns))
    matrices = {"X": table[:1], "P": table}
    return Document("Positions", ["one"], matrices, Spec(projected=False))


@cache
def _application() -> QApplication:
    application = create_application()
    application.setStyle("Fusion")
    return application


@cache
def _style_sheet() -> str:
    """Return the window's style sheet, to be put on our widgets alone."""
    application = _application()
    Appearance(application).choose("light")
    sheet = application.styleSheet()
    application.setStyleSheet("")
    return sheet


def _table(document: Document, sheet: str) -> MatrixTable:
    _application()
    edits = EditStack(document)
    model = MatrixModel(document, edits, "P")
    table = MatrixTable(model, ReasonBubble(QWidget()))
    # Owned, so that all goes together.
    edits.setParent(table)
    model.setParent(table)
    table.setStyleSheet(sheet)
    _show(table)
    return table


def _widget(values: Array) -> QTableWidget:
    _application()
    rows, columns = values.shape
    widget = QTableWidget(rows, columns)
    widget.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    for row, numbers in enumerate(values.tolist()):
        for column, number in enumerate(numbers):
            widget.setItem(row, column, QTableWidgetItem(f"{number:.4f}"))
    widget.horizontalHeader().setDefaultSectionSize(62)
    widget.verticalHeader().setDefaultSectionSize(23)
    _show(widget)
    return widget


def _show(table: QTableView) -> None:
    table.resize(*VIEW)
    table.show()
    _paint()


def _paint() -> None:
    for _ in range(2):  # layouts settle in posted events
        QApplication.processEvents()


def _by_a_page(table: QTableView) -> None:
    bar = table.verticalScrollBar()
    end = bar.value() == bar.maximum()
    bar.setValue(0 if end else bar.value() + bar.pageStep())
    QApplication.processEvents()


def _by_the_wheel(table: QTableView) -> None:
    bar = table.verticalScrollBar()
    if bar.value() == bar.maximum():
        bar.setValue(0)
    middle = QPointF(table.viewport().rect().center())
    turn = QWheelEvent(
        middle,
        table.viewport().mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(table.viewport(), turn)
    QApplication.processEvents()


def _whole(table: MatrixTable) -> Region:
    return Region(0, 0, table.matrix.rowCount(), table.matrix.columnCount())


def _unless_quick(goal: Goal, settings: Settings) -> Goal | None:
    return None if settings.quick else goal
