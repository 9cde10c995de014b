"""What the README shows is so."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True)


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
