import dataclasses
import math
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
)

from attnviewer.paths import resource
from attnviewer.ui.features.settings import SettingsFeature
from attnviewer.ui.frame.text_size_menu import TextSizeMenu
from attnviewer.ui.paint.appearance import (
    Appearance,
    known_choice,
    known_text_size,
    theme_of_system,
)
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.style_sheet import style_sheet
from attnviewer.ui.paint.theme import (
    CONTRAST,
    DARK,
    LIGHT,
    THEMES,
    part_of,
)
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.inputs.cells.flash import STRENGTH
from attnviewer.ui.widgets.labels import plain_box
from attnviewer.ui.widgets.link_box import link_box
from tests.ui.paint.contrast import contrast

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize(
    "ink", ["text", "muted", "accent", "query", "key", "value", "error"]
)
@pytest.mark.parametrize(
    "ground", ["surface", "sunken", "window", "stage", "editable", "selected"]
)
def test_texts_are_readable_on_their_ground(theme, ink, ground):
    """WCAG 2.1 asks for a contrast of 4.5 to 1 (success criterion 1.4.3)."""
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("mark", ["bar", "control", "positive", "negative", "accent"])
@pytest.mark.parametrize("ground", ["surface", "sunken", "window", "stage"])
def test_marks_can_be_seen_on_their_ground(theme, mark, ground):
    """WCAG 2.1 asks for a contrast of 3 to 1 (success criterion 1.4.11)."""
    assert contrast(getattr(theme, mark), getattr(theme, ground)) >= 3


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_frame_can_be_seen_on_its_halo(theme):
    assert contrast(theme.frame, theme.halo) >= 15


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_cells_to_come_differ_from_those_that_are_there(theme):
    assert contrast(theme.accent, theme.empty) >= 3
    assert contrast(theme.text, theme.empty) >= 4.5


def test_high_contrast_has_no_text_below_seven_to_one():
    """WCAG 2.1, success criterion 1.4.6."""
    for ink in ("text", "muted", "accent", "query", "key", "value", "error"):
        for ground in ("surface", "sunken", "window", "selected"):
            assert contrast(getattr(CONTRAST, ink), getattr(CONTRAST, ground)) >= 7
    assert CONTRAST.line == 2


def test_every_theme_has_the_icons_that_the_style_sheets_name(qapp):
    for theme in THEMES.values():
        paths = re.findall(r'url\("([^"]+)"\)', style_sheet(theme, 12))
        assert paths
        assert [path for path in paths if not Path(path).is_file()] == []


def test_formulas_have_the_font_of_texts_and_boxes_of_numbers_that_of_numbers(qapp):
    formulas, numbers = link_box("formulas"), plain_box("numbers")
    for box, font in ((formulas, QApplication.font()), (numbers, fixed_font())):
        box.setStyleSheet(style_sheet(LIGHT, 13))
        box.ensurePolished()
        assert box.font().families() == font.families()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_hints_in_empty_boxes_have_the_contrast_of_texts(qapp, theme):
    for box in QLineEdit(), QPlainTextEdit():
        box.setStyleSheet(style_sheet(theme, 13))
        box.ensurePolished()
        hint = box.palette().color(QPalette.ColorRole.PlaceholderText)
        assert hint == QColor(theme.muted)


def test_the_longest_menu_fits_a_low_screen_at_texts_of_150_percent(qtbot, qapp):
    menu, font = QMenu(), QFont(qapp.font())
    qtbot.addWidget(menu)
    font.setPixelSize(20)
    menu.setFont(font)
    menu.setStyleSheet(style_sheet(LIGHT, 20))
    for items in (7, 2, 3, 3, 4, 2, 3):  # those of View
        menu.addSeparator()
        for number in range(items):
            menu.addAction(f"Item {number}")
    assert menu.sizeHint().height() <= 768


@pytest.mark.parametrize(("theme", "em"), [(LIGHT, 26), (CONTRAST, 20)])
def test_a_radio_button_is_a_circle_that_is_as_large_with_its_dot(qapp, theme, em):
    button, option = QRadioButton(), QStyleOptionButton()
    button.setStyleSheet(style_sheet(theme, em))
    button.resize(60, 60)
    part = QStyle.SubElement.SE_RadioButtonIndicator
    places = []
    for checked in (False, True):
        button.setChecked(checked)
        button.initStyleOption(option)
        place = button.style().subElementRect(part, option, button)
        image, side = button.grab(place).toImage(), place.width()
        ground = image.pixelColor(0, 0)
        top = [image.pixelColor(x, 0) != ground for x in range(side)].count(True)
        # Of a circle, the uppermost row of pixels is a chord in a depth of 1.
        assert top <= 2 * math.sqrt(side - 1) + 3  # smoothed at its ends
        places.append(place)
    assert places[0] == places[1]


class Hints(QObject):
    """What Qt tells of a system that wants more contrast."""

    def __init__(self, scheme, contrast=None):
        super().__init__()
        self._scheme, self._contrast = scheme, contrast
        if contrast is not None:
            self.accessibility = lambda: self

    def colorScheme(self):
        return self._scheme

    def contrastPreference(self):
        return self._contrast


def test_the_system_chooses_by_its_contrast_and_then_by_its_colours():
    light, dark = Qt.ColorScheme.Light, Qt.ColorScheme.Dark
    high, usual = Qt.ContrastPreference.HighContrast, Qt.ContrastPreference.NoPreference
    for scheme, contrast_, theme in (
        (light, usual, LIGHT),
        (dark, usual, DARK),
        (light, high, CONTRAST),
        (dark, high, CONTRAST),
        (dark, None, DARK),  # before Qt 6.10
    ):
        assert theme_of_system(Hints(scheme, contrast_)) is theme


def test_a_theme_and_a_text_size_are_stored_as_soon_as_they_are_chosen(window):
    window.add(SettingsFeature)
    window.findChild(QAction, "action.theme.contrast").trigger()
    window.appearance.set_text_size(125)
    kept = own_settings()
    assert (kept.value("theme"), str(kept.value("text_size"))) == ("contrast", "125")
    assert window.appearance.theme is CONTRAST


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_what_stands_on_coloured_ground_is_readable(theme):
    assert contrast(theme.on_fill, theme.fill) >= 4.5
    assert contrast(theme.error, theme.error_surface) >= 4.5
    assert contrast(theme.text, theme.editable) >= 7
    assert contrast(theme.text, theme.selected) >= 4.5
    assert contrast(theme.text, theme.error_surface) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("ground", ["editable", "selected"])
def test_numbers_are_readable_while_they_flash(theme, ground):
    below, above = (QColor(getattr(theme, name)) for name in (ground, "changed"))
    mixed = [
        round(one * (1 - STRENGTH) + other * STRENGTH)
        for one, other in zip(below.getRgb()[:3], above.getRgb()[:3], strict=True)
    ]
    assert contrast(theme.text, QColor(*mixed)) >= 4.5


def test_style_sheets_name_only_colours_that_a_theme_has():
    known = {field.name for field in dataclasses.fields(LIGHT)}
    known |= {"icons", "mono", "menu_padding"}
    known |= {f"radio_{part}" for part in ("radius", "inside", "ring", "dot")}
    for path in resource("styles").glob("*.qss.template"):
        names = set(re.findall(r"\$\{?(\w+)", path.read_text(encoding="utf-8")))
        assert names <= known, path.name


def test_a_chosen_theme_is_in_force_at_once(qapp, appearance):
    seen = []
    appearance.changed.connect(lambda: seen.append(appearance.theme.name))
    for choice in ("dark", "light"):
        appearance.choose(choice)
    assert seen == ["dark", "light"]
    assert qapp.palette().color(QPalette.ColorRole.WindowText) == QColor(LIGHT.text)


def test_the_system_is_followed_until_the_person_chooses(qapp, theme_is_put_back):
    appearance = Appearance(qapp)
    assert appearance.choice == "system"
    system = appearance.theme
    appearance.choose("dark")
    assert appearance.theme is DARK
    appearance.choose("system")
    assert appearance.theme is system


class Restyled(QObject):
    """Counts how often a window is styled anew."""

    def __init__(self, window):
        super().__init__(window)
        self.times = 0
        window.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.times += event.type() == QEvent.Type.StyleChange
        return False


def test_a_second_window_leaves_the_style_of_the_first_one(appearance, open_window):
    restyled = Restyled(open_window("example:four-words"))
    open_window("example:four-words")
    assert restyled.times == 0
    appearance.choose("dark")
    assert restyled.times == 2  # the old style goes, and the new one comes


def test_after_another_theme_and_larger_texts_and_back_the_window_looks_as_before(
    appearance, open_window
):
    window = open_window("example:four-words", (1366, 768))

    def picture():
        QApplication.processEvents()
        window.settle()
        QApplication.processEvents()
        return window.grab().toImage()

    before = picture()
    appearance.choose("dark")
    assert picture() != before
    appearance.choose("light")
    assert picture() == before
    appearance.set_text_size(125)
    assert picture() != before
    appearance.set_text_size(100)
    assert picture() == before


@pytest.mark.parametrize("name", [None, "purple", 3, ""])
def test_an_unknown_stored_theme_means_the_systems(name):
    assert known_choice(name) == "system"


def test_a_stored_theme_comes_back(qapp):
    own_settings().setValue("theme", "dark")
    assert known_choice(own_settings().value("theme")) == "dark"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_q_k_and_v_share_their_colours_with_their_weights_and_with_nothing_else(theme):
    pairs = {"query": ("Q", "W_Q"), "key": ("K", "W_K"), "value": ("V", "W_V")}
    for part, steps in pairs.items():
        for step in steps:
            assert part_of(step) == part
            assert theme.color_of(step) == getattr(theme, part)
    for step in ("X", "W_O", "scores", "weights", "W_"):
        assert part_of(step) is theme.color_of(step) is None


def test_texts_are_as_large_as_a_person_chooses(qapp, appearance):
    """All texts: the application's font, and what style sheets measure by it."""
    system = qapp.font().pointSizeF()
    heights = []
    for percent in (80, 100, 150, 200):
        appearance.set_text_size(percent)
        assert qapp.font().pointSizeF() == pytest.approx(system * percent / 100)
        title = QLabel("weights")
        title.setObjectName("step.title")
        title.ensurePolished()
        heights.append(QFontInfo(title.font()).pixelSize())
    assert heights == sorted(set(heights))
    assert heights[-1] == pytest.approx(2 * heights[1], abs=1)


def test_a_font_of_numbers_follows_the_size_of_texts(qtbot, appearance):
    label = QLabel("0.25")
    qtbot.addWidget(label)
    label.setFont(fixed_font())
    with qtbot.waitExposed(label):
        label.show()
    normal = label.fontMetrics().height()
    appearance.set_text_size(200)
    assert label.fontMetrics().height() == pytest.approx(2 * normal, abs=1)
    metrics = label.fontMetrics()
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def test_style_sheets_measure_texts_by_the_font_and_not_in_pixels():
    for path in resource("styles").glob("*.qss.template"):
        assert "px" not in "".join(
            re.findall(r"font-size:[^;]*;", path.read_text(encoding="utf-8"))
        ), path.name


@pytest.mark.parametrize("size", [79, 201, 0, -100])
def test_a_text_size_that_nobody_can_use_is_refused(qapp, appearance, size):
    font = qapp.font()
    with pytest.raises(ValueError, match=f"80 to 200. Got {size} instead"):
        appearance.set_text_size(size)
    assert appearance.text_size == 100
    assert qapp.font() == font


@pytest.mark.parametrize("size", [None, "large", "", "79", "1e2", 12.5, b"100"])
def test_an_unknown_stored_text_size_means_the_systems(size):
    assert known_text_size(size) == 100


def test_a_stored_text_size_comes_back(qapp):
    own_settings().setValue("text_size", 125)
    assert known_text_size(own_settings().value("text_size")) == 125


def test_keys_scale_the_texts_in_steps(appearance, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.menuBar().addMenu(TextSizeMenu(appearance, window))
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    larger, minus = [Qt.Key.Key_Plus], [Qt.Key.Key_Minus]
    for start, keys, size in (
        (100, larger, 110),
        (100, [Qt.Key.Key_Equal] * 2, 125),
        (100, minus, 90),
        (120, larger, 125),
        (120, minus, 110),
        (200, larger, 200),
        (80, minus, 80),
        (175, [Qt.Key.Key_0], 100),
    ):
        appearance.set_text_size(start)
        for key in keys:
            qtbot.keyClick(window, key, CONTROL)
        assert appearance.text_size == size, (start, keys)


def test_keys_and_menu_scale_the_texts_wherever_the_keys_are(window, qtbot):
    before = window.document.tokens
    for where, key, size in (
        (window.inputs.table("X"), Qt.Key.Key_Plus, 110),
        (window.step_view, Qt.Key.Key_Minus, 100),
        (window.inputs.table("X"), Qt.Key.Key_Minus, 90),
    ):
        where.setFocus()
        qtbot.keyClick(QApplication.focusWidget(), key, CONTROL)
        assert window.appearance.text_size == size
    assert window.document.tokens == before
    menu = window.findChild(TextSizeMenu)
    window.findChild(QAction, "action.text_size.150").trigger()
    assert window.appearance.text_size == 150
    menu.aboutToShow.emit()
    checked = [action.text() for action in menu.actions() if action.isChecked()]
    assert checked == ["150 %"]


def test_what_is_in_force_is_not_put_in_force_again(qtbot, appearance):
    with qtbot.assertNotEmitted(appearance.changed):
        appearance.choose("light")
        appearance.set_text_size(100)
    with qtbot.waitSignal(appearance.changed, timeout=0):
        appearance.choose("dark")


@pytest.mark.parametrize("theme", THEMES)
def test_arrows_of_submenus_are_seen_and_grow_with_the_texts(qtbot, appearance, theme):
    appearance.choose(theme)
    appearance.set_text_size(200)
    menu = QMenu()
    qtbot.addWidget(menu)
    action = menu.addMenu("Panels").menuAction()
    menu.ensurePolished()
    menu.resize(menu.sizeHint())
    for chosen in (None, action):
        menu.setActiveAction(chosen)
        image, row = menu.grab().toImage(), menu.actionGeometry(action)
        right = row.right()
        ground = image.pixelColor(20, row.center().y())
        seen = [
            y
            for y in range(row.top() + 4, row.bottom() - 3)
            for x in range(right - menu.fontInfo().pixelSize(), right - 3)
            if contrast(image.pixelColor(x, y), ground) >= 3
        ]
        assert max(seen) - min(seen) > 0.4 * menu.fontMetrics().ascent(), chosen
