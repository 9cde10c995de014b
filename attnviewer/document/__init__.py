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
from attnviewer.document.masks import (
    MaskKind,
    MaskPreset,
    default_preset,
    mask_edit,
    paint,
    paint_cells,
    preset_of,
    visibility,
)
from attnviewer.document.matrices import MASK
from attnviewer.document.parsing import exact_text, parse_number
from attnviewer.document.recipe import Draw, Recipe
from attnviewer.document.variants import (
    VARIANT_TITLES,
    possible_heads,
    spec_edit,
    variant_spec,
)

__all__ = [
    "MASK",
    "VARIANT_TITLES",
    "Change",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Labels",
    "MaskKind",
    "MaskPreset",
    "Recipe",
    "Region",
    "Replace",
    "SetCells",
    "axis_label",
    "axis_labels",
    "cell_name",
    "default_preset",
    "distinct_label",
    "exact_text",
    "indexed_name",
    "mask_edit",
    "paint",
    "paint_cells",
    "parse_number",
    "possible_heads",
    "preset_of",
    "spec_edit",
    "variant_spec",
    "visibility",
]
