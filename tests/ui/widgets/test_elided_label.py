"""Labels that are shortened rather than widening what they are in."""

from attnviewer.ui.widgets.elided_label import ElidedLabel


def test_a_label_without_room_for_a_letter_is_empty(qtbot):
    label, empty = ElidedLabel("label"), ElidedLabel("empty")
    for each in (label, empty):
        qtbot.addWidget(each)
    label.setText("softmax(scaled)")
    dots = label.fontMetrics().horizontalAdvance("…") + 2
    pictures = []
    for width in (dots, 6 * dots):
        for each in (label, empty):
            each.resize(width, 30)
        pictures.append(label.grab().toImage() == empty.grab().toImage())
    assert pictures == [True, False]
