"""The list of lessons has room for every summary, from either side."""

from dataclasses import replace

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QListWidget, QWidget

from attnviewer.teaching import bundled_lessons
from attnviewer.ui.lessons.chooser import LessonChooser, ListedLesson
from attnviewer.ui.paint.appearance import Appearance


def test_a_long_summary_is_seen_whole_and_the_rows_mirrored(qtbot, appearance) -> None:
    lesson = bundled_lessons()[0]
    long = replace(lesson, summary=" ".join(["Some words go on."] * 12))
    window = QWidget()
    qtbot.addWidget(window)
    rows = [ListedLesson(each, 0, 3, begun=False) for each in (long, lesson)]
    dialog = LessonChooser(rows, window)
    dialog.resize(400, 500)
    dialog.show()
    QApplication.processEvents()
    listed = dialog.findChild(QListWidget, "lessons.list")
    wrap, metrics = Qt.TextFlag.TextWordWrap, listed.fontMetrics()
    for row, each in enumerate((long, lesson)):
        place = listed.visualItemRect(listed.item(row))
        room = QRect(0, 0, place.width() - 24, 10_000)
        needed = metrics.boundingRect(room, wrap, each.summary).height()
        assert place.height() >= metrics.lineSpacing() + needed
    for direction, at_left in (
        (Qt.LayoutDirection.LeftToRight, True),
        (Qt.LayoutDirection.RightToLeft, False),
    ):
        dialog.setLayoutDirection(direction)
        QApplication.processEvents()
        image = listed.viewport().grab().toImage()
        place = listed.visualItemRect(listed.item(0))
        accent = QColor(Appearance.theme_in_force().accent)
        middle = place.center().y()
        assert (image.pixelColor(place.left() + 1, middle) == accent) == at_left
        assert (image.pixelColor(place.right() - 1, middle) == accent) != at_left
    dialog.reject()
