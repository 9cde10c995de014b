from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.ui.widgets.eliding_button import ElidingButton


def test_a_button_with_a_long_text_does_not_widen_its_column(qtbot):
    column = QWidget()
    qtbot.addWidget(column)
    button = ElidingButton("Exercise 1: Scores without weight matrices", column)
    QVBoxLayout(column).addWidget(button)
    column.resize(120, 60)
    column.show()
    assert column.width() == 120
    assert button.width() < 120
