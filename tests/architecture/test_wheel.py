"""The wheel works by itself: built, installed elsewhere, started from anywhere."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.timeout(900)

ROOT = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")

IS_THE_INSTALLED_ONE = """
import sys
from pathlib import Path

import attnviewer

assert Path(attnviewer.__file__).is_relative_to(sys.prefix), attnviewer.__file__
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy, so that nothing is left in the checkout.
    source = tmp_path_factory.mktemp("source") / "attnviewer"
    shutil.copytree(ROOT, source, ignore=LEFT_OUT)
    call(source, sys.executable, "-m", "hatchling", "build", "-t", "wheel")
    (wheel,) = (source / "dist").glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs' folder of an environment: the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("installed")
    call(folder, sys.executable, "-m", "venv", "--without-pip", "env")
    python = str(folder / "env" / BIN / "python")
    pip = sys.executable, "-m", "pip", "--python", python, "install"
    call(folder, *pip, "--quiet", "--no-deps", "--no-compile", str(wheel))
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(call(folder, python, "-c", where).strip())
    (own,) = Distribution.discover(name="attnviewer", path=[str(packages)])
    link_requirements(own, packages)
    return folder / "env" / BIN


def link_requirements(of: Distribution, packages: Path) -> None:
    """Link what a distribution requires, and nothing else, from the tests' environment.

    To unpack it anew takes far longer than to start what needs it.
    """
    for text in of.requires or ():
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        found = distribution(requirement.name)
        assert found.version in requirement.specifier, text
        for name in {file.parts[0] for file in found.files or ()} - {"..", "/"}:
            link = packages / name
            if not link.exists():
                link.symlink_to(found.locate_file(name))
        link_requirements(found, packages)


def call(cwd: Path, *command: str, **variables: str) -> str:
    """Return what a program writes, run as if the checkout did not exist."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "COV_"))
    }
    environment |= {"QT_QPA_PLATFORM": "offscreen"} | variables
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_wheel_holds_the_package_its_data_and_nothing_else(wheel: Path) -> None:
    names = {
        name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name
    }
    source = wheel.parents[1]
    data = files(source / "resources", called="attnviewer/_resources")
    assert names == files(source / "attnviewer", called="attnviewer") | data
    assert "attnviewer/_resources/examples/four-words.json" in names
    assert "attnviewer/_resources/manual/guide.md" in names
    assert "attnviewer/py.typed" in names


def files(folder: Path, called: str) -> set[str]:
    return {
        f"{called}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_installed_command_lists_the_examples(
    installed: Path, tmp_path: Path
) -> None:
    listing = call(tmp_path, str(installed / "attnviewer"), "examples")
    assert "four-words" in listing


def test_the_installed_command_draws_a_window_with_the_first_example(
    installed: Path, tmp_path: Path
) -> None:
    call(tmp_path, str(installed / "python"), "-c", IS_THE_INSTALLED_ONE)
    command = str(installed / "attnviewer")
    call(tmp_path, command, "screenshot", "example:four-words", "--to", "out.png")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG\r\n")
