"""Boxes for choices, with their captions."""

import pytest
from PySide6.QtWidgets import QStyle, QStyleOptionComboBox

from attnviewer.ui.widgets.choice_boxes import ChoiceBox


@pytest.mark.parametrize("choice", ["1/√d_k", "1/d_k", "softmax", "None"])
def test_a_box_of_its_own_width_shows_its_caption(qtbot, appearance, choice):
    box = ChoiceBox(None, "Scale")
    box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
    box.addItem(choice)
    qtbot.addWidget(box)
    for percent in range(80, 201, 10):
        appearance.set_text_size(percent)
        box.ensurePolished()
        box.resize(box.sizeHint())
        assert box.shown_text(width_of_text(box)) == f"Scale: {choice}", percent


def width_of_text(box: ChoiceBox) -> int:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    combo = QStyle.ComplexControl.CC_ComboBox
    field = QStyle.SubControl.SC_ComboBoxEditField
    return box.style().subControlRect(combo, option, field, box).width()
