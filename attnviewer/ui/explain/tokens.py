"""Tokens in running text."""

LONGEST = 18
"""Letters of a token before it is cut: one long word must not widen the dock."""


def token_label(token: str) -> str:
    """Return a token fit for one line: blanks and breaks visible, long ones cut."""
    line = token.replace("\n", "⏎").replace("\t", "⇥")
    if not line.strip():
        return f"“{line}”"
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
