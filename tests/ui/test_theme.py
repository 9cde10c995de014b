import dataclasses
import re

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QColor, QPalette

from attnviewer.paths import resource
from attnviewer.ui.inputs.cells.flash import STRENGTH
from attnviewer.ui.theme import (
    DARK,
    LIGHT,
    THEMES,
    Appearance,
    known_choice,
    part_of,
)


def luminance(color):
    channels = [c / 255 for c in QColor(color).getRgb()[:3]]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    darker, lighter = sorted((luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize(
    "ink", ["text", "muted", "accent", "query", "key", "value", "error"]
)
@pytest.mark.parametrize("ground", ["surface", "sunken", "window"])
def test_texts_are_readable_on_their_ground(theme, ink, ground):
    """WCAG 2.1 asks for a contrast of 4.5 to 1 (success criterion 1.4.3)."""
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5


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
    known = {field.name for field in dataclasses.fields(LIGHT)} | {"icons"}
    for path in resource("styles").glob("*.qss.template"):
        names = set(re.findall(r"\$(\w+)", path.read_text(encoding="utf-8")))
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


@pytest.mark.parametrize("name", [None, "purple", 3, ""])
def test_an_unknown_stored_theme_means_the_systems(name):
    assert known_choice(name) == "system"


def test_a_stored_theme_comes_back(qapp):
    QSettings().setValue("theme", "dark")
    assert known_choice(QSettings().value("theme")) == "dark"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_q_k_and_v_share_their_colours_with_their_weights_and_with_nothing_else(theme):
    pairs = {"query": ("Q", "W_Q"), "key": ("K", "W_K"), "value": ("V", "W_V")}
    for part, steps in pairs.items():
        for step in steps:
            assert part_of(step) == part
            assert theme.color_of(step) == getattr(theme, part)
    for step in ("X", "W_O", "scores", "weights", "W_"):
        assert part_of(step) is theme.color_of(step) is None
