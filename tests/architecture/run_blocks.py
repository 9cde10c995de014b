"""Run the code blocks of pages one after the other, each page in a folder of its own.

``python -m tests.architecture.run_blocks PAGE…``; the folders are below that of the
start, and have the names of the pages without suffix. Windows close as soon as they are
filled. What stands as a number behind a line of Python, or below a command, is what
that must give. A lesson must be one; later blocks find it as lesson.md.
"""

import ast
import contextlib
import io
import os
import runpy
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import Qt, QTimer

from attnviewer.cli import main as attnviewer
from attnviewer.goal_seek import search
from attnviewer.teaching import read_lesson
from attnviewer.ui import launch
from attnviewer.ui.interactive import exploration
from attnviewer.ui.window.main_window import MainWindow
from tests.architecture.blocks import blocks

WITHOUT_WINDOW = {"doctor", "examples", "export", "screenshot", "--export", "--heads"}
WITHOUT_WINDOW |= {"--generate", "--screenshot", "--version", "exercise", "patterns"}
WITHOUT_WINDOW |= {"survey"}
DRAWS = "scripts/screenshots.py"
MEASURES = "scripts/bench.py"
"""Scripts that are run here: to start Python and Qt, or NumPy twice, takes longer than
what they do. How the second is started, tests/test_bench.py asks."""
opened: list[str] = []


def close_windows() -> None:
    """Have every window close as soon as it is filled."""
    complete = MainWindow.complete

    def close(window: MainWindow) -> None:
        unseen = window.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        if window.isVisible() and not unseen:  # not one that is drawn into a picture
            opened.append(window.document.title)
            window.close()

    def completed(window: MainWindow) -> None:
        complete(window)
        QTimer.singleShot(0, window, partial(close, window))

    MainWindow.complete = completed  # type: ignore[method-assign]
    launch.missing_display = lambda: None
    exploration.invisible_reason = lambda: None


def run_python(text: str, names: dict[str, object]) -> None:
    lines = text.splitlines()
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node)
        assert source is not None
        if not isinstance(node, ast.Expr):
            exec(source, names)
            continue
        got = eval(source, names)
        _, _, comment = lines[node.end_lineno - 1].rpartition("  # ")
        with contextlib.suppress(SyntaxError, ValueError):
            want = ast.literal_eval(comment)
            if not isinstance(node.value, ast.Constant):
                got = round(got, 4) if isinstance(want, float) else got
                assert got == want, f"{source} is {got!r}, not {want!r}"


def run_console(text: str) -> None:
    whole = text.removeprefix("$ ").replace("\\\n", "")
    for part in whole.split("\n$ "):
        line, _, want = part.partition("\n")
        program, *arguments = shlex.split(line)
        if program == ".venv/bin/python" and arguments[0] == DRAWS:
            with patch.object(sys, "argv", arguments):
                runpy.run_path(DRAWS, run_name="__main__")
            continue
        if program == "python3" and arguments[0] == MEASURES:
            measure(arguments[1:])
            continue
        if program == "python3":
            subprocess.run([sys.executable, *arguments], check=True)
            continue
        assert program == "attnviewer", line
        written, before = io.TextIOWrapper(io.BytesIO(), "utf-8"), len(opened)
        with contextlib.redirect_stdout(written):
            code = attnviewer(arguments)
        assert code == 0 or (code == 1 and arguments[0] == "doctor"), line
        written.seek(0)
        got = written.read()
        if want.strip():
            assert got.splitlines() == want.splitlines(), f"{line} writes {got}"
        shows = WITHOUT_WINDOW.isdisjoint(arguments)
        assert len(opened) - before == shows, f"{line} opens {opened[before:]}"
        assert got or shows, f"{line} writes nothing"


def measure(arguments: list[str]) -> None:
    folder = Path("scripts/benchmarks").resolve()
    with patch.object(sys, "path", [str(folder), *sys.path]):
        main = runpy.run_path(str(folder / "__main__.py"))["main"]
        names = main.__globals__
        names["in_a_process"] = names["measured"]
        assert main(arguments) == 0


def main() -> None:
    close_windows()
    search.STARTS = 3  # how small a change more of them find, tests/goal_seek asks
    start = Path.cwd()
    for page in map(Path, sys.argv[1:]):
        sys.stderr.write(f"{page.name}\n")  # so that an error tells where it was
        os.chdir(start / page.stem)
        run_page(page)


def run_page(page: Path) -> None:
    names: dict[str, object] = {}
    for block in blocks(page):
        if block.info == "python" and block.file is None:
            run_python(block.text, names)
        elif block.info == "console":
            run_console(block.text)
        elif block.info == "lesson":
            Path("lesson.md").write_text(block.text, encoding="utf-8")
            read_lesson("lesson.md")


if __name__ == "__main__":
    main()
