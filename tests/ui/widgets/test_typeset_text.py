"""Text of lessons in paragraphs."""

from itertools import pairwise

from PySide6.QtWidgets import QApplication

from attnviewer.ui.widgets.link_box import LinkBox
from attnviewer.ui.widgets.typeset_text import TypesetText


def test_paragraphs_are_further_apart_than_lines(qtbot, appearance):
    text = TypesetText("text", None)
    qtbot.addWidget(text)
    text.show_text("Every key is seen by every query.")
    text.resize(900, 200)
    text.show()
    line = text.findChild(LinkBox)
    one, two, *_ = sorted({line.heightForWidth(w) for w in range(60, 1000, 10)})
    text.show_text("Every key is seen.\n\nA word sees itself.\n\nNothing is scaled.")
    text.keep_above()
    QApplication.processEvents()
    tops = [box.y() for box in text.findChildren(LinkBox)]
    assert len(tops) == 3
    for high, low in pairwise(tops):
        assert low - high > 1.2 * (two - one)
