"""What the README shows is so."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from attnviewer.views import VIEWS, View

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
CLOSING = """
from PySide6.QtCore import QTimer
from attnviewer.ui.exploration import exploration

def close():
    (shown,) = exploration._open
    assert shown.document.tokens == ("the", "cat", "sat")
    shown.close()

exploration.missing_display = lambda: None
opening = exploration._window

def opened(*of, **how):
    QTimer.singleShot(0, close)
    return opening(*of, **how)

exploration._window = opened
"""
"""Has the window close by itself as soon as it is in sight."""


def test_the_example_with_a_window_runs_and_saves_what_it_shows(tmp_path: Path) -> None:
    example = EXAMPLES[1]
    lines = [line for line in example.splitlines() if line]
    assert len(lines) <= 11
    subprocess.run([sys.executable, "-c", CLOSING + example], cwd=tmp_path, check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["cat.attn"]


def test_the_example_with_numbers_runs(tmp_path: Path) -> None:
    (_, _, example) = EXAMPLES
    subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True)


def test_the_example_with_a_model_gives_the_numbers_it_tells(minilm: Path) -> None:
    names: dict[str, object] = {}
    told = []
    for line in (
        EXAMPLES[0].replace('"all-MiniLM-L6-v2"', repr(str(minilm))).splitlines()
    ):
        code, _, comment = line.partition("  # ")
        if re.match(r"[\d(]", comment):
            got, want = eval(code, names), ast.literal_eval(comment)
            assert got == pytest.approx(want, abs=5e-5), line
            told.append(want)
        else:
            exec(code, names)
    assert told == [0.6768, (16, 384), (0, 2)]


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    missing = [link for link in links if not (ROOT / link).exists()]
    assert missing == []


def test_the_layout_of_the_house_names_folders_that_exist() -> None:
    (house,) = re.findall(r"```\n(attnviewer/.*?)```", README, re.DOTALL)
    names = set(re.findall(r"(?<![\w/])(\w+)/", house))
    assert len(names) > 8
    known = {p.name for p in ROOT.rglob("*") if p.is_dir() and ".venv" not in p.parts}
    assert names <= known


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_every_view_is_told_with_its_key(view: View) -> None:
    assert f"**{view.title.replace('&', '')}** ({view.key})" in README
