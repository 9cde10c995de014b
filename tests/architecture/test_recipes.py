"""The recipes of the manual's page on architecture, on a copy of the package."""

import json
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import cache_from_source
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

import attnviewer
from attnviewer import load_example
from attnviewer.ui.paint.theme import LIGHT
from tests.architecture.blocks import MANUAL, blocks
from tests.io.export.spreadsheet import Spreadsheet
from tests.io.matrices.files import safetensors
from tests.models import by_hand, checkpoints

PACKAGE = Path(attnviewer.__file__).parent
RECIPES = Path(__file__).parent / "recipes"
PAGE = MANUAL / "architecture.md"
MOST_LINES = {
    "center": 50,
    "covariance": 40,
    "distance": 40,
    "exaone": 50,
    "histogram": 60,
    "html_tables": 40,
    "softplus": 40,
}

EVERYWHERE = """
import sys
from pathlib import Path
import numpy as np
from attnviewer import save
from attnviewer.compute import Spec, run
from attnviewer.document import Document
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export

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
AS_A_SCRIPT = """
import runpy

runpy.run_path(str(next(folder.glob("py/*.py"))), run_name="__main__")
"""
IN_THE_BAR = """
from attnviewer.ui.window.app import create_window
from attnviewer.ui.window.application import create_application
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
STAGE = """
from PySide6.QtWidgets import QLabel
from attnviewer.compute import IncrementalEngine
from attnviewer.ui.window.app import create_window
from attnviewer.ui.window.application import create_application

rng = np.random.default_rng(4)
inputs = {name: rng.normal(size=(5, 5)) for name in ("X", "W_Q", "W_K", "W_V")}
spec = Spec(causal=True, score="covariance")
slopes = run(spec, inputs).gradient("weights", (3, 1))["X"]
engine = IncrementalEngine(spec, inputs)
for place in np.ndindex(5, 5):
    around = []
    for step in (1e-6, -1e-6):
        moved = inputs["X"].copy()
        moved[place] += step
        around.append(run(spec, {**inputs, "X": moved})["weights"][3, 1])
    np.testing.assert_allclose(slopes[place], (around[0] - around[1]) / 2e-6, atol=1e-8)
inputs["X"][2, 3] = 7.0
engine.edit("X", (slice(2, 3), slice(3, 4)))
fresh = run(spec, inputs)
for step in fresh:
    kept = engine.trace()[step]
    np.testing.assert_allclose(kept, fresh[step], rtol=1e-12, atol=1e-14)

application = create_application()
window = create_window(str(folder / "recipe.attn"))
window.show()
window.workbench.selection.choose_step("centred Q")
application.processEvents()
print(window.findChild(QLabel, "step.concept").text())
"""
MODELS = """
import sys
import numpy as np
from attnviewer import models

llama, renamed = (models.load(path).run([3, 17, 42, 5]) for path in sys.argv[1:])
assert renamed.model.architecture.family == "EXAONE"
for ours, theirs in zip(renamed.hidden_states, llama.hidden_states, strict=True):
    np.testing.assert_array_equal(ours, theirs)
assert renamed.next_tokens() == llama.next_tokens()
"""
FORMATS_IN_THE_WINDOW = """
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QListWidget

window.findChild(QAction, "action.export").trigger()
formats = QApplication.activeModalWidget().findChild(QListWidget, "export.formats")
print([formats.item(row).text() for row in range(formats.count())])
"""
LLAMA_AS_EXAONE = {
    "model.layers": "transformer.h",
    "model.embed_tokens": "transformer.wte",
    "model.norm": "transformer.ln_f",
    "input_layernorm": "ln_1",
    "post_attention_layernorm": "ln_2",
    "self_attn.o_proj": "attn.attention.out_proj",
    "self_attn": "attn.attention",
    "gate_proj": "c_fc_0",
    "up_proj": "c_fc_1",
    "down_proj": "c_proj",
    "num_hidden_layers": "num_layers",
    "rms_norm_eps": "layer_norm_epsilon",
    "hidden_act": "activation_function",
}
IN_THE_WINDOW = """
import json
from attnviewer.ui.window.app import create_window
from attnviewer.ui.window.application import create_application
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
QTest.keyClick(window, Qt.Key.Key_8, Qt.KeyboardModifier.ControlModifier)
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


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Copy the package with its bytecode, wherever that lies.

    To compile all takes longer than to test.
    """
    copied = tmp_path_factory.mktemp("package") / "attnviewer"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    for source in PACKAGE.rglob("*.py"):
        bytecode = Path(cache_from_source(str(source)))
        if bytecode.exists():
            beside = copied / source.relative_to(PACKAGE).parent / "__pycache__"
            beside.mkdir(exist_ok=True)
            shutil.copy2(bytecode, beside)
    return copied


@pytest.fixture
def copy(tmp_path, compiled):
    """Link the files of the copy, and return the folder in which they lie."""
    shutil.copytree(compiled, tmp_path / "attnviewer", copy_function=os.link)
    (tmp_path / "resources").symlink_to(PACKAGE.parent / "resources")
    return tmp_path


def follow(section: str, copy: Path) -> None:
    """Do in the copy what a section of the page says."""
    recipe = [block for block in blocks(PAGE) if block.section == section]
    assert recipe
    for block in recipe:
        assert block.file is not None
        file = copy / block.file
        if block.info == "python":
            assert not file.exists()
            file.write_text(block.text, "utf-8")
            continue
        assert block.info == "diff"
        text = file.read_text("utf-8")
        for hunk in block.text.split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            before, after = (
                "".join(line[1:] for line in lines if line[0] != sign) for sign in "+-"
            )
            assert text.count(before) == 1, hunk
            text = text.replace(before, after)
        file.unlink()  # what other recipes link to stays
        file.write_text(text, "utf-8")


def python(copy: Path, *arguments: str) -> str:
    """Run Python in the folder of the copy, and return what it prints."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPYCACHEPREFIX"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=environment,
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


def test_the_page_shows_every_recipe_as_it_is() -> None:
    shown = {
        Path(block.file).name: block.text
        for block in blocks(PAGE)
        if block.file is not None and block.info == "python"
    }
    assert shown == {path.name: path.read_text("utf-8") for path in RECIPES.iterdir()}
    for path in RECIPES.iterdir():
        assert len(shown[path.name].splitlines()) <= MOST_LINES[path.stem]


def test_a_normaliser_is_a_file_and_a_name_in_the_table(copy) -> None:
    follow("A normaliser", copy)
    asked = EVERYWHERE + AS_A_SCRIPT + IN_THE_BAR
    told = python(copy, "-c", asked, str(copy), "normalizer=softplus")
    masked = np.load(copy / "masked.npy")
    heights = np.logaddexp(0, masked / 2)
    want = heights / heights.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(np.load(copy / "weights.npy"), want, rtol=1e-13)
    assert "weights: as expected" in told
    table = Spreadsheet(next(copy.glob("xlsx/*.xlsx"))).matrix("weights H1")
    np.testing.assert_allclose(table, want[1], rtol=1e-12)
    assert told.endswith("\nsoftplus\n")


def test_a_score_is_a_file_and_a_name_in_the_table(copy) -> None:
    follow("A score", copy)
    told = python(copy, "-c", EVERYWHERE + AS_A_SCRIPT, str(copy), "score=distance")
    q, k = np.load(copy / "q.npy"), np.load(copy / "k.npy")
    want = -np.square(q[:, :, np.newaxis] - k[:, np.newaxis]).sum(axis=-1)
    np.testing.assert_allclose(np.load(copy / "scores.npy"), want, rtol=1e-13)
    assert "scores: as expected" in told
    table = Spreadsheet(next(copy.glob("xlsx/*.xlsx"))).matrix("scores H1")
    np.testing.assert_allclose(table, want[1], rtol=1e-12)


def test_a_page_and_an_export_are_a_file_and_a_line_each(copy) -> None:
    follow("A page", copy)
    follow("An export", copy)
    shot, picture = copy / "shot.png", copy / "picture.png"
    asked = "example:four-words", "--view", "histogram", "--to"
    commands = (
        ("screenshot", *asked, str(shot)),
        ("export", *asked, str(picture)),
        ("export", "example:two-heads", "--to", "steps.html"),
    )
    each = "; ".join(f"assert not main({list(command)})" for command in commands)
    in_the_window = IN_THE_WINDOW + FORMATS_IN_THE_WINDOW
    code = f"{in_the_window}\nfrom attnviewer.cli import main; {each}"
    page, formats, *told = python(copy, "-c", code).splitlines()
    check_histogram(json.loads(page), shot, picture)
    assert "HTML tables" in formats
    assert "steps.html written" in told
    check_tables(copy / "steps.html")


def check_histogram(told: dict[str, object], shot: Path, picture: Path) -> None:
    bars = told.pop("bars")
    assert told == {
        "key": "Ctrl+8",
        "letters": True,
        "view": "histogram",
        "tab": "Histogram",
        "page": "step.histogram",
        "visible": True,
    }
    weights = load_example("four-words").compute()["weights"]
    counts, _ = np.histogram(weights, 10, (0, 1))
    np.testing.assert_allclose(bars, counts / counts.max(), atol=0.01)
    for path in (shot, picture):
        assert accent_share(path) > 0.05


def test_a_stage_has_gradients_explanations_updates_exports_and_words(copy) -> None:
    follow("A stage", copy)
    asked = EVERYWHERE + AS_A_SCRIPT + STAGE
    told = python(copy, "-c", asked, str(copy), "score=covariance")
    q, k = (
        side - side.mean(axis=-1, keepdims=True)
        for side in (np.load(copy / "q.npy"), np.load(copy / "k.npy"))
    )
    want = np.einsum("hqd,hkd->hqk", q, k)
    np.testing.assert_allclose(np.load(copy / "scores.npy"), want, rtol=1e-12)
    assert "centred_Q: as expected" in told.replace("centred Q", "centred_Q")
    table = Spreadsheet(next(copy.glob("xlsx/*.xlsx"))).matrix("scores H1")
    np.testing.assert_allclose(table, want[1], rtol=1e-12)
    assert "Each row without its mean." in told


def test_a_family_is_a_file_and_a_name_in_the_table(copy) -> None:
    follow("A family", copy)
    llama, renamed = copy / "llama", copy / "renamed"
    checkpoints.write_llama(llama)
    renamed.mkdir()
    config = json.loads((llama / "config.json").read_text("utf-8"))
    config = {as_exaone(key): value for key, value in config.items()}
    config["model_type"] = "exaone"
    (renamed / "config.json").write_text(json.dumps(config), "utf-8")
    tensors = {
        as_exaone(name): ("F32", list(values.shape), values.astype("<f4").tobytes())
        for name, values in by_hand.tensors(llama).items()
    }
    assert "transformer.h.0.attn.attention.out_proj.weight" in tensors
    (renamed / "model.safetensors").write_bytes(safetensors(tensors))
    python(copy, "-c", MODELS, str(llama), str(renamed))


def as_exaone(name: str) -> str:
    """Return what EXAONE calls a tensor or a field of Llama."""
    for llama, exaone in LLAMA_AS_EXAONE.items():
        name = name.replace(llama, exaone)
    return name


def check_tables(file: Path) -> None:
    page = Tables()
    page.feed(file.read_text("utf-8"))
    trace = load_example("two-heads").compute()
    weights = [page.tables[f"weights.head{head}"] for head in range(2)]
    np.testing.assert_array_equal(np.array(weights, float), trace["weights"])
    assert set(page.tables) >= {"X", "output"}


class Tables(HTMLParser):
    """The numbers of each table, under its heading."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[float]]] = {}
        self._within, self._heading = "", ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._within = tag
        if tag == "tr":
            self.tables.setdefault(self._heading, []).append([])

    def handle_data(self, data: str) -> None:
        if self._within == "h2" and data.strip():
            self._heading = data
        elif self._within == "td" and data.strip():
            self.tables[self._heading][-1].append(float(data))

    def handle_endtag(self, tag: str) -> None:
        self._within = ""
        if tag == "table":  # whose first row is of headings
            self.tables[self._heading].pop(0)
