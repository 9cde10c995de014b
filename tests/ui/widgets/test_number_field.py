"""Boxes of numbers among the other boxes of a form."""

from PySide6.QtWidgets import QComboBox, QDialog, QVBoxLayout

from attnviewer.ui.widgets.number_field import number_field


def test_a_number_is_as_high_and_as_far_in_as_a_choice(qtbot, appearance):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    choice, number = QComboBox(dialog), number_field(dialog)
    choice.addItem("8")
    number.setValue(8)
    layout = QVBoxLayout(dialog)
    layout.addWidget(choice)
    layout.addWidget(number)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert abs(choice.height() - number.height()) <= 1

    def left_of_text(box) -> int:
        image = box.grab().toImage()
        background = image.pixelColor(4, box.height() // 2)
        columns = range(4, box.width() // 2)
        rows = range(8, box.height() - 8)
        return next(
            x
            for x in columns
            if any(image.pixelColor(x, y) != background for y in rows)
        )

    assert abs(left_of_text(choice) - left_of_text(number)) <= 2
