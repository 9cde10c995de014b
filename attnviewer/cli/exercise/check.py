"""``attnviewer exercise check``: texts, exercises and submissions."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.output import print_line
from attnviewer.cli.parsing import Parser, command_parser

if TYPE_CHECKING:
    from attnviewer.teaching.lesson import Lesson

RIGHT, WRONG = 0, 1
"""Exit codes; 2 is for files that cannot be read."""
_FORMATIVE = (
    "This is for practice: the grade is computed with the course's secret, which is "
    "not used here."
)


def run_check(arguments: list[str]) -> int:
    """Check a text, an exercise or a submission."""
    parser = _parser()
    options = parser.parse_args(arguments)
    from attnviewer.io.errors import FileFormatError

    is_submission = options.file.suffix.lower() == ".attnsub"
    if is_submission and options.exercise is None:
        parser.error("a submission needs --exercise")
    if not is_submission:
        parser.refuse_given(options, ["exercise"], "is for submissions")
    try:
        if is_submission:
            return _check_submission(options.file, options.exercise)
        _check_text(options.file)
    except FileFormatError as error:
        print_line(str(error))
        return WRONG
    return RIGHT


def _check_text(path: Path) -> None:
    from attnviewer.teaching.exercise.file import read_exercise
    from attnviewer.teaching.reading import read_lesson

    if path.suffix.lower() == ".attnx":
        print_line(f"{path}: {_summary(read_exercise(path).lesson)}")
    else:
        print_line(f"{path}: {_summary(read_lesson(path))}")


def _summary(lesson: "Lesson") -> str:
    tasks = sum(len(page.tasks) for page in lesson.pages)
    counts = [(len(lesson.pages), "page"), (tasks, "task"), (lesson.points, "point")]
    if lesson.exercises:
        counts.append((len(lesson.exercises), "generated exercise"))
    counted = ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for n, name in counts)
    return f"'{lesson.title}' is in order: {counted}."


def _check_submission(path: Path, exercise_path: Path) -> int:
    from attnviewer.teaching.exercise.file import read_exercise
    from attnviewer.teaching.exercise.grading import check_exercise, verdicts_of
    from attnviewer.teaching.exercise.submission import read_submission

    exercise, submission = read_exercise(exercise_path), read_submission(path)
    check_exercise(path, submission, exercise)
    verdicts = verdicts_of(path, submission, exercise, submission.seed)
    points = 0.0
    tasks = [task for page in exercise.lesson.pages for task in page.tasks]
    for task in tasks:
        verdict = verdicts.get(task.id)
        if verdict is None:
            print_line(f"{task.id}: no answer")
            continue
        points += task.points * verdict.share
        got = f"{round(task.points * verdict.share, 2):g} of {task.points:g}"
        feedback = f" {verdict.message}" if verdict.message else ""
        print_line(f"{task.id}: {got}.{feedback}")
        for (row, column), cell in sorted(verdict.cells.items()):
            if not cell.right or cell.carried:
                word = "follows from an earlier answer" if cell.right else "wrong"
                message = f" {cell.message}" if cell.message else ""
                print_line(f"  [{row}, {column}] {word}.{message}")
    print_line(f"{round(points, 2):g} of {exercise.lesson.points:g} points")
    print_line(_FORMATIVE)
    done = all(task.id in verdicts and verdicts[task.id].right for task in tasks)
    return RIGHT if done else WRONG


def _parser() -> Parser:
    parser = command_parser(
        "exercise check",
        "Check the text of a lesson or an exercise, an exercise file, or the answers "
        "of a submission. The exit code is 0 where all is right, 1 where something is "
        "wrong, and 2 where a file cannot be read.",
    )
    parser.add_argument("file", metavar="FILE.md|.attnx|.attnsub", type=Path)
    parser.add_argument(
        "--exercise",
        metavar="FILE.attnx",
        type=Path,
        help="the exercise that a submission answers",
    )
    return parser
