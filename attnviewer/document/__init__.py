"""State: all that a session holds and undo restores. No windows."""

from attnviewer.document.block_text import (
    MOST_CELLS,
    Block,
    block_text,
    parse_block,
    parse_lines,
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
from attnviewer.document.pasting import paste_and_grow, paste_tokens, tiled
from attnviewer.document.recipe import Draw, Recipe
from attnviewer.document.scrub import FINE, scrubbed
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
from attnviewer.document.variants import (
    VARIANT_TITLES,
    possible_heads,
    spec_edit,
    variant_spec,
)

__all__ = [
    "FINE",
    "MOST_CELLS",
    "MOST_SEED",
    "VARIANT_TITLES",
    "Block",
    "Change",
    "Document",
    "Draw",
    "Edit",
    "EditError",
    "Embedding",
    "Labels",
    "Recipe",
    "Region",
    "Replace",
    "SequenceName",
    "SetCells",
    "axis_label",
    "axis_labels",
    "block_text",
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
    "parse_block",
    "parse_lines",
    "parse_number",
    "paste_and_grow",
    "paste_tokens",
    "possible_heads",
    "remove_tokens",
    "rename_token",
    "scrubbed",
    "set_sentence",
    "spec_edit",
    "split_sentence",
    "tiled",
    "tokens_of",
    "variant_spec",
    "with_kept_rows",
]
