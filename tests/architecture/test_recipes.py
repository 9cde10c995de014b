"""What the recipes for new rules promise, on a copy of the package."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attnviewer
from tests.io.export.spreadsheet import Spreadsheet

PACKAGE = Path(attnviewer.__file__).parent
RECIPES = Path(__file__).parent / "recipes"
MOST_LINES = {"softplus": 40, "distance": 80}

EVERYWHERE = """
import sys
from pathlib import Path
import numpy as np
from attnviewer import save
from attnviewer.compute import Spec, run
from attnviewer.document import Document
from attnviewer.io import Choice, Computation, export, load

folder, choice = Path(sys.argv[1]), dict([sys.argv[2].split("=")])
rng = np.random.default_rng(3)
inputs = {name: rng.normal(size=(4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
spec = Spec(n_heads=2, causal=True, temperature=2.0, **choice)
trace = run(spec, inputs)
for step in ("scores", "weights"):
    for index in np.ndindex(trace.shape(step)):
        told = trace.explain(step, index)
        assert told.steps or told.note
        for written in told.steps:
            np.testing.assert_allclose(written.evaluate(), told.value, rtol=1e-12)
document = Document("Recipe", list("abcd"), inputs, spec)
for kind in ("py", "torch", "xlsx", "tex", "md", "csv", "json", "npz"):
    (folder / kind).mkdir()
    formulas = Choice(formulas=kind == "xlsx")
    export(Computation.of(document), folder / kind, kind, formulas)
save(document, folder / "recipe.attn")
assert load(str(folder / "recipe.attn")).spec == spec
np.save(folder / "scores.npy", trace["scores"])
np.save(folder / "masked.npy", trace["masked"])
np.save(folder / "weights.npy", trace["weights"])
np.save(folder / "q.npy", trace["Q"])
np.save(folder / "k.npy", trace["K"])
"""
IN_THE_BAR = """
from attnviewer.ui.app import create_window
from attnviewer.ui.application import create_application
from PySide6.QtWidgets import QComboBox

application = create_application()
window = create_window("example:four-words")
window.show()
application.processEvents()
box = window.findChild(QComboBox, "spec.normalizer")
box.setCurrentIndex(box.findText("softplus"))
box.activated.emit(box.currentIndex())
application.processEvents()
print(window.workbench.document.spec.normalizer)
"""


@pytest.fixture
def copy(tmp_path):
    """Copy the package, and return the folder in which it lies."""
    shutil.copytree(PACKAGE, tmp_path / "attnviewer")
    (tmp_path / "resources").symlink_to(PACKAGE.parent / "resources")
    return tmp_path


def add(copy: Path, folder: str, module: str, table: str, before: str) -> None:
    """Add a recipe's file, and its line in the table."""
    recipe = RECIPES / f"{module}.py"
    assert len(recipe.read_text("utf-8").splitlines()) <= MOST_LINES[module]
    place = copy / "attnviewer" / "compute" / folder
    shutil.copy(recipe, place)
    text = (place / table).read_text("utf-8")
    name = module.capitalize()
    line = f"from attnviewer.compute.{folder}.{module} import {name}\n"
    changed = text.replace("from attnviewer", f"{line}from attnviewer", 1)
    start, table_of_all, end = changed.rpartition(before)
    assert table_of_all
    (place / table).write_text(f"{start}{name}, {before}{end}", "utf-8")


def python(copy: Path, *arguments: str) -> str:
    """Run Python in the folder of the copy, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_normaliser_is_a_file_and_a_line(copy) -> None:
    add(copy, "normalizers", "softplus", "by_name.py", "Sigmoid")
    python(copy, "-c", EVERYWHERE, str(copy), "normalizer=softplus")
    masked = np.load(copy / "masked.npy")
    heights = np.logaddexp(0, masked / 2)
    want = heights / heights.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(np.load(copy / "weights.npy"), want, rtol=1e-13)
    assert "weights: as expected" in python(copy, str(next(copy.glob("py/*.py"))))
    table = Spreadsheet(next(copy.glob("xlsx/*.xlsx"))).matrix("weights H1")
    np.testing.assert_allclose(table, want[1], rtol=1e-12)
    assert "softplus" in python(copy, "-c", IN_THE_BAR)


def test_a_scoring_rule_is_a_file_and_a_line(copy) -> None:
    add(copy, "scoring", "distance", "__init__.py", "Dot")
    python(copy, "-c", EVERYWHERE, str(copy), "score=distance")
    q, k = np.load(copy / "q.npy"), np.load(copy / "k.npy")
    want = -np.square(q[:, :, np.newaxis] - k[:, np.newaxis]).sum(axis=-1)
    np.testing.assert_allclose(np.load(copy / "scores.npy"), want, rtol=1e-13)
    assert "scores: as expected" in python(copy, str(next(copy.glob("py/*.py"))))
    table = Spreadsheet(next(copy.glob("xlsx/*.xlsx"))).matrix("scores H1")
    np.testing.assert_allclose(table, want[1], rtol=1e-12)
