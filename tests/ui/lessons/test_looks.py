"""A lesson in every theme and size of texts: nothing is cut off."""

from PySide6.QtWidgets import QLabel

from tests.ui.cut_off_texts import misfits

LOOKS = [(80, "light"), (150, "contrast"), (200, "dark")]


def test_texts_fit_in_the_dock_in_every_theme_and_size(learning, appearance):
    learning.type("scores", "1", "0", "2", "5")
    card = learning.card("scores")
    card.check()
    learning.rest()
    learning.learner.hint(card.task)
    height = None
    for percent, theme in LOOKS:
        appearance.choose(theme)
        appearance.set_text_size(percent)
        learning.rest()
        check_marks_have_room(learning)
        for place in reversed(range(learning.learner.places)):
            learning.learner.go(place)
            learning.rest()
            inside = [text for text in misfits(learning.window) if "lesson" in text]
            assert inside == [], (percent, theme)
        # Looks reach a page that is open.
        before, height = height, learning.card("which").height()
        assert before is None or (height > before) == (percent > 100), percent
    learning.learner.go(1)
    learning.rest()
    appearance.set_text_size(100)
    learning.rest()
    check_marks_have_room(learning)


def check_marks_have_room(learning):
    marks = learning.content.findChildren(QLabel, "lesson.mark")
    shown = [mark for mark in marks if mark.isVisible()]
    assert shown
    for mark in shown:
        text = mark.parentWidget().fontMetrics().height()
        assert text <= mark.width() <= text + 4
