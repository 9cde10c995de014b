"""The Lesson dock in every theme and text size: nothing is cut off."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.cut_off_texts import misfits
from tests.ui.lessons.conftest import Learning


@pytest.mark.parametrize(
    ("percent", "theme"),
    [(80, "dark"), (100, "light"), (150, "contrast"), (200, "dark")],
)
def test_texts_fit_in_the_dock(
    appearance, open_window, lesson_path, qtbot, percent, theme
):
    appearance.choose(theme)
    appearance.set_text_size(percent)
    window = open_window("example:four-words", (1366, 768))
    learning = Learning(window, lesson_path, qtbot)
    learning.open()
    learning.type("scores", "1", "0", "2", "5")
    card = learning.card("scores")
    card.check()
    learning.rest()
    learning.learner.hint(card.task)
    for place in range(learning.learner.places):
        learning.learner.go(place)
        learning.rest()
        inside = [text for text in misfits(window) if "lesson" in text]
        assert inside == []


def test_another_theme_and_size_reach_the_open_page(learning, appearance):
    height = learning.card("which").height()
    appearance.choose("dark")
    appearance.set_text_size(150)
    QApplication.processEvents()
    learning.rest()
    assert learning.card("which").height() > height
