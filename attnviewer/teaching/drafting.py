"""A task as a teacher asks for it, and the page of a lesson that asks it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.io.errors import FileError
from attnviewer.teaching.mistaken import first_wrong_step
from attnviewer.teaching.planting import with_mistake
from attnviewer.teaching.reading import lesson_from_text
from attnviewer.teaching.recording import record_page

DraftKind = Literal["numbers", "largest", "choice", "make", "wrong-step", "mistake"]
Reach = Literal["cell", "row", "column", "all"]
_FENCE = "```"


@dataclass(frozen=True, slots=True)
class Draft:
    """A task about a document.

    Parameters
    ----------
    kind : str
        ``numbers`` to type; ``largest``: which key of a row has the largest number;
        ``choice``: one or several of some texts; ``make``: a condition to be met;
        ``wrong-step`` and ``mistake``: what is wrong in a document with a mistake.
    step : str
        The step that it is about.
    row, column : int
        A cell of it.
    head : int
        The head.
    reach : str
        Which numbers are asked for: of the cell, its row, its column, or all.
    title : str
        The heading of the page.
    ask : str
        The question; "" for the usual one.
    digits : int
        To how many digits after the point.
    condition, only : str
        What shall hold, and what may change; "" for everything.
    hints : tuple of str
        The hints.
    options : tuple of str
        What can be chosen; a right one begins with ``*``. After a bar with blanks
        around it stands the feedback once it is chosen.
    mistake : str
        The id of a mistake that is planted in the document; "" for its own.
    """

    kind: DraftKind
    step: str
    row: int
    column: int
    head: int = 0
    reach: Reach = "cell"
    title: str = "A task"
    ask: str = ""
    digits: int = 2
    condition: str = ""
    only: str = ""
    hints: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    mistake: str = ""

    @property
    def hunts(self) -> bool:
        """Whether it asks about a mistake."""
        return self.kind in ("wrong-step", "mistake")


def kinds_for(document: Document, trace: Trace, step: str) -> tuple[DraftKind, ...]:
    """Return the kinds of tasks that can be asked about a step of a document."""
    kinds: list[DraftKind] = []
    if step in trace and trace.stages[step].inputs:
        kinds.append("numbers")
        if trace.stages[step].axes == ("queries", "keys"):
            kinds.append("largest")
        kinds.append("make")
    kinds.append("choice")
    if len(document.spec.mistakes) < 2:
        kinds += ["wrong-step", "mistake"]
    return tuple(kinds)


def page_of(document: Document, draft: Draft, file: str = "") -> str:
    """Return the text of a page that asks a task.

    Parameters
    ----------
    document : Document
        The document.
    draft : Draft
        The task.
    file : str
        The name under which the document is saved beside the lesson; "" to write its
        numbers into the text.

    Returns
    -------
    str
        Markdown. Without a file, it has been read back.

    Raises
    ------
    FileNeededError
        If the text cannot hold the document.
    ValueError
        If something in the draft cannot be asked.
    """
    asked = asked_about(document, draft)
    if draft.hunts:
        first_wrong_step(asked)
    recorded = record_page(
        asked, draft.step, (), head=draft.head, title=draft.title, file=file
    )
    # The page up to the end of its document.
    above = recorded[: recorded.index(f"\n{_FENCE}\n") + len(_FENCE) + 2]
    text = f"{above}\n{_FENCE}task\n{_joined(_task(document, draft))}{_FENCE}\n"
    if not file:
        try:
            lesson_from_text(lesson_of(text, "Draft"), Path("draft.md"))
        except FileError as error:
            raise ValueError(error.reason) from None
    return text


def asked_about(document: Document, draft: Draft) -> Document:
    """Return the document of a task: with its mistake, if it asks about one.

    Raises
    ------
    ValueError
        If the mistake cannot be made, or not be seen.
    """
    if draft.hunts and draft.mistake:
        return with_mistake(document, draft.mistake)
    return document


def lesson_of(page: str, title: str) -> str:
    """Return the text of a lesson of one page."""
    return f"---\ntitle: {_line(title) or 'A task'}\n---\n{page}"


def _task(document: Document, draft: Draft) -> Iterator[str]:
    row, column, step = draft.row, draft.column, draft.step
    prefix = f"head {draft.head}: " if draft.head else ""
    if draft.kind == "numbers":
        yield "kind: numbers"
        yield f"step: {step}"
        if draft.head:
            yield f"head: {draft.head}"
        cells = {"cell": f"{row}, {column}", "row": f"{row}, :"}
        yield f"cells: {cells.get(draft.reach) or _many(draft)}"
        yield f"digits: {draft.digits}"
    elif draft.kind == "largest":
        yield "kind: choice"
        yield "options: keys"
        yield f"answer: {prefix}largest {step}[{row}, :]"
        yield f"hide: {step}"
    elif draft.kind == "choice":
        yield "kind: choice"
        for option in filter(None, map(_line, draft.options)):
            right = option.startswith("*")
            text = option.removeprefix("*").strip()
            yield f"{'right' if right else 'option'}: {text}"
    elif draft.kind == "make":
        yield "kind: make"
        yield f"until: {prefix}{_line(draft.condition)}"
        if _line(draft.only):
            yield f"only: {_line(draft.only)}"
    else:
        yield f"kind: {draft.kind}"
    ask = _line(draft.ask)
    if draft.kind == "largest" and not ask:
        query = document.labels.queries[row]
        ask = f"Which key has the largest number in row “{query}” of *{step}*?"
    if ask:
        yield f"ask: {ask}"
    for hint in filter(None, map(_line, draft.hints)):
        yield f"hint: {hint}"


def _many(draft: Draft) -> str:
    return f":, {draft.column}" if draft.reach == "column" else "all"


def _joined(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _line(text: str) -> str:
    return " ".join(text.split())
