"""The preview of a fill has room for all that it may show."""

import numpy as np
from PySide6.QtWidgets import QWidget

from attnviewer.ui.views.inputs.fills.preview import FillPreview


def test_a_note_below_a_matrix_of_many_rows_is_not_cut_off(qtbot, appearance):
    appearance.set_text_size(150)
    page = QWidget()
    qtbot.addWidget(page)
    preview = FillPreview(page)
    preview.show_cells({"W_Q": np.zeros((9, 9))}, "The cells already hold this.")
    page.show()
    assert preview.sizeHint().height() <= preview.minimumHeight()
