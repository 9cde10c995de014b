"""What the recipes for new rules and pages promise, on a copy of the package."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

import attnviewer
from attnviewer import load_example
from attnviewer.ui.theme import LIGHT
from tests.io.export.spreadsheet import Spreadsheet

PACKAGE = Path(attnviewer.__file__).parent
RECIPES = Path(__file__).parent / "recipes"
MOST_LINES = {"softplus": 40, "distance": 80, "histogram": 60}
PAGE = '    "histogram": View("Histo&gram", "Ctrl+6", "histogram.Histogram"),\n'

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
IN_THE_WINDOW = """
import json
from attnviewer.ui.app import create_window
from attnviewer.ui.application import create_application
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

application = create_application()
window = create_window("example:four-words")
window.show()
application.processEvents()
(menu,) = [a.menu() for a in window.menuBar().actions() if a.text() == "&View"]
lines = {line.text(): line.shortcut().toString() for line in menu.actions()}
letters = [QKeySequence.mnemonic(text).toString() for text in lines if text]
view = window.step_view
QTest.keyClick(window, Qt.Key.Key_6, Qt.KeyboardModifier.ControlModifier)
application.processEvents()
image = view.page.grab().toImage()
bars = []
for place in range(10):
    x = int((place + 0.5) * image.width() / 10)
    colors = [image.pixelColor(x, y).name() for y in range(image.height())]
    bars.append(colors.count(window.appearance.theme.accent) / image.height())
tab = view.header.tabs.tabText(view.header.tabs.currentIndex())
print(json.dumps({
    "key": lines["Histo&gram"],
    "letters": sorted(letters) == sorted(set(letters)),
    "view": view.view,
    "tab": tab,
    "page": view.page.objectName(),
    "visible": view.page.isVisible(),
    "bars": bars,
}))
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


def add_page(copy: Path) -> None:
    """Add the page of a recipe, and its line in the table of views."""
    recipe = RECIPES / "histogram.py"
    assert len(recipe.read_text("utf-8").splitlines()) <= MOST_LINES["histogram"]
    shutil.copy(recipe, copy / "attnviewer/ui/step")
    table = copy / "attnviewer" / "views.py"
    start, head, end = table.read_text("utf-8").partition("VIEWS = {\n")
    rows, close, rest = end.partition("}\n")
    assert head
    table.write_text("".join((start, head, rows, PAGE, close, rest)), "utf-8")


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


def accent_share(path: Path) -> float:
    """Return how much of a picture is of the colour of the bars."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    colors = np.frombuffer(image.constBits(), dtype=np.uint32)
    return float(np.mean(colors == QColor(LIGHT.accent).rgb()))


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


def test_a_page_is_a_file_and_a_line(copy) -> None:
    add_page(copy)
    told = json.loads(python(copy, "-c", IN_THE_WINDOW))
    bars = told.pop("bars")
    assert told == {
        "key": "Ctrl+6",
        "letters": True,
        "view": "histogram",
        "tab": "Histogram",
        "page": "step.histogram",
        "visible": True,
    }
    weights = load_example("four-words").compute()["weights"]
    counts, _ = np.histogram(weights, 10, (0, 1))
    np.testing.assert_allclose(bars, counts / counts.max(), atol=0.01)
    shot, picture = copy / "shot.png", copy / "picture.png"
    command = "-m", "attnviewer"
    asked = "example:four-words", "--view", "histogram"
    python(copy, *command, "screenshot", *asked, "--to", str(shot))
    python(copy, *command, "export", *asked, "--to", str(picture))
    for path in (shot, picture):
        assert accent_share(path) > 0.05
