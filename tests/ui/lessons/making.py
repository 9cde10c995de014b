"""How the tasks of bundled lessons to change a document are done in the window.

With the keys and the mouse, as `tests.teaching.ways_to_make` does them by edits.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QScrollArea,
    QSpinBox,
    QTabBar,
    QToolButton,
)

from attnviewer.ui.views.inputs.cells.table import CellTable
from tests.ui.goal_seek import asking
from tests.ui.lessons.conftest import Learning

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
Way = Callable[[Learning], None]


def press(text: str) -> None:
    """Type a text wherever the keys go, letter by letter."""
    for letter in text:
        QTest.keyClicks(QApplication.focusWidget(), letter)


def key(key: Key, times: int = 1) -> None:
    """Press a key wherever the keys go."""
    for _ in range(times):
        QTest.keyClick(QApplication.focusWidget(), key)


def table(window, name: str, tab: str = "") -> CellTable:
    """Return a table of the inputs, once its tab was clicked and it was scrolled to."""
    if tab:
        tabs = window.findChild(QTabBar, "inputs.tabs")
        titles = [tabs.tabText(n) for n in range(tabs.count())]
        place = tabs.tabRect(titles.index(tab)).center()
        QTest.mouseClick(tabs, LEFT, pos=place)
        QApplication.processEvents()
    found = window.findChildren(CellTable, f"table.{name}")
    (shown,) = (table for table in found if table.isVisible())
    return shown


def click_cell(shown: CellTable, row: int, column: int) -> None:
    """Click a cell that is in sight."""
    index = shown.model().index(row, column)
    around = shown.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    if around is not None:
        around.ensureWidgetVisible(shown)
        QApplication.processEvents()
    place = shown.visualRect(index).center()
    assert shown.viewport().visibleRegion().contains(place), (row, column)
    QTest.mouseClick(shown.viewport(), LEFT, pos=place)


def typed(name: str, row: int, column: int, *texts: str, tab: str = "") -> Way:
    """Return the typing of numbers along a row, from a cell that is clicked."""

    def type_them(learning: Learning) -> None:
        click_cell(table(learning.window, name, tab), row, column)
        for text in texts:
            press(text)
            key(Key.Key_Tab)

    return type_them


def several(*ways: Way) -> Way:
    """Return one way after the other."""

    def done(learning: Learning) -> None:
        for way in ways:
            way(learning)

    return done


def chosen(name: str, *keys: Key | str) -> Way:
    """Return the choice in a box of the bar, with the keys."""

    def choose(learning: Learning) -> None:
        learning.window.findChild(QComboBox, f"spec.{name}").setFocus()
        for one in keys:
            press(one) if isinstance(one, str) else key(one)
        QApplication.processEvents()

    return choose


def padded(learning: Learning) -> None:
    """Choose padding in the bar, then type how many keys are real."""
    chosen("mask", "pad")(learning)
    table(learning.window, "mask", "Mask")
    boxes = learning.window.findChildren(QSpinBox, "mask.real")
    (box,) = (box for box in boxes if box.isVisible())
    box.setFocus()
    box.selectAll()
    press("2")
    key(Key.Key_Return)


def painted(*cells: tuple[int, int]) -> Way:
    """Return the hiding of cells of the mask: arrows lead there, Space hides."""

    def paint(learning: Learning) -> None:
        shown = table(learning.window, "mask", "Mask")
        shown.setFocus()
        for row, column in cells:
            QTest.keyClick(shown, Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
            key(Key.Key_Down, row)
            key(Key.Key_Right, column)
            key(Key.Key_Space)

    return paint


def trained(learning: Learning) -> None:
    """Open Training beside the lesson and play, until all is ticked; come back."""
    window = learning.window
    QTest.keyClick(window, Key.Key_T, CONTROL_SHIFT)
    QApplication.processEvents()
    play = window.findChild(QToolButton, "training.play")
    QTest.mouseClick(play, LEFT)
    learning.qtbot.waitUntil(
        lambda: learning.standing("train").outcome == "right", timeout=20_000
    )
    QTest.mouseClick(play, LEFT)
    (tabs,) = (
        bar
        for bar in window.findChildren(QTabBar)
        if bar.isVisible() and "Lesson" in map(bar.tabText, range(bar.count()))
    )
    (place,) = (k for k in range(tabs.count()) if tabs.tabText(k) == "Lesson")
    QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(place).center())
    QApplication.processEvents()


def along_the_query(learning: Learning) -> None:
    """Type a multiple of the second query into the first row of the keys."""
    query = 20 * learning.window.document.matrix("Q")[1]
    typed("K", 0, 0, *(f"{number:g}" for number in query))(learning)


def sought(learning: Learning) -> None:
    """Ask Goal Seek for half of the weight, by W_Q alone, and apply what it finds."""
    dialog = asking.ask(learning.window)
    asking.choose(dialog, "relation", 2)
    asking.want(dialog, "0.5")
    asking.tick_only(dialog, "W_Q")
    asking.seek(dialog, learning.qtbot)
    asking.click(dialog, "seek.apply")
    with learning.qtbot.waitActive(learning.window):
        learning.window.activateWindow()  # without a window manager


IN_THE_WINDOW: dict[str, Way] = {
    "four-words/turn": typed("W_Q", 1, 0, "-2", "-4"),
    "one-query/look": several(typed("W_K", 0, 1, "-2"), typed("W_Q", 0, 1, "3")),
    "simplified/choose-softmax": chosen("normalizer", Key.Key_Home),
    "simplified/train": typed("W_Q", 0, 0, "3"),
    "fixed-query/longer": typed("X", 1, 1, "1", "1", "1"),
    # By an arrow: letters would be the first of those typed at once for padding.
    "masks/causal": chosen("mask", Key.Key_Down),
    "masks/padding": padded,
    "masks/paint": painted((3, 0), (3, 2)),
    "masks/e2-make": painted((1, 0)),
    "heads/wake": typed("W_Q", 3, 4, "3"),
    "positions/look-back": typed("W_Q", 0, 0, "0", "-4"),
    "normalizers/choose": chosen("normalizer", "spar"),
    "numerics/mend": typed("bias", 0, 1, "-inf", tab="Score bias"),
    "real-head/hide": several(chosen("mask", Key.Key_End), painted((10, 2))),
    "real-head/seek": sought,
    "gradients/train": trained,
    "gradients/by-hand": several(
        typed("W_Q", 1, 0, "8"), typed("W_Q", 2, 1, "8"), typed("W_Q", 3, 2, "8")
    ),
    "gradients/e2-key": along_the_query,
    "gradients/e3-back": several(
        typed("W_K", 0, 0, "10", "0", "0"),
        typed("W_K", 1, 0, "0", "10", "0"),
        typed("W_K", 2, 0, "0", "0", "10"),
        typed("W_Q", 1, 0, "10", "0", "0"),
        typed("W_Q", 2, 0, "0", "10", "0"),
    ),
}
"""By lesson and task; what the last hint of the task says, where it says numbers."""
