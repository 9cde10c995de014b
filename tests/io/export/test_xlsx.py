"""Workbooks: another program opens them, and finds the numbers and what they are."""

import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from attnviewer import __version__
from attnviewer.compute import Spec, run
from attnviewer.document import Document, Labels, Region
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.export.xlsx import book as module
from attnviewer.io.matrices import read_matrices

TOKENS = ("=1+1", "-2", "<a & 'b'>\r\n", "bell \x07 \ud800")
NUMBERS = [[0.1, -0.0], [5e-324, 1.7976931348623157e308], [1e16, 1 / 3], [1e-7, 2.0]]


def _computation() -> Computation:
    spec = Spec(projected=False, bias=True, scale=1e-300)
    bias = np.array([[0, -np.inf, 0, 1]] * 4)
    trace = run(spec, {"X": np.array(NUMBERS), "bias": bias})
    return Computation("=A title", Labels(TOKENS, TOKENS), trace)


def _book(path: Path, computation: Computation | None = None, **choice):
    export(computation or _computation(), path, "xlsx", Choice(**choice))
    return openpyxl.load_workbook(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.xlsx"


def test_every_number_is_there_bit_for_bit(path: Path) -> None:
    book = _book(path, steps=("X",), headers=False)
    got = np.array(list(book["X"].values), dtype=np.float64)
    assert got.tobytes() == np.array(NUMBERS).tobytes()


def test_labels_are_texts_whatever_they_look_like(path: Path) -> None:
    sheet = _book(path)["weights"]
    above = list(sheet[1][1:])
    beside = [row[0] for row in sheet.iter_rows(min_row=2)]
    for cells in (above, beside):
        assert {cell.data_type for cell in cells} == {"s"}
        # Excel keeps these signs apart as well; what XML cannot hold is replaced.
        assert [cell.value for cell in cells[:2]] == ["=1+1", "-2"]
        assert cells[2].value.splitlines()[0] == "<a & 'b'>"
        assert cells[3].value == "bell � �"
    assert sheet.freeze_panes == "B2"


def test_minus_infinity_is_a_text(path: Path) -> None:
    sheet = _book(path)["bias"]
    assert [cell.value for cell in sheet[2][1:]] == [0, "-inf", 0, 1]
    assert sheet["C2"].data_type == "s"


def test_the_first_sheet_tells_what_was_computed_and_leads_to_the_others(path) -> None:
    about = _book(path)["About"]
    rows = [[cell for cell in row if cell is not None] for row in about.values]
    assert rows[:4] == [
        ["attnviewer workbook", __version__],
        ["title", "=A title"],
        ["variant", "simplified"],
        ["n heads", "1"],
    ]
    start = rows.index(list(module.INDEX))
    assert rows[start + 1] == ["X", "X", 4, 2, "given", "numbers"]
    assert about["B2"].data_type == "s"
    steps = list(_computation().trace)
    assert [row[0] for row in rows[start + 1 :][: len(steps)]] == steps
    link = about.cell(start + 2, 1).hyperlink
    assert link.location == "'X'!A1"


def test_each_head_has_a_sheet_and_one_can_be_chosen(path: Path) -> None:
    computation = Computation.of(load("example:two-heads"))
    names = _book(path, computation, steps=("X", "weights")).sheetnames
    assert names == ["About", "X", "weights H0", "weights H1"]
    names = _book(path, computation, steps=("X", "weights"), head=1).sheetnames
    assert names == ["About", "X", "weights H1"]


def test_names_differ_by_more_than_their_case(path: Path) -> None:
    rng = np.random.default_rng(0)
    shapes = {"X": (2, 2), "w_q": (2, 1), "w_k": (2, 1), "v": (1,)}
    inputs = {
        name: rng.normal(size=shapes.get(name, (2, 2)))
        for name in Spec(score="additive").input_names
    }
    trace = run(Spec(score="additive"), inputs)
    computation = Computation("", Labels(("a", "b"), ("a", "b")), trace)
    names = _book(path, computation).sheetnames
    assert {"W_Q", "w_q (2)", "v", "V (2)"} <= set(names)
    assert len({name.lower() for name in names}) == len(names)


def test_some_cells_are_written_with_their_labels(path: Path) -> None:
    cells = Region(1, 0, 2, 2)
    sheet = _book(path, steps=("X",), cells=cells, formulas=True)["X"]
    assert sheet.dimensions == "A1:C3"
    assert sheet["A2"].value == "-2"
    assert sheet["B3"].value == 1e16


def test_the_same_computation_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    for path in (one, other):
        _book(path, formulas=True)
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as file:
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_no_sheet_can_hold_is_refused(path: Path) -> None:
    wide = run(Spec(projected=False), {"X": np.ones((1, 2**14))})
    computation = Computation("", Labels(("a",), ("a",)), wide)
    with pytest.raises(
        ValueError, match=r"1,048,576 rows and 16,384 columns\. 'X' has"
    ):
        _book(path, computation)
    assert not path.exists()
    _book(path, computation, steps=("X",), cells=Region(0, 0, 1, 2**14 - 3))


def test_more_numbers_than_are_sensible_are_refused(path, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_NUMBERS", 20)
    with pytest.raises(ValueError, match=r"may have 20 numbers\. Got \d+ instead"):
        _book(path)


@pytest.mark.parametrize("formulas", [False, True])
@pytest.mark.parametrize("example", ["four-words", "two-heads", "journey"])
def test_a_workbook_is_read_back_bit_for_bit(path: Path, example, formulas) -> None:
    document = load(f"example:{example}")
    computation = Computation.of(document)
    _book(path, computation, formulas=formulas)
    read = read_matrices(path)
    assert list(read.values) == list(computation.trace)
    for step, values in read.values.items():
        want = np.ascontiguousarray(computation.trace[step])
        assert values.tobytes() == want.tobytes()
        assert values.shape == want.shape
    assert read.tokens == document.tokens
    lowest = "'masked' has −∞ in it, which only a bias can use."
    assert read.notices == ([lowest] if "masked" in read.values else [])


def test_a_workbook_with_weights_that_are_undefined_opens_again(path: Path) -> None:
    spec = Spec(projected=False, normalizer="sum")
    document = Document("A sum of 0", ["a", "b"], {"X": [[0.0], [1.0]]}, spec)
    _book(path, Computation.of(document))
    assert np.isnan(document.compute()["weights"][0]).all()
    assert load(str(path)).matrix("X").tolist() == [[0.0], [1.0]]


@pytest.mark.parametrize(
    ("token", "told"),
    [("a\0b", True), ("\x1b[0m", True), ("x" * 40_000, True), ("ünï\t", False)],
)
def test_texts_that_a_workbook_cannot_hold_are_told(tmp_path, token, told) -> None:
    labels = Labels((token, "c"), (token, "c"))
    trace = run(Spec(projected=False), {"X": np.eye(2)})
    path = tmp_path / "texts.xlsx"
    export(Computation("Texts", labels, trace), path, "xlsx")
    about = openpyxl.load_workbook(path)["About"]
    texts = [str(cell.value) for row in about for cell in row]
    assert any(text.startswith("Some texts could not be") for text in texts) is told
