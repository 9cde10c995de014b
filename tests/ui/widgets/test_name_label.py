"""Names of matrices as labels: W_Q is painted with a subscript, and read as W_Q."""

import pytest
from PySide6.QtGui import QAccessible, QFont, QFontMetricsF
from PySide6.QtWidgets import QLabel

from attnviewer.ui.paint.subscripts import printed_width
from attnviewer.ui.widgets.name_label import NameLabel


def test_a_name_is_painted_with_a_subscript_and_read_as_it_is_typed(qtbot):
    names = [NameLabel(name) for name in ("W_Q", "X")]
    plain = [QLabel(label.text()) for label in names]
    for label in (*names, *plain):
        qtbot.addWidget(label)
        label.show()
    assert names[0].width() < plain[0].width()
    assert names[1].size() == plain[1].size()
    assert names[1].grab().toImage() == plain[1].grab().toImage()
    inks = [
        label.grab().toImage().copy(names[0].rect()) for label in (names[0], plain[0])
    ]
    assert inks[0] != inks[1]
    spoken = QAccessible.queryAccessibleInterface(names[0])
    assert spoken.text(QAccessible.Text.Name) == names[0].text() == "W_Q"


@pytest.mark.parametrize("line", ["snake_case", "my_b_Q_2", "softmax(scaled)", ""])
def test_lines_without_names_of_matrices_stay_as_they_are(qapp, line):
    assert printed_width(line, QFont()) == QFontMetricsF(QFont()).horizontalAdvance(
        line
    )
