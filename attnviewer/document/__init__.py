"""State: all that a session holds and undo restores. No windows."""

from attnviewer.document.document import Document
from attnviewer.document.drawing import (
    Distribution,
    GeneratorName,
    Integers,
    Normal,
    Orthogonal,
    Uniform,
    Xavier,
)
from attnviewer.document.draws import MOST_COMPARED, draw_edit, is_edited, last_draw
from attnviewer.document.edits import Change, Edit, EditError, Replace, SetCells
from attnviewer.document.fills import (
    Constant,
    Fill,
    Identity,
    Negate,
    OneHot,
    Round,
    Scale,
    Transpose,
    fill_edit,
)
from attnviewer.document.embeddings import (
    MOST_SEED,
    Embedding,
    check_one_hot,
    embed,
    with_kept_rows,
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
from attnviewer.document.sequences import (
    SequenceName,
    duplicate_tokens,
    grown,
    insert_tokens,
    move_tokens,
    next_names,
    remove_tokens,
    rename_token,
    set_sentence,
    tokens_of,
)
from attnviewer.document.tokenizing import split_sentence
from attnviewer.document.recipe import Draw, Recipe, python_lines
from attnviewer.document.region import Region
from attnviewer.document.variants import (
    VARIANT_TITLES,
    possible_heads,
    spec_edit,
    variant_spec,
)

__all__ = [
    "MOST_SEED",
    "MOST_COMPARED",
    "VARIANT_TITLES",
    "Change",
    "Constant",
    "Distribution",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Embedding",
    "Fill",
    "GeneratorName",
    "Identity",
    "Integers",
    "Labels",
    "Negate",
    "Normal",
    "OneHot",
    "Orthogonal",
    "Recipe",
    "Region",
    "Replace",
    "SequenceName",
    "Round",
    "Scale",
    "SetCells",
    "Transpose",
    "Uniform",
    "Xavier",
    "axis_label",
    "axis_labels",
    "cell_name",
    "check_one_hot",
    "distinct_label",
    "duplicate_tokens",
    "embed",
    "exact_text",
    "grown",
    "indexed_name",
    "insert_tokens",
    "move_tokens",
    "next_names",
    "parse_number",
    "possible_heads",
    "remove_tokens",
    "rename_token",
    "set_sentence",
    "draw_edit",
    "exact_text",
    "fill_edit",
    "indexed_name",
    "is_edited",
    "last_draw",
    "parse_number",
    "possible_heads",
    "python_lines",
    "spec_edit",
    "split_sentence",
    "tokens_of",
    "variant_spec",
    "with_kept_rows",
]
