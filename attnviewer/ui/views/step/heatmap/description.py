"""The description of a heatmap for screen readers."""

from PySide6.QtCore import QCoreApplication

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.matrix_sizes import step_with_size
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.pins import pinned_words


def description_of(content: StepContent, cell: Position | None) -> str:
    """Return the step with its size, and the selected cell with its number."""
    rows, columns = content.shape
    text = step_with_size(content.step, content.shape)
    if cell is not None and cell[0] < rows and cell[1] < columns:
        text += " " + _tr("Selected: {0}.").format(words_of_cell(content, cell))
    return text


def words_of_cell(content: StepContent, cell: Position) -> str:
    """Return a cell by its labels, and its number."""
    value = full_number(content.value(*cell))
    computed = content.computed_value(*cell)
    if computed is not None:
        value += f", {pinned_words(computed)}"
    return _tr("{row}, {column}: {value}").format(
        row=content.row_labels[cell[0]],
        column=content.column_labels[cell[1]],
        value=value,
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Heatmap", text)
