"""A sheet: an exercise with somebody's numbers, whatever it is written as."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import TypeAlias

from attnviewer.teaching.sheets.prose import Paragraph
from attnviewer.teaching.texts import ENGLISH, Words

Cell: TypeAlias = tuple[int, int]
NAME_LINE = "_" * 30
"""Where a name is to be written."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Text between tables and questions."""

    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix.

    Parameters
    ----------
    name : str
        The step's name, such as ``weights`` or ``weights, head 0``.
    rows, columns : tuple of str
        Labels of its rows and columns: tokens, or indices.
    cells : mapping of (int, int) to str
        The numbers as texts; a cell that is not in it is left empty.
    """

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[Cell, str]


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty cell to write in, and its number.

    Parameters
    ----------
    value : float
        The number, in full precision.
    text : str
        The number as a right answer is written.
    tolerance : float
        How far an answer may be from it.
    """

    value: float
    text: str
    tolerance: float


@dataclass(frozen=True, slots=True)
class NumberQuestion:
    """Numbers to write into a table.

    Parameters
    ----------
    task : str
        The task's id.
    points : float
        What it counts.
    ask : Prose
        The question.
    table : Table
        The matrix, without numbers.
    blanks : mapping of (int, int) to Blank
        The cells to fill in; there may be others, which stay empty.
    """

    task: str
    points: float
    ask: Prose
    table: Table
    blanks: Mapping[Cell, Blank]

    @property
    def finite(self) -> Mapping[Cell, Blank]:
        """The blanks that a platform can ask for: those with a finite number."""
        return {c: b for c, b in self.blanks.items() if isfinite(b.value)}

    @property
    def shown(self) -> Table:
        """The table with the numbers that a platform cannot ask for."""
        others = self.blanks.keys() - self.finite.keys()
        return replace(self.table, cells={c: self.blanks[c].text for c in others})


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """Options to tick.

    Parameters
    ----------
    task : str
        The task's id.
    points : float
        What it counts.
    ask : Prose
        The question.
    options : tuple of Paragraph
        What can be ticked.
    right : tuple of int
        The right ones, counted from zero.
    several : bool
        Whether several may be ticked.
    """

    task: str
    points: float
    ask: Prose
    options: tuple[Paragraph, ...]
    right: tuple[int, ...]
    several: bool


@dataclass(frozen=True, slots=True)
class WindowQuestion:
    """Something to do in the window, which neither paper nor a platform can ask.

    Parameters
    ----------
    task : str
        The task's id.
    points : float
        What it counts.
    ask : Prose
        The question.
    """

    task: str
    points: float
    ask: Prose


Question: TypeAlias = NumberQuestion | ChoiceQuestion
Block: TypeAlias = Prose | Table | NumberQuestion | ChoiceQuestion | WindowQuestion


def worth(question: Question | WindowQuestion, words: Words) -> str:
    """Return what a question counts, and where it is answered if not on the sheet."""
    points = words.counted(question.points)
    if isinstance(question, WindowQuestion):
        return f"{points}, {words.window}"
    return points


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the exercise."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that are answered on the sheet, in their order."""
        return tuple(
            block
            for block in self.blocks
            if isinstance(block, NumberQuestion | ChoiceQuestion)
        )

    @property
    def points(self) -> float:
        """The points of its questions, with those for the window."""
        return sum(b.points for b in self.blocks if not isinstance(b, Prose | Table))


@dataclass(frozen=True, slots=True)
class Sheet:
    """An exercise with the numbers of one student, or of one variant.

    Parameters
    ----------
    exercise : str
        The exercise's id.
    title : str
        Its title.
    who : str
        Whose it is, for people: a student's name, or ``variant 3``.
    key : str
        Whose it is, for names of files and questions.
    language : str
        The language of its texts, such as ``en``.
    parts : tuple of Part
        Its pages.
    words : Words
        Its fixed words.
    anonymous : bool
        Whether it is for nobody in person, so that there is room for a name.
    """

    exercise: str
    title: str
    who: str
    key: str
    language: str
    parts: tuple[Part, ...]
    words: Words = ENGLISH
    anonymous: bool = False

    @property
    def points(self) -> float:
        """The points of its questions."""
        return sum(part.points for part in self.parts)

    @property
    def name(self) -> str:
        """The name of the student, as it stands below the title."""
        who = f"{NAME_LINE} · {self.who}" if self.anonymous else self.who
        return f"{self.words.name}: {who}"

    def headline(self, *, key: bool) -> str:
        """Return its title; of the sheet with the answers, if `key`."""
        return f"{self.title}: {self.words.key}" if key else self.title
