"""State: all that a session holds and undo restores. No windows.

Here is what nearly every user of the package needs; the rest is in its modules.
"""

from attnviewer.document.comparison import Comparison, Incomparable
from attnviewer.document.derivation import Derivation, Worked
from attnviewer.document.document import Document
from attnviewer.document.drawing.recipe import Draw, Recipe
from attnviewer.document.edits import (
    Change,
    Edit,
    EditError,
    Replace,
    SetCells,
    WidthError,
)
from attnviewer.document.labels import Labels, cell_name, distinct_label
from attnviewer.document.matrices import MASK
from attnviewer.document.region import Region
from attnviewer.document.snapshot import Snapshot
from attnviewer.document.text.parsing import exact_text, parse_number
from attnviewer.document.training_record import TrainingRecord
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.spec_edit import spec_edit
from attnviewer.document.variants.variants import VARIANT_TITLES, variant_spec

__all__ = [
    "MASK",
    "VARIANT_TITLES",
    "Change",
    "Comparison",
    "Derivation",
    "Dimensions",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Incomparable",
    "Labels",
    "Recipe",
    "Region",
    "Replace",
    "SetCells",
    "Snapshot",
    "TrainingRecord",
    "WidthError",
    "Worked",
    "cell_name",
    "distinct_label",
    "exact_text",
    "parse_number",
    "spec_edit",
    "variant_spec",
]
