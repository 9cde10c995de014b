"""Names that identify exported files and their parts.

They are all that the writers and the readers of such files share.
"""

STATEMENT, STEPS, VALUES = "attnviewer", "steps", "values"
"""Entries: the statement, the steps, and the numbers of each step."""
SPEC = "spec"
"""The entry of the statement from which a document is restored."""
NOTES = "notes"
"""The entry of the statement with the notes of that document."""
READOUT = "readout"
"""The entry of the statement with the rows of a readout that was trained."""
FOLDED = "folded_weights"
"""The entry of the statement that says how groups of tokens are combined."""
TOKENS, CONTEXT_TOKENS = "tokens", "context_tokens"
"""The names of rows and columns."""
WORKBOOK = "attnviewer workbook"
"""The first cell of the overview sheet."""
ABOUT = "About"
"""The overview sheet."""
INDEX = "sheet", "step", "head", "rows", "columns", "formula", "cells"
"""The headings of its table of sheets."""
