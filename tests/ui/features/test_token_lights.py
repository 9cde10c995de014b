"""The tokens under the pointer stand out among the inputs."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from attnviewer.document import spec_edit, variant_spec
from attnviewer.ui.paint.theme import THEMES


def framed(window, name: str) -> list[int]:
    """Return the rows of a table whose top edge has the colour of frames."""
    table = window.inputs.table(name)
    image = table.viewport().grab().toImage()
    rows = []
    for row in range(table.model().rowCount()):
        rect = table.visualRect(table.model().index(row, 0))
        # The first row's top edge is the table's, so check the side.
        color = image.pixelColor(QPoint(rect.left(), rect.center().y()))
        if color == QColor(window.appearance.theme.accent):
            rows.append(row)
    return rows


def test_a_cell_pointed_at_frames_its_query_and_its_key_with_their_tokens(window):
    for theme in THEMES:
        window.appearance.choose(theme)
        assert framed(window, "X") == []
        window.workbench.selection.hover("weights", (1, 3))
        assert framed(window, "X") == framed(window, "tokens") == [1, 3], theme
        assert framed(window, "W_Q") == []
        window.workbench.selection.hover("weights", None)
        assert framed(window, "X") == framed(window, "tokens") == []

    # A key of the second sequence is framed there alone.
    document = window.workbench.document
    cross = variant_spec(document, "cross")
    window.workbench.edits.submit(spec_edit(document, cross, "Cross-attention"))
    window.workbench.engine.flush()
    QApplication.processEvents()  # layouts settle
    window.workbench.selection.hover("weights", (2, 0))
    assert framed(window, "context") == [0]
    assert window.inputs.table("X").painter.highlighted_rows == (
        2,
    )  # behind it, in another tab
