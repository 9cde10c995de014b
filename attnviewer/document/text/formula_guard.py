"""A guard against texts that a spreadsheet would run as formulas."""

import re

# Leading white space and control characters are skipped, as some spreadsheets trim
# them, and so are apostrophes, which makes the guard reversible.
_FORMULA = re.compile(r"'*(?:[\s\x00-\x1f\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])")


def guard_text(text: str) -> str:
    """Guard a text against being run as a formula by a spreadsheet.

    A text gets an apostrophe in front if it begins with ``=``, ``+``, ``-``, ``@``
    (full-width ones too, and after white space), a tab or a line break, or with
    apostrophes and then one of these. Removing one apostrophe restores it.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded_text(text: str) -> str:
    """Return a text as it was before `guard_text`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
