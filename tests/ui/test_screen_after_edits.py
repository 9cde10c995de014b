"""What is on the screen after edits, where only what has changed is painted."""

import numpy as np
import pytest
from PySide6.QtCore import (
    QAbstractEventDispatcher,
    QEvent,
    QEventLoop,
    QObject,
    QPoint,
    QRect,
    Qt,
)
from PySide6.QtGui import QImage, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from attnviewer.compute import Spec
from attnviewer.document import Document

WIDTH = 9
MATRICES = "X", "W_Q", "W_K", "W_V"
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
AFTER_A_NUMBER = (Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Up)
TO_SELECT = (
    (Qt.Key.Key_Down, SHIFT),
    (Qt.Key.Key_Right, SHIFT),
    (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_A, CONTROL),
    (Qt.Key.Key_Z, CONTROL),
    (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
    (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
)


def document(n: int) -> Document:
    rng = np.random.default_rng(n)
    matrices = {"X": rng.normal(size=(n, WIDTH)).round(2)}
    matrices |= {m: rng.normal(size=(WIDTH, WIDTH)).round(2) for m in MATRICES[1:]}
    return Document("Some", [f"t{i}" for i in range(n)], matrices, Spec())


@pytest.fixture
def show(appearance, open_window):
    def show(some: Document, window=None):
        window = window or open_window("example:four-words", (2200, 1200))
        window.workbench.open(some)
        window.inputs.look.set_flashing(False)
        return window

    return show


@pytest.fixture
def late_note(monkeypatch):
    """Keep the note about the last edit from coming while an edit is watched."""
    note = "attnviewer.ui.views.step.difference.last_edit_note"
    monkeypatch.setattr(f"{note}.CALM", 600_000)


def with_keys() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def settle(qtbot, window) -> None:
    """Wait until the strip has been painted, which follows last, and all is quiet.

    A timer of 0 ms, as that of the time in the status bar, comes only after all that
    is due: on a slow machine after some turns of the event loop.
    """
    engine, flow = window.workbench.engine, window.flow
    qtbot.waitUntil(lambda: engine.current.revision == window.document.revision)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not flow._debounce._timer.isActive())
    events = QAbstractEventDispatcher.instance()
    while events.processEvents(QEventLoop.ProcessEventsFlag.AllEvents):
        pass


def on_screen(widget: QWidget) -> QImage:
    """Return what was painted of a widget, and painted no more since."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint()), widget.size())
    shot = window.screen().grabWindow(window.winId(), *place.getRect())
    return shot.toImage().convertToFormat(QImage.Format.Format_RGB32)


def painted_anew(widget: QWidget) -> QImage:
    """Return what all of a window looks like when it is painted, cut to a widget."""
    window = widget.window()
    place = QRect(widget.mapTo(window, QPoint()), widget.size())
    return window.grab(place).toImage().convertToFormat(QImage.Format.Format_RGB32)


def edit_at_random(table, rng) -> None:
    rows, columns = table.model().rowCount(), table.model().columnCount()
    table.setFocus()
    index = table.model().index(int(rng.integers(rows)), int(rng.integers(columns)))
    table.setCurrentIndex(index)
    QTest.keyClicks(table, f"{rng.normal():.2f}"[:1])
    QTest.keyClicks(with_keys(), f"{abs(rng.normal()):.2f}")
    key = AFTER_A_NUMBER[int(rng.integers(len(AFTER_A_NUMBER)))]
    QTest.keyClick(with_keys(), key)


@pytest.mark.parametrize(("n", "theme"), [(4, "dark"), (16, "light")])
def test_after_edits_strip_tables_and_status_are_as_painted_anew(
    qtbot, appearance, show, n, theme
):
    appearance.choose(theme)
    window = show(document(n))
    rng = np.random.default_rng(1)
    for round_ in range(4):
        name = MATRICES[int(rng.integers(len(MATRICES)))]
        table = window.inputs.table(name)
        edit_at_random(table, rng)
        settle(qtbot, window)
        for view in (window.flow, window.inputs, window.status):
            assert on_screen(view) == painted_anew(view), (round_, name, view)
        for key, modifiers in rng.permutation(np.array(TO_SELECT, dtype=object))[:3]:
            QTest.keyClick(with_keys(), key, modifiers)
            settle(qtbot, window)
            for view in (window.flow, window.inputs):
                assert on_screen(view) == painted_anew(view), (round_, key, view)
        QTest.keyClick(with_keys(), Qt.Key.Key_Escape)


@pytest.mark.parametrize(("n", "theme"), [(4, "dark"), (16, "light")])
def test_after_edits_strip_and_tables_are_those_of_a_fresh_window(
    qtbot, appearance, show, n, theme
):
    appearance.choose(theme)
    window = show(document(n))
    rng = np.random.default_rng(2)
    for _ in range(5):
        name = MATRICES[int(rng.integers(len(MATRICES)))]
        edit_at_random(window.inputs.table(name), rng)
        settle(qtbot, window)
    edited = views_of_the_first_cell(qtbot, window)
    matrices = {name: window.document.matrix(name) for name in MATRICES}
    same = Document("Some", list(window.document.tokens), matrices, Spec())
    assert edited == views_of_the_first_cell(qtbot, show(same))


def views_of_the_first_cell(qtbot, window) -> list[QImage]:
    """Return what strip and tables look like with the same cells selected."""
    window.workbench.selection.choose_cell("weights", (1, 2))
    tables = [window.inputs.table(name) for name in MATRICES]
    for table in tables:
        table.selectionModel().clear()
    tables[0].setFocus()
    tables[0].setCurrentIndex(tables[0].model().index(0, 0))
    views = [window.flow, *tables]
    for view in tables:
        view.horizontalScrollBar().setValue(0)
        view.verticalScrollBar().setValue(0)
    settle(qtbot, window)
    return [view.grab().toImage() for view in views]


class Noted(QObject):
    """Notes where widgets are painted, and which are asked to lay themselves out."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: dict[QObject, QRect] = {}
        self.laid_out: list[QObject] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            before = self.painted.get(watched, QRect())
            self.painted[watched] = before | event.region().boundingRect()
        elif event.type() == QEvent.Type.LayoutRequest:
            self.laid_out.append(watched)
        return False


def test_an_edit_paints_what_it_changed_alone_and_lays_no_window_out(
    qapp, qtbot, appearance, late_note, show
):
    window = show(document(4))
    table, flow = window.inputs.table("W_V"), window.flow
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 1))
    for round_ in range(2):  # what comes first takes its room
        QTest.keyClick(table, Qt.Key.Key_1)
        QTest.keyClicks(with_keys(), f".{round_ + 1}")
        settle(qtbot, window)
        noted = Noted()
        qapp.installEventFilter(noted)
        QTest.keyClick(with_keys(), Qt.Key.Key_Return)
        settle(qtbot, window)
        qapp.removeEventFilter(noted)
    cells = table.visualRect(table.model().index(1, 1))
    cells |= table.visualRect(table.model().index(2, 1))
    beside = cells.adjusted(-1, 0, 1, 1)  # a frame on a neighbour, and lines
    assert beside.contains(noted.painted[table.viewport()])
    assert not {*scroll_bars(table), *scroll_bars(window.inputs._scroll)} & (
        noted.painted.keys()
    )
    assert window not in noted.laid_out
    cards = {step: noted.painted.get(card) for step, card in flow._cards.items()}
    painted = {step: place for step, place in cards.items() if place is not None}
    assert painted.keys() == {"V", "output"}
    for step, place in painted.items():
        card = flow._cards[step]
        assert place == QRect(card.corner, card.grid.size)


def scroll_bars(view) -> set[QWidget]:
    return {view.horizontalScrollBar(), view.verticalScrollBar()}


class Twice(QObject):
    """Notes which parts of a widget are painted more than once."""

    def __init__(self) -> None:
        super().__init__()
        self._painted: dict[QObject, QRegion] = {}
        self.again: list[tuple[str, QRect]] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            before, now = self._painted.get(watched, QRegion()), event.region()
            if before.intersects(now):
                rect = before.intersected(now).boundingRect()
                self.again.append((watched.objectName(), rect))
            self._painted[watched] = before | now
        return False

    def count(self, widget: QWidget) -> int:
        return self._painted.get(widget, QRegion()).rectCount()


def test_an_edit_paints_no_part_of_the_window_twice(
    qapp, qtbot, appearance, late_note, show
):
    window = None
    for n, name in ((4, "X"), (4, "W_K"), (16, "X"), (16, "W_Q"), (16, "W_V")):
        if window is None or len(window.document.tokens) != n:
            window = show(document(n), window)
        table = window.inputs.table(name)
        table.setFocus()
        table.setCurrentIndex(table.model().index(0, 1))
        for round_ in range(2):  # what comes first takes its room
            QTest.keyClick(table, Qt.Key.Key_1)
            QTest.keyClicks(with_keys(), f".{round_ + 1}")
            settle(qtbot, window)
            twice = Twice()
            qapp.installEventFilter(twice)
            QTest.keyClick(with_keys(), Qt.Key.Key_Return)
            settle(qtbot, window)
            qapp.removeEventFilter(twice)
        assert twice.count(window.flow), (n, name)
        assert twice.count(table.viewport()), (n, name)
        assert not twice.again, (n, name)
