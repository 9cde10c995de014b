"""A whole course with planted slips, and a grader with NumPy alone.

``python -m tests.teaching.exercise.forged_course 200`` grades five exercises of 200
students with both graders and says how many grades are equal.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attnviewer.document import Document
from attnviewer.teaching.exercise.file import Exercise
from attnviewer.teaching.exercise.grading import grade_folder
from attnviewer.teaching.exercise.opening import open_pages
from tests.teaching.exercise.course import (
    SECRET,
    copy_of,
    exercise_of,
    hand_in,
    roster_of,
    submitted,
)

Cells = dict[tuple[int, int], str]
Answers = dict[str, Any]


def _text(name: str, document: str, *tasks: str) -> str:
    blocks = "\n".join(f"```task\n{task}\n```\n" for task in tasks)
    return (
        f"---\ntitle: {name}\nid: {name}\n---\n## Page\n"
        f"```document\nseed: each\n{document}\n```\n{blocks}"
    )


THREE = "tokens: the, cat, sat\ndraw: X W_Q W_K W_V\nwidth: 2"
CHAIN = (
    "kind: numbers\nid: scores\nstep: scores\npoints: 3",
    "kind: numbers\nid: weights\nstep: weights\npoints: 2",
)
TEXTS = {
    "projections": _text(
        "projections",
        THREE,
        "kind: numbers\nid: Q\nstep: Q\npoints: 2",
        "kind: numbers\nid: K\nstep: K\ncells: :, 1; 0, 0\npoints: 5",
    ),
    "weights": _text("weights", THREE, *CHAIN),
    "causal": _text("causal", f"{THREE}\noptions: causal=true", *CHAIN),
    "choices": _text(
        "choices",
        THREE,
        "kind: choice\nid: most\noptions: keys\nanswer: largest weights[2, :]",
        "kind: choice\nid: both\nright: a\nright: b\noption: c\noption: d\npoints: 4",
    ),
    "bugs": _text(
        "bugs",
        f"{THREE}\nmistake: any of scale-missing, weights-transposed",
        "kind: wrong-step\nid: where\npoints: 2",
        "kind: mistake\nid: which",
    ),
}
FIRST_WRONG = {"scale-missing": "scaled", "weights-transposed": "output"}


class Forged(NamedTuple):
    """What a student hands in, and what the independent grader gives for it."""

    student: str
    answers: Answers
    points: float


def forged(exercise: Exercise, student: str, random: np.random.Generator) -> Forged:
    """Return answers with planted slips, and their grade by NumPy alone."""
    copy = copy_of(student, exercise)
    assert copy.copy is not None
    [opened] = open_pages(copy.lesson, copy.copy.seed)
    answer, grade = KINDS[exercise.id]
    answers = answer(opened.document, random)
    for task in list(answers):
        if random.random() < 0.08:  # left out
            del answers[task]
    return Forged(student, answers, grade(opened.document, answers))


def _steps(document: Document) -> dict[str, np.ndarray]:
    """Return the right steps of attention without its mistakes."""
    given = {name: document.matrix(name) for name in ("X", "W_Q", "W_K", "W_V")}
    q, k = given["X"] @ given["W_Q"], given["X"] @ given["W_K"]
    return {"Q": q, "K": k, "scores": q @ k.T}


def _weights(scores: np.ndarray, *, causal: bool) -> np.ndarray:
    shown = scores / np.sqrt(2)
    if causal:
        shown = np.where(np.tri(len(scores), dtype=bool), shown, -np.inf)
    powers = np.exp(shown - shown.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _typed(numbers: np.ndarray, random: np.random.Generator) -> Cells:
    """Return a matrix as somebody types it: rounded, with slips here and there."""
    cells: Cells = {}
    careless = random.choice([0.0, 0.15, 0.5])
    for place in np.ndindex(numbers.shape):
        value = float(numbers[place])
        whole = abs(value - round(value)) < 1e-9
        text = str(round(value)) if whole else f"{value:.2f}"
        if random.random() < careless:
            text = _slip(text, value, random)
        if text:
            cells[place] = text
    return cells


def _slip(text: str, value: float, random: np.random.Generator) -> str:
    """Return a number with a slip of the pen, or one that only looks different."""
    slips = [
        f"{float(text) + 1:g}",
        f"{-float(text):g}",
        "",
        "about one",
        f"{value + 0.02:.3f}",
        f"({text})*2/2",
        f"{value!r}",
        text.replace("-", "−"),
        f" {text} ",
    ]
    return str(random.choice(slips))


def _read(text: str) -> float | None:
    """Return the number of one of the texts above; None for what is none."""
    written = text.strip().replace("−", "-")
    if written.endswith(")*2/2"):
        written = written.removesuffix(")*2/2").removeprefix("(")
    try:
        return float(written)
    except ValueError:
        return None


def _is_right(text: str | None, value: float) -> bool:
    number = _read(text or "")
    if number is None:
        return False
    if abs(value - round(value)) < 1e-9:
        return abs(number - value) < 1e-8
    return abs(Fraction(number) - Fraction(value)) <= Fraction(1, 200) + Fraction(
        1, 10**9
    )


def _share(cells: Cells, *rights: np.ndarray, asked: Any = None) -> float:
    """Return the share of cells that one of several matrices agrees with."""
    places = list(np.ndindex(rights[0].shape)) if asked is None else asked
    hits = sum(
        any(_is_right(cells.get(place), float(right[place])) for right in rights)
        for place in places
    )
    return hits / len(places)


def _answer_projections(document: Document, random: np.random.Generator) -> Answers:
    steps = _steps(document)
    return {name: _typed(steps[name], random) for name in ("Q", "K")}


def _grade_projections(document: Document, answers: Answers) -> float:
    steps = _steps(document)
    asked = [(0, 1), (1, 1), (2, 1), (0, 0)]
    q = _share(answers.get("Q", {}), steps["Q"])
    return 2 * q + 5 * _share(answers.get("K", {}), steps["K"], asked=asked)


def _answer_chain(document: Document, random: np.random.Generator) -> Answers:
    scores = _steps(document)["scores"]
    causal = document.spec.causal
    typed = _typed(scores, random)
    base = _followed(scores, typed) if random.random() < 0.6 else scores
    unscaled = random.random() < 0.1
    weights = _weights(base * np.sqrt(2) if unscaled else base, causal=causal)
    return {"scores": typed, "weights": _typed(weights, random)}


def _followed(scores: np.ndarray, typed: Cells) -> np.ndarray:
    """Return the scores as a student who goes on from what is typed has them."""
    followed = scores.copy()
    for place, text in typed.items():
        number = _read(text)
        if number is not None:
            followed[place] = number
    return followed


def _grade_chain(document: Document, answers: Answers) -> float:
    scores = _steps(document)["scores"]
    causal = document.spec.causal
    typed = answers.get("scores", {})
    own = _weights(_followed(scores, typed), causal=causal)
    right = _weights(scores, causal=causal)
    points = 3 * _share(typed, scores)
    return points + 2 * _share(answers.get("weights", {}), right, own)


def _answer_choices(document: Document, random: np.random.Generator) -> Answers:
    ticked = np.flatnonzero(random.random(4) < 0.5)
    return {"most": (int(random.integers(3)),), "both": tuple(map(int, ticked))}


def _grade_choices(document: Document, answers: Answers) -> float:
    weights = _weights(_steps(document)["scores"], causal=False)
    most = float(answers.get("most", ()) == (int(weights[2].argmax()),))
    ticked = set(answers.get("both", ()))
    hits = len(ticked & {0, 1}) - len(ticked & {2, 3})
    return most + 4 * max(0, hits) / 2


def _answer_bugs(document: Document, random: np.random.Generator) -> Answers:
    steps = ["Q", "K", "V", "scores", "scaled", "weights", "output", "no step"]
    bugs = [*FIRST_WRONG, "no-such-mistake"]
    return {"where": str(random.choice(steps)), "which": str(random.choice(bugs))}


def _grade_bugs(document: Document, answers: Answers) -> float:
    bug = document.spec.mistakes[0].id
    where = 2.0 * (answers.get("where") == FIRST_WRONG[bug])
    return where + float(answers.get("which") == bug)


KINDS: Mapping[str, Any] = {
    "projections": (_answer_projections, _grade_projections),
    "weights": (_answer_chain, _grade_chain),
    "causal": (_answer_chain, _grade_chain),
    "choices": (_answer_choices, _grade_choices),
    "bugs": (_answer_bugs, _grade_bugs),
}


def compared(students: int, folder: Path) -> Iterator[tuple[str, float, float]]:
    """Yield for every submission who it is of, our points and the independent ones."""
    random = np.random.default_rng(21)
    ids = [f"s{number:03}" for number in range(students)]
    for name, text in TEXTS.items():
        exercise = exercise_of(text)
        place = folder / name
        place.mkdir()
        course = [forged(exercise, student, random) for student in ids]
        for one in course:
            hand_in(place, one.student, submitted(one.student, exercise, one.answers))
        grades = grade_folder(place, exercise, roster_of(*ids), SECRET)
        assert not grades.refused, grades.refused
        for one in course:
            points = grades.by_student[one.student].points
            yield f"{name} of {one.student}: {one.answers}", points, one.points


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = list(compared(int(sys.argv[1]), Path(folder)))
    different = [one for one in found if abs(one[1] - one[2]) > 1e-9]
    for who, ours, theirs in different[:10]:
        sys.stdout.write(f"{who}: {ours} and {theirs}\n")
    shown = len(found) - len(different)
    sys.stdout.write(f"{shown} of {len(found)} grades are equal.\n")


if __name__ == "__main__":
    main()
