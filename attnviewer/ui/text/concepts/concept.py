"""What is said of a concept."""

import textwrap
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QCoreApplication

CONTEXT = "Concepts"
TIP_WIDTH = 64
"""Of a tool tip, in letters."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A step, a number, a choice or a symbol in plain words.

    Parameters
    ----------
    sentence : object
        What it is or what it is for, as marked for translation.
    formula : str
        The same in the field's symbols.
    """

    sentence: object
    formula: str

    @property
    def text(self) -> str:
        """The sentence in the language of the window."""
        return QCoreApplication.translate(CONTEXT, str(self.sentence))

    @property
    def tip(self) -> str:
        """Sentence and formula for a tool tip.

        In lines of plain text: Qt wraps rich text alone, which screen readers read with
        its markup.
        """
        return "\n".join([*textwrap.wrap(self.text, TIP_WIDTH), self.formula])

    @property
    def html(self) -> str:
        """Sentence and formula as rich text."""
        return f"<p>{escape(self.text)}</p><p><code>{escape(self.formula)}</code></p>"


def what_is(title: str, *concepts: Concept) -> str:
    """Return what is said of a thing, under its title, for What's This."""
    return f"<p><b>{escape(title)}</b></p>{''.join(c.html for c in concepts)}"
