"""Notebooks are valid, run cell by cell with NumPy alone, and tell what they do."""

import json

import nbformat
import numpy as np
import pytest

from attnviewer import __version__
from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export
from tests.io.export.computations import EVERY, computation
from tests.io.export.running import run_alone


def _code(path) -> list[str]:
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory):
    """Write the notebooks of every computation."""
    folder = tmp_path_factory.mktemp("notebooks")
    paths = {}
    for place, name in enumerate(EVERY):
        paths[name] = folder / f"{place}.ipynb"
        export(computation(name), paths[name], "ipynb")
    return paths


@pytest.fixture(scope="module")
def results(notebooks):
    programs = []
    for path in notebooks.values():
        programs.append(path.with_suffix(".py"))
        # Each cell by itself, one after another, as in a kernel.
        cells = [f"exec({cell!r}, globals())" for cell in _code(path)]
        programs[-1].write_text("\n".join(cells), encoding="utf-8")
    return dict(zip(notebooks, run_alone(programs), strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_the_cells_compute_every_step_alike_with_numpy_alone(name, results) -> None:
    error, said = results[name]
    assert error is None, said
    stages = computation(name).trace.stages
    checked = [line for line in said.splitlines() if line.endswith(": as expected")]
    computed = [step for step, stage in stages.items() if stage.inputs]
    assert checked == [f"{step}: as expected" for step in computed]


@pytest.mark.parametrize("name", EVERY)
def test_a_notebook_is_valid_as_it_is(name, notebooks) -> None:
    content = json.loads(notebooks[name].read_text(encoding="utf-8"))
    nbformat.validate(content)
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    cells = content["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_the_same_document_gives_the_same_bytes(notebooks, tmp_path) -> None:
    again = tmp_path / "again.ipynb"
    export(computation("multi-head"), again, "ipynb")
    assert again.read_bytes() == notebooks["multi-head"].read_bytes()


def test_a_corrupted_number_is_noticed(tmp_path) -> None:
    path = tmp_path / "words.ipynb"
    export(Computation.of(load("example:journey")), path, "ipynb")
    cells = [cell.replace("[0.43, 0.15", "[0.44, 0.15") for cell in _code(path)]
    program = tmp_path / "words.py"
    program.write_text("\n".join(cells), encoding="utf-8")
    assert run_alone([program])[0][0] == "AssertionError"


def test_a_notebook_says_what_it_computes_with_formulas_between(notebooks) -> None:
    cells = nbformat.read(notebooks["example:two-heads"], as_version=4).cells
    first = cells[0].source.splitlines()
    assert first[0] == "# Two heads with a causal mask"
    told = ("variant: multi\\_head", "scale: 1/sqrt(d\\_k)", "causal: yes")
    for line in (*told, f"attnviewer: {__version__}"):
        assert f"- {line}" in first
    place = next(
        k for k, cell in enumerate(cells) if cell.source.startswith("### scaled")
    )
    assert cells[place].source == (
        "### scaled (2, 7, 7)\n\n$$\n"
        r"\mathrm{scaled} = \mathrm{scores} / \sqrt{d_{k}}"
        "\n$$"
    )
    assert cells[place + 1].source == "scaled = scores / math.sqrt(4)\nscaled"


def test_a_title_is_shown_as_it_is(tmp_path) -> None:
    title = "# $x$ [link](javascript:1) <b>*bold*</b> | 🙂\n\\(y\\) \udc80"
    document = Document(title, ["a"], {"X": np.eye(1)}, Spec(projected=False))
    path = tmp_path / "title.ipynb"
    export(Computation.of(document), path, "ipynb", Choice(("scores",)))
    heading = nbformat.read(path, as_version=4).cells[0].source.splitlines()[0]
    assert heading == (
        r"# \# &#36;x&#36; &#91;link&#93;(javascript:1) "
        r"\<b\>\*bold\*\</b\> &#124; 🙂 &#92;(y&#92;) &#92;udc80"
    )
