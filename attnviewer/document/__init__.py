"""State: all that a session holds and undo restores. No windows."""

from attnviewer.document.document import Document
from attnviewer.document.edits import (
    Change,
    Edit,
    EditError,
    Region,
    Replace,
    SetCells,
)
from attnviewer.document.labels import (
    Labels,
    axis_label,
    axis_labels,
    cell_name,
    distinct_label,
    indexed_name,
)
from attnviewer.document.parsing import exact_text, parse_number
from attnviewer.document.recipe import Draw, Recipe
from attnviewer.document.variants import (
    VARIANT_TITLES,
    possible_heads,
    spec_edit,
    variant_spec,
)

__all__ = [
    "VARIANT_TITLES",
    "Change",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Labels",
    "Recipe",
    "Region",
    "Replace",
    "SetCells",
    "axis_label",
    "axis_labels",
    "cell_name",
    "distinct_label",
    "exact_text",
    "indexed_name",
    "parse_number",
    "possible_heads",
    "spec_edit",
    "variant_spec",
]
