"""State: all that a session holds and undo restores. No windows."""

from attnviewer.document.dimensions import (
    Dimensions,
    Effect,
    Padding,
    ResizePlan,
    plan_dimensions,
)
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
from attnviewer.document.spec_edit import spec_edit
from attnviewer.document.variants import (
    VARIANT_TITLES,
    biases_spec,
    heads_spec,
    kv_heads_spec,
    normalizer_spec,
    output_projection_spec,
    possible_biases,
    possible_heads,
    possible_kv_heads,
    variant_spec,
)

__all__ = [
    "VARIANT_TITLES",
    "Change",
    "Dimensions",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Effect",
    "Labels",
    "Padding",
    "Recipe",
    "Region",
    "Replace",
    "ResizePlan",
    "SetCells",
    "axis_label",
    "axis_labels",
    "biases_spec",
    "cell_name",
    "distinct_label",
    "exact_text",
    "heads_spec",
    "indexed_name",
    "kv_heads_spec",
    "normalizer_spec",
    "output_projection_spec",
    "parse_number",
    "plan_dimensions",
    "possible_biases",
    "possible_heads",
    "possible_kv_heads",
    "spec_edit",
    "variant_spec",
]
