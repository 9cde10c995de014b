"""What the README and the manual show is so."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from attnviewer.cli import main
from attnviewer.ui.manual.pages import manual_pages, slug
from attnviewer.views import VIEWS, View
from tests.architecture.blocks import MANUAL, PAGES, ROOT, blocks

README = (ROOT / "README.md").read_text(encoding="utf-8")
MODEL = "all-MiniLM-L6-v2"
RUN = [page for page in PAGES if any(blocks(page))]
NEED_MODEL = [
    page
    for page in RUN
    if any(f"{MODEL} " in b.text or f'"{MODEL}"' in b.text for b in blocks(page))
]
ALONE = [page for page in RUN if page not in NEED_MODEL]
SETUP = "python3 scripts/run.py", "python3 scripts/test.py"
"""What no block runs: test_environment.py does, without a network."""
COMMANDS = "export", "screenshot", "model", "doctor", "patterns", "survey"
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def texts() -> dict[str, str]:
    return {page.name: page.read_text(encoding="utf-8") for page in PAGES}


def test_every_code_block_runs_and_gives_what_it_shows(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    for page in RUN:
        folder = tmp_path / page.stem
        folder.mkdir()
        (folder / "scripts").symlink_to(ROOT / "scripts")
    try:
        model = request.getfixturevalue("minilm")
    except pytest.skip.Exception:
        run(ALONE, tmp_path)
        raise
    for page in NEED_MODEL:
        (tmp_path / page.stem / MODEL).symlink_to(model)
    run(RUN, tmp_path)


def run(pages: list[Path], start: Path) -> None:
    """Run pages in one process: it takes longer to start than most pages to run."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.architecture.run_blocks", *map(str, pages)],
        cwd=start,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen",
            "XDG_CONFIG_HOME": str(start),
        },
        capture_output=True,
        encoding="utf-8",
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_two_commands_that_set_up_are_not_run() -> None:
    left_out = []
    for page in PAGES:
        for block in blocks(page):
            # Those about a file are recipes, which test_recipes.py runs.
            if block.file is None and block.info not in ("python", "console", "lesson"):
                assert block.info == "sh setup"
                left_out += [line.partition("  ")[0] for line in block.text.split("\n")]
    assert tuple(filter(None, left_out)) == SETUP


def test_every_link_leads_to_a_file_and_to_a_heading_in_it() -> None:
    headings = {
        page: {slug(h) for h in re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)}
        for page in PAGES
    }
    links = [
        (page, link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)]+)\)", FENCE.sub("", page.read_text("utf-8")))
    ]
    assert len(links) > 20
    for page, link in links:
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not heading or heading in headings[target], link


def test_the_manual_stands_alone() -> None:
    """An installed wheel has nothing of the checkout but the manual."""
    for page in MANUAL.glob("*.md"):
        assert "](.." not in page.read_text(encoding="utf-8"), page.name


def test_the_index_names_every_page_once() -> None:
    index = (MANUAL / "index.md").read_text(encoding="utf-8")
    names = re.findall(r"\]\((.*?)\)", index)
    assert sorted([*names, "index.md"]) == sorted(p.name for p in MANUAL.glob("*.md"))
    assert [page.path.name for page in manual_pages()] == names


def test_no_table_stands_right_below_a_code_block() -> None:
    """Qt would take its first cell for a paragraph."""
    for name, text in texts().items():
        assert not re.search(r"^```\n+\|", text, re.M), name


def test_the_readme_is_a_screen_with_a_picture() -> None:
    assert len(README.splitlines()) <= 60
    assert README.count("![") == 1
    assert re.findall("^## (.*)$", README, re.M)[1] == "Three ways in"


def test_every_picture_is_small_and_is_shown(qapp: QApplication) -> None:
    shown = set(re.findall(r"\]\(\S*pictures/(\S+)\)", "".join(texts().values())))
    there = {p.name for p in (MANUAL / "pictures").iterdir()}
    assert {name for name in there if "-dark" not in name} == shown
    for name in there:
        path = MANUAL / "pictures" / name
        assert path.stat().st_size <= 280_000, name
        assert not QImage(str(path)).isNull()


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_the_guide_tells_every_view_with_its_key(view: View) -> None:
    guide = texts()["guide.md"]
    assert f"**{view.title.replace('&', '')}** ({view.key})" in guide


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_of_the_commands_names_every_option_and_no_other(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([command, "--help"])
    options = set(
        re.findall(r"--[a-z-]+", capsys.readouterr().out.partition("\n\n")[0])
    )
    (section,) = re.findall(
        rf"^## {command}$(.*?)(?=^## |\Z)", texts()["command-line.md"], re.M | re.DOTALL
    )
    rows = re.findall(r"^\| (`--.*?`) \|", section, re.M)
    assert set(re.findall(r"--[a-z-]+", " ".join(rows))) == options


def test_every_extra_that_is_to_be_installed_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = set(re.findall(r"attnviewer\[(\w+)\]", "".join(texts().values())))
    assert named == {"models", "gguf", "gif", "fast", "cluster"}
    assert named <= set(project["optional-dependencies"])


def test_the_rooms_are_the_folders_that_there_are() -> None:
    page = texts()["architecture.md"].partition("## The rooms")[2].partition("\n## ")[0]
    (floors,) = re.findall(r"^\| floor.*\Z", page, re.M | re.DOTALL)
    named = set(re.findall(r"`(\w+)/`", floors))
    assert named == {
        path.parent.name for path in (ROOT / "attnviewer" / "ui").glob("*/__init__.py")
    }
    rooms = page.replace(floors, "")
    for row in re.findall(r"^\| `(\S+?)/` \| (.*) \|$", rooms, re.M):
        room = ROOT / row[0]
        inside = set(re.findall(r"`(\w+)/`", row[1]))
        folders = {path.parent.name for path in room.glob("*/__init__.py")}
        assert room.is_dir()
        if row[0] != "attnviewer/ui" and room.parts[-2] == "attnviewer":
            assert inside == folders, row[0]
        else:
            assert all((room / name).is_dir() for name in inside)
