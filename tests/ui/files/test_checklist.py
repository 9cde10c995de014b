"""The list of documents: when each was edited last, and the room that it takes."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtWidgets import QDialog

from attnviewer.ui.files.checklist import Checklist, ListedDocument, usual_width


@pytest.mark.parametrize(
    ("ago", "told"),
    [
        (timedelta(seconds=12), r"1\d s ago"),
        (timedelta(minutes=5, seconds=59), "5 min ago"),
        (timedelta(hours=3), "3 h ago"),
    ],
)
def test_the_time_of_an_edit_is_told_as_how_long_ago_it_was(qtbot, ago, told):
    time = datetime.now(UTC) - ago
    shown = Checklist([ListedDocument("", "", "", time, None, None)], "list", None)
    qtbot.addWidget(shown)
    item = shown.topLevelItem(0)
    assert re.fullmatch(told, item.text(3))
    assert str(time.astimezone().minute) in item.toolTip(3)


@pytest.mark.parametrize("ago", [timedelta(days=2), -timedelta(hours=1)])
def test_earlier_times_and_those_of_another_clock_are_dates(qtbot, ago):
    time = datetime.now(UTC) - ago
    shown = Checklist([ListedDocument("", "", "", time, None, None)], "list", None)
    qtbot.addWidget(shown)
    item = shown.topLevelItem(0)
    assert item.text(3) == item.toolTip(3)
    assert "ago" not in item.text(3)


def test_rows_have_their_padding_and_a_dialog_with_them_its_room(qtbot, appearance):
    appearance.set_text_size(150)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    row = ListedDocument("Untitled", "", "", None, None, None)
    shown = Checklist([row], "list", dialog)
    dialog.show()
    height = shown.visualItemRect(shown.topLevelItem(0)).height()
    assert height >= shown.fontMetrics().height() + 2 * 4
    assert usual_width(dialog) < dialog.screen().availableSize().width()
