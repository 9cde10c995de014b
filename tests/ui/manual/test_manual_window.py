"""The manual in its window, read and searched as a user would."""

import re
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from attnviewer.paths import resource
from attnviewer.ui.frame.keys import keys_tables
from attnviewer.ui.manual import ManualWindow, pages
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def manual(qtbot, appearance):
    """The manual in front, without the window that it belongs to."""
    parent = QWidget()
    qtbot.addWidget(parent)
    manual = ManualWindow(appearance, parent)
    manual.resize(1000, 700)
    with qtbot.waitActive(manual):
        manual.show()
        manual.activateWindow()
    QApplication.processEvents()
    yield manual
    parent.close()


def page(manual):
    return Path(manual.text.source().toLocalFile()).stem


def heading_in_sight(manual):
    """Return the heading at the top of the viewport."""
    return manual.text.cursorForPosition(QPoint(30, 20)).block().text()


def item(manual, *titles):
    tree = manual.contents
    found = tree.findItems(titles[0], Qt.MatchFlag.MatchExactly)[0]
    for title in titles[1:]:
        children = [found.child(row) for row in range(found.childCount())]
        (found,) = (child for child in children if child.text(0) == title)
    return found


def click_item(manual, *titles):
    place = manual.contents.visualItemRect(item(manual, *titles)).center()
    QTest.mouseClick(manual.contents.viewport(), LEFT, pos=place)


def click_link(manual, text):
    """Scroll to a link and click it."""
    cursor = manual.text.document().find(text)
    assert not cursor.isNull()
    cursor.setPosition(cursor.selectionStart() + 1)
    manual.text.setTextCursor(cursor)
    manual.text.ensureCursorVisible()
    place = manual.text.cursorRect(cursor).center()
    QTest.mouseMove(manual.text.viewport(), place)
    QTest.mouseClick(manual.text.viewport(), LEFT, pos=place)


def search(manual, text):
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F, CTRL)
    field = QApplication.focusWidget()
    assert field.objectName() == "manual.search"
    QTest.keyClicks(field, text)


def count(manual):
    return manual.findChild(QLabel, "manual.count").text()


def marked(manual):
    return [mark.cursor.selectedText() for mark in manual.text.extraSelections()]


def check_the_contents_lead_to_every_page_of_the_folder_and_its_headings(manual):
    tree = manual.contents
    tops = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    files = {path.name for path in resource("manual").glob("*.md")} - {"index.md"}
    assert {pages.manual_pages()[row].path.name for row in range(len(tops))} == files
    assert [top.text(0) for top in tops][:2] == ["Guide", "Real models"]
    assert item(manual, "Architecture", "A stage").text(0) == "A stage"
    assert page(manual) == "guide"
    assert tree.currentItem() is tops[0]
    # By the keyboard alone.
    manual.contents.setFocus()
    QTest.keyClick(manual.contents, Qt.Key.Key_Down)
    assert heading_in_sight(manual) == "A two-minute walk"
    for _ in range(tops[0].childCount()):
        QTest.keyClick(manual.contents, Qt.Key.Key_Down)
    assert page(manual) == "models"
    # By clicks.
    click_item(manual, "Files")
    assert page(manual) == "files"
    click_item(manual, "Files", "The session file")
    assert heading_in_sight(manual) == "The session file"
    manual.text.verticalScrollBar().setValue(0)
    click_item(manual, "Files", "The session file")
    assert heading_in_sight(manual) == "The session file"


def check_a_page_stands_once_as_it_is_written_and_everything_has_a_name(manual):
    everything_has_a_name(manual)
    for listed in pages.manual_pages():
        manual.contents.setCurrentItem(item(manual, listed.title))
        QApplication.processEvents()
        plain = QTextDocument()
        plain.setMarkdown(listed.path.read_text("utf-8"))
        assert manual.text.toPlainText() == plain.toPlainText()


def test_contents_lead_to_all_pages_as_they_are_written(manual):
    check_the_contents_lead_to_every_page_of_the_folder_and_its_headings(manual)
    check_a_page_stands_once_as_it_is_written_and_everything_has_a_name(manual)


def everything_has_a_name(manual):
    for child in manual.findChildren(QWidget):
        if child.focusPolicy() != Qt.FocusPolicy.NoFocus and child.isVisible():
            named = child.accessibleName() or child.parent().accessibleName()
            assert named, child
    assert manual.windowTitle() == "Manual — attnviewer"
    for name in ("back", "forward", "previous", "next"):
        assert "(" in manual.findChild(QToolButton, f"manual.{name}").toolTip()


def check_links_lead_to_another_page_and_back_or_are_opened_by_the_system(manual):
    manual.contents.setCurrentItem(item(manual, "Command line"))
    click_link(manual, "Real models")
    assert page(manual) == "models"
    heading = manual.text.document().find("On the command line")
    seen = manual.text.viewport().rect()
    assert seen.contains(manual.text.cursorRect(heading))
    assert manual.contents.currentItem().text(0) == "On the command line"
    QTest.keyClick(manual.text, Qt.Key.Key_Left, ALT)
    assert page(manual) == "command-line"
    QTest.keyClick(manual.text, Qt.Key.Key_Right, ALT)
    assert page(manual) == "models"
    back = manual.findChild(QToolButton, "manual.back")
    QTest.mouseClick(back, LEFT)
    QTest.mouseClick(back, LEFT)
    assert page(manual) == "guide"
    assert not back.isEnabled()
    a_link_out_of_the_manual_is_opened_by_the_system(manual)


class Browser(QObject):
    """Stands in for the system's browser."""

    def __init__(self):
        super().__init__()
        self.asked = []

    @Slot(QUrl)
    def open(self, url):
        self.asked.append(url.toString())


def a_link_out_of_the_manual_is_opened_by_the_system(manual):
    manual.text.setMarkdown("See [the paper](https://example.org/paper).")
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")
    try:
        click_link(manual, "the paper")
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert browser.asked == ["https://example.org/paper"]


def test_a_search_finds_all_pages_and_goes_from_hit_to_hit(manual):
    search(manual, "sEsSiOn")
    wanted = [
        listed.path.stem
        for listed in pages.manual_pages()
        for _ in re.findall("session", shown(listed).toPlainText().lower())
    ]
    total = len(wanted)
    assert len(set(wanted)) > 2
    assert count(manual) == f"1 of {total}"
    field, seen = QApplication.focusWidget(), []
    for hit in range(total):
        assert count(manual) == f"{hit + 1} of {total}"
        seen.append(page(manual))
        now = manual.text.textCursor()
        assert manual.text.viewport().rect().contains(manual.text.cursorRect(now))
        assert {text.lower() for text in marked(manual)} == {"session"}
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert count(manual) == f"1 of {total}"
    assert seen == wanted
    QTest.keyClick(field, Qt.Key.Key_Return, SHIFT)
    assert count(manual) == f"{total} of {total}"
    QTest.keyClick(field, Qt.Key.Key_F3)
    QTest.keyClick(field, Qt.Key.Key_F3)
    QTest.keyClick(field, Qt.Key.Key_F3, SHIFT)
    assert count(manual) == f"1 of {total}"
    QTest.mouseClick(manual.findChild(QToolButton, "manual.next"), LEFT)
    assert count(manual) == f"2 of {total}"


def shown(listed):
    document = QTextDocument()
    document.setMarkdown(listed.path.read_text("utf-8"))
    return document


def check_a_search_starts_at_the_page_in_sight_and_says_what_is_nowhere(manual):
    manual.contents.setCurrentItem(item(manual, "Measuring"))
    search(manual, "csv")
    assert page(manual) == "measuring"
    assert not count(manual).startswith("1 of")
    search(manual, "zebrafish")  # in place of what was sought
    assert count(manual) == "not found"
    assert marked(manual) == []
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert count(manual) == "not found"
    for _ in "zebrafish":
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backspace)
    assert count(manual) == ""


def test_links_and_searches_begin_at_the_page_in_sight(manual):
    check_links_lead_to_another_page_and_back_or_are_opened_by_the_system(manual)
    check_a_search_starts_at_the_page_in_sight_and_says_what_is_nowhere(manual)


def check_the_manual_follows_the_theme(manual, appearance):
    def colors():
        image = manual.text.viewport().grab().toImage()
        places = [(x, y) for x in range(100, 400, 7) for y in range(90, 300, 7)]
        lightness = [image.pixelColor(*place).lightness() for place in places]
        return image.pixelColor(3, 3).name(), sum(lightness) / len(places)

    light = colors()
    before = manual.text.toPlainText()
    appearance.choose("dark")
    QApplication.processEvents()
    dark = colors()
    assert light[0] == "#ffffff"
    assert dark[0] == appearance.theme.surface
    assert dark[1] < 110 < light[1]  # of the picture
    assert manual.text.toPlainText() == before


def check_larger_texts_and_a_narrow_window_keep_pictures_inside(manual, appearance):
    appearance.set_text_size(150)
    manual.resize(640, 500)
    QApplication.processEvents()
    assert manual.text.horizontalScrollBar().maximum() == 0


def check_the_manual_comes_and_goes_by_keys_beside_its_window_and_closes_with_it(
    qtbot, window
):
    QTest.keyClick(window, Qt.Key.Key_F1, CTRL)
    manual = window.findChild(ManualWindow)
    qtbot.waitUntil(manual.isActiveWindow)
    click_item(manual, "Python")
    for keys in ((Qt.Key.Key_Escape,), (Qt.Key.Key_W, CTRL)):
        QTest.keyClick(manual.text, *keys)
        assert not manual.isVisible()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key.Key_F1, CTRL)
        assert manual.isVisible()
        assert page(manual) == "python"
        qtbot.waitUntil(manual.isActiveWindow)
    assert not manual.isModal()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    action_of(window, "normalizer.1").trigger()
    assert window.document.spec.normalizer == "sum"
    assert manual.isVisible()
    window.close()
    assert not manual.isVisible()


def check_the_manual_s_size_is_remembered(appearance, manual):
    manual.resize(777, 555)
    manual.close()
    again = ManualWindow(appearance, manual.parentWidget())
    assert (again.width(), again.height()) == (777, 555)


def test_the_manual_follows_theme_and_size_of_texts_and_remembers_its_own_size(
    manual, appearance
):
    check_the_manual_follows_the_theme(manual, appearance)
    check_larger_texts_and_a_narrow_window_keep_pictures_inside(manual, appearance)
    check_the_manual_s_size_is_remembered(appearance, manual)


KEYS = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Z]\w*|\d|[.,+-])(?!\w)|\bF\d+\b")
ROWS = re.compile(r"\*([A-Z][\w ]* ▸ [^*]+)\*")
PANELS = re.compile(r"panel \*([A-Z][\w ]*)\*")
OTHERWISE = {"Ctrl+Delete": "Ctrl+Del", "Ctrl+Alt+Up": "Ctrl+Alt+↑", "Ctrl+W": "Escape"}
"""Keys that the list of shortcuts spells differently, or omits."""
OTHERWISE["Ctrl+Alt+Down"] = OTHERWISE["Ctrl+Alt+Up"]


def check_every_key_that_the_guide_names_is_in_the_list_of_keys(window):
    guide = resource("manual", "guide.md").read_text("utf-8")
    menus = [action.menu() for action in window.menuBar().actions()]
    listed = unescape(re.sub("<[^>]+>", " ", "".join(keys_tables(menus, {}))))
    named = set(KEYS.findall(guide))
    assert len(named) > 40
    assert [key for key in named if OTHERWISE.get(key, key) not in listed] == []


def rows_of(menu, *above):
    """Yield the texts on the way to each row of a menu."""
    for action in menu.actions():
        way = (*above, action.text().replace("&", "").removesuffix("…"))
        yield " ▸ ".join(way)
        if action.menu():
            yield from rows_of(action.menu(), *way)


def check_every_row_of_a_menu_that_is_named_is_there(window):
    readme = Path(__file__).parents[3] / "README.md"
    pages_ = [
        readme,
        *resource("manual").glob("*.md"),
        *resource("lessons").glob("*.md"),
    ]
    texts = [" ".join(page_.read_text("utf-8").split()) for page_ in pages_]
    named = {row.replace("…", "") for text in texts for row in ROWS.findall(text)}
    panels = {panel for text in texts for panel in PANELS.findall(text)}
    assert len(named) > 20
    assert len(panels) >= 5
    there = set(rows_of(window.menuBar()))
    assert named - there == set()
    assert {f"View ▸ Panels ▸ {panel}" for panel in panels} - there == set()


def test_keys_and_rows_of_menus_are_there_and_open_the_manual_beside_its_window(
    qtbot, window
):
    check_every_key_that_the_guide_names_is_in_the_list_of_keys(window)
    check_every_row_of_a_menu_that_is_named_is_there(window)
    check_the_manual_comes_and_goes_by_keys_beside_its_window_and_closes_with_it(
        qtbot, window
    )
