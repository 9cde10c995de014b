"""What tells a file that was exported, and names the parts of it.

Those who write such files and those who read them know nothing else of each other.
"""

STATEMENT, STEPS, VALUES = "attnviewer", "steps", "values"
"""How it was computed, the steps, and the numbers of each."""
SPEC = "spec"
"""The part of the statement that makes a document of the inputs among the steps."""
TOKENS, CONTEXT_TOKENS = "tokens", "context_tokens"
"""What rows and columns are called."""
WORKBOOK = "attnviewer workbook"
"""The first cell of the sheet about a workbook."""
ABOUT = "About"
"""That sheet."""
INDEX = "sheet", "step", "head", "rows", "columns", "formula", "cells"
"""The headings of its list of sheets."""
