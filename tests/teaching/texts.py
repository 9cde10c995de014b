"""Texts of lessons, and a document whose numbers were worked out on paper."""

from pathlib import Path

from attnviewer.document import Document
from attnviewer.teaching import Lesson, Situation, Task, lesson_from_text

FRONT = "---\ntitle: On paper\n---\n"
PAPER = """```document
tokens: a, b, c
X: 1 0; 0 1; 1 1
W_Q: 1 2; 0 1
W_K: 1 0; 1 1
W_V: 2 0; 0 2
```
"""
"""Q = 1 2; 0 1; 1 3, K = 1 0; 1 1; 2 1, V = 2 0; 0 2; 2 2, the first row of scores
1 3 4. Its weights are 2.0281, 8.3421 and 16.9188 over 27.2890: 0.0743, 0.3057, 0.6200.
"""


def block(kind: str, *lines: str) -> str:
    return "\n".join((f"```{kind}", *lines, "```", ""))


def task(*lines: str) -> str:
    return block("task", *lines)


def lesson(*parts: str, front: str = FRONT) -> Lesson:
    """Return the lesson of a page about the document on paper."""
    return lesson_from_text(front + "## Page\n" + PAPER + "".join(parts), "paper.md")


def situation(*parts: str, seed: int = 0, **earlier: object) -> tuple[Task, Situation]:
    """Return the last task of a page, and the page's document and earlier answers."""
    (page,) = lesson(*parts).pages
    assert page.document is not None
    names = {name.replace("_", "-"): answer for name, answer in earlier.items()}
    return page.tasks[-1], Situation(page.document.open(seed), names, page.tasks)


def opened(*lines: str, seed: int = 0, folder: Path | None = None) -> Document:
    """Return the document of a block."""
    text = FRONT + "## Page\n" + block("document", *lines)
    path = Path("lesson.md") if folder is None else folder / "lesson.md"
    (page,) = lesson_from_text(text, path).pages
    assert page.document is not None
    return page.document.open(seed, folder)
