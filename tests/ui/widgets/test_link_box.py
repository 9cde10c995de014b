"""Boxes of formulas: selecting with the mouse, and what a screen reader finds."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Cell
from attnviewer.ui.paint.math import (
    Atom,
    Fraction,
    Root,
    Row,
    Script,
    lay_out_line,
)
from attnviewer.ui.widgets import link_box as module
from attnviewer.ui.widgets.accessible import install_descriptions
from attnviewer.ui.widgets.link_box import link_box

LEFT = Qt.MouseButton.LeftButton
X, Y = Cell("X", (0, 0)), Cell("X", (0, 1))
QUOTIENT = Fraction(
    Row((Atom("12.5", cell=X), Atom("+", role="binary"), Atom("7", cell=Y))),
    Root(Atom("3")),
)
POWER = Script(Atom("e"), None, Atom("42"))
LINES = (
    Row((Atom("y"), Atom("=", role="relation"), QUOTIENT)),
    Row((Atom("m"), Atom("=", role="relation"), POWER)),
)
WHOLE = "y = (12.5 + 7) / √3\nm = e^42"


@pytest.fixture
def box(qtbot, appearance):
    window = QWidget()
    qtbot.addWidget(window)
    box = link_box("formula")
    box.setParent(window)
    box.show_lines(LINES)
    box.setGeometry(0, 0, 300, 200)
    window.resize(300, 200)
    with qtbot.waitExposed(window):
        window.show()
    box.setFocus()
    assert box.text() == WHOLE
    yield box
    window.close()


def at(box, text: str) -> QPoint:
    """Return the middle of the only atom with a text, as it is painted."""
    left, bases = box._places()
    for part, base in zip(box._here(), bases, strict=True):
        for x, y, width, face, atom in part.marks:
            if atom.text == text:
                _, ascent, _ = face.extent(text)
                point = QPointF(left + x + width / 2, base + y - ascent / 2)
                return point.toPoint()
    raise AssertionError(text)


def drag(box, first: str, last: str) -> None:
    QTest.mousePress(box, LEFT, pos=at(box, first))
    QTest.mouseMove(box, (at(box, first) + at(box, last)) / 2)
    QTest.mouseMove(box, at(box, last))
    QTest.mouseRelease(box, LEFT, pos=at(box, last))


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("12.5", "7", "12.5 + 7"),
        ("7", "12.5", "12.5 + 7"),
        ("y", "3", "y = (12.5 + 7) / √3"),
        ("12.5", "3", "(12.5 + 7) / √3"),
        ("e", "42", "e^42"),
        ("y", "42", WHOLE),
    ],
)
def test_what_a_drag_selects_is_copied(box, first, last, text):
    followed = []
    box.followed.connect(followed.append)
    drag(box, first, last)
    QTest.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == text
    assert followed == []


def test_a_double_click_selects_a_number(box):
    QTest.mouseDClick(box, LEFT, pos=at(box, "42"))
    assert box.selected_text == "42"


def test_a_click_selects_nothing_and_all_is_copied(box):
    drag(box, "12.5", "7")
    QTest.mouseClick(box, LEFT, pos=at(box, "m"))
    assert box.selected_text == ""
    QTest.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == WHOLE


def test_a_click_still_follows_a_link(box):
    followed = []
    box.followed.connect(followed.append)
    QTest.mouseClick(box, LEFT, pos=at(box, "7"))
    assert followed == [Y]


def test_the_same_link_in_two_lines_has_a_place_in_each(box):
    box.show_lines([LINES[0], LINES[0]])
    above, _, below, _ = map(box.link_rect, range(4))
    assert below.left() == above.left()
    assert below.top() > above.bottom()


def test_other_formulas_are_not_selected(box):
    drag(box, "12.5", "7")
    box.show_lines(LINES[:1])
    assert box.selected_text == ""


def test_lines_of_another_height_are_laid_out_once(box, qapp, monkeypatch):
    laid_out = []

    def counting(line, *rest):
        laid_out.append(line)
        return lay_out_line(line, *rest)

    monkeypatch.setattr(module, "lay_out_line", counting)
    box.show_lines(LINES[:1])
    assert box.heightForWidth(box.width()) < box.height()
    box.repaint()
    assert laid_out == [LINES[0]]


def test_the_selection_is_painted_and_taken_away(box, appearance):
    def grounds() -> set[str]:
        point, image = at(box, "12.5"), box.grab().toImage()
        return {image.pixelColor(point + QPoint(dx, 0)).name() for dx in range(-9, 9)}

    selected = QColor(appearance.theme.selected).name()
    assert selected not in grounds()
    drag(box, "12.5", "3")
    assert selected in grounds()
    QTest.mouseClick(box, LEFT, pos=at(box, "m"))
    assert selected not in grounds()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_links_are_links_to_a_screen_reader(box):
    install_descriptions()
    followed = []
    box.followed.connect(followed.append)
    spoken = QAccessible.queryAccessibleInterface(box)
    links = [spoken.child(number) for number in range(spoken.childCount())]
    assert [link.role() for link in links] == [QAccessible.Role.Link] * 2
    assert [link.text(QAccessible.Text.Name) for link in links] == ["12.5", "7"]
    assert [link.parent().object() for link in links] == [box] * 2
    for link, text in zip(links, ("12.5", "7"), strict=True):
        assert link.rect().contains(box.mapToGlobal(at(box, text)))
        point = link.rect().center()
        found = spoken.childAt(point.x(), point.y())
        assert spoken.indexOfChild(found) == spoken.indexOfChild(link)
    links[1].actionInterface().doAction(links[1].actionInterface().actionNames()[0])
    assert followed == [Y]
    box.show_lines([Atom("none")])
    assert spoken.childCount() == 0
    assert not links[0].isValid()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_screen_reader_learns_which_link_has_the_focus(box):
    install_descriptions()
    spoken = QAccessible.queryAccessibleInterface(box)
    assert spoken.focusChild() is None
    QTest.keyClick(box, Qt.Key.Key_Tab)
    assert spoken.focusChild().text(QAccessible.Text.Name) == "12.5"
    focused = [spoken.child(number).state().focused for number in range(2)]
    assert focused == [True, False]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_description_is_written_when_a_screen_reader_asks_for_it(box):
    install_descriptions()
    asked = []

    def description() -> str:
        asked.append(1)
        return f"told {len(asked)} times"

    box.describe(description)
    box.show_lines(LINES[:1])
    assert not asked
    spoken = QAccessible.queryAccessibleInterface(box)
    assert spoken.text(QAccessible.Text.Description) == "told 1 times"
    assert box.accessibleDescription() == "told 2 times"
    box.setAccessibleName("Formula")
    assert spoken.text(QAccessible.Text.Name) == "Formula"


def test_descriptions_go_with_their_box(qtbot, qapp, appearance):
    install_descriptions()
    box = link_box("formula")
    box.show_lines(LINES)
    spoken = QAccessible.queryAccessibleInterface(box)
    number = QAccessible.uniqueId(spoken.child(0))
    assert QAccessible.accessibleInterface(number) is not None
    box.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert QAccessible.accessibleInterface(number) is None
