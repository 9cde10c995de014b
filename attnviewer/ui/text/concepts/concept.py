"""The explanation of a term."""

import textwrap
from dataclasses import dataclass
from functools import cache
from html import escape

from PySide6.QtCore import QCoreApplication

CONTEXT = "Concepts"
TIP_WIDTH = 64
"""The width of a tool tip, in characters."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A step, a number, a choice or a symbol, explained.

    Parameters
    ----------
    sentence : object
        What it is or what it is for, marked for translation.
    formula : str
        The same as a formula.
    holds_everywhere : bool
        Whether a step has this formula in every variant.
    """

    sentence: object
    formula: str
    holds_everywhere: bool = False

    @property
    def text(self) -> str:
        """The sentence, translated."""
        return QCoreApplication.translate(CONTEXT, str(self.sentence))

    @property
    def tip(self) -> str:
        """Sentence and formula for a tool tip.

        As wrapped plain text: Qt only wraps rich text, whose markup screen readers read
        aloud.
        """
        return "\n".join([*_wrapped(self.text), self.formula])

    @property
    def html(self) -> str:
        """Sentence and formula as rich text."""
        return f"<p>{escape(self.text)}</p><p><code>{escape(self.formula)}</code></p>"


@cache
def _wrapped(text: str) -> tuple[str, ...]:
    """Wrap a sentence; each is in the menus of every window."""
    return tuple(textwrap.wrap(text, TIP_WIDTH))


def what_is(title: str, *concepts: Concept) -> str:
    """Return the What's This text: the explanation under its title."""
    return f"<p><b>{escape(title)}</b></p>{''.join(c.html for c in concepts)}"
