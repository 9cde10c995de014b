"""The mask's table model and strokes, without a table."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, Replace
from attnviewer.document.masks import MaskPreset, mask_edit
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.inputs.mask.model import MaskModel
from attnviewer.ui.views.inputs.mask.stroke import Stroke

Role = Qt.ItemDataRole


def words(n, **spec):
    tokens = [f"word {i + 1}" for i in range(n)]
    return Document("Words", tokens, {"X": np.eye(n, 3)}, Spec(projected=False, **spec))


@pytest.fixture
def make_model(make_edits):
    made = []

    def make(document):
        edits = make_edits(document)
        model = MaskModel(document, edits, edits)
        fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
        made.append((document, QAbstractItemModelTester(model, fatal)))
        document.changed.connect(model.follow)
        return model, edits

    yield make
    for document, _ in made:
        document.changed.disconnect()
    made.clear()


def text(model, row, column, role=Role.DisplayRole):
    return model.data(model.index(row, column), role.value)


def test_a_cell_says_who_may_look_at_whom_and_why_not(make_model):
    model, _ = make_model(words(4, causal=True, key_lengths=3))
    assert text(model, 1, 1) == "1"
    for role in (Role.ToolTipRole, Role.AccessibleTextRole):
        assert text(model, 1, 0, role) == "word 2 may look at word 1"
        assert text(model, 1, 3, role) == (
            "word 2 does not see word 4: the key comes after the query and "
            "the key is padding"
        )


def test_headers_say_how_much_a_query_sees(make_model):
    model, _ = make_model(words(4, causal=True))
    down, across = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
    assert model.headerData(1, down, Role.DisplayRole.value) == "word 2"
    tip = Role.ToolTipRole.value
    assert model.headerData(1, down, tip) == "word 2 sees 2 of 4 keys"
    assert model.headerData(1, across, tip) == "word 2"


def test_cells_are_written_as_zero_and_one(make_model):
    model, edits = make_model(words(3, causal=True))
    assert model.setData(model.index(0, 2), " 1 ")
    assert text(model, 0, 2) == "1"
    assert not model.setData(model.index(0, 2), "0.5")
    with pytest.raises(ValueError, match="Type 1 where the query may look"):
        model.write(0, 0, "yes")
    model.write(0, 0, "1")
    assert edits.count() == 1


def test_copied_cells_are_pasted_as_one_edit(make_model):
    model, edits = make_model(words(3, causal=True))
    assert model.block_text(Region(1, 1, 2, 2)) == "1\t0\n1\t1"
    block = model.read_block("0\tTRUE\nfalse\t1")
    selection = InputSelection("mask", Region(1, 1, 2, 2))
    model.paste(selection, block.values)
    assert [[text(model, r, c) for c in range(3)] for r in range(3)] == [
        ["1", "0", "0"],
        ["1", "0", "1"],
        ["1", "0", "1"],
    ]
    assert edits.undoText() == "Paste into mask"
    assert edits.cursor.selection == selection
    model.paste(selection, block.values)
    assert edits.count() == 1


@pytest.mark.parametrize(("copied", "got"), [("1 0.5\n0 1", "0.5"), ("-1", "-1")])
def test_numbers_that_are_neither_are_not_taken(make_model, copied, got):
    model, edits = make_model(words(3, causal=True))
    with pytest.raises(ValueError, match=f"and 0 where it may not. Got {got} instead"):
        model.read_block(copied)
    assert edits.count() == 0


def test_views_hear_of_painted_cells_alone_and_of_their_rows(make_model):
    document = words(4, causal=True)
    model, edits = make_model(document)
    edits.submit(mask_edit(document, MaskPreset("painted"), "Paint"))
    cells, headers = [], []
    model.dataChanged.connect(
        lambda a, b: cells.append((a.row(), a.column(), b.row(), b.column()))
    )
    model.headerDataChanged.connect(lambda o, a, b: headers.append((o, a, b)))
    model.write(2, 1, "0")
    assert cells == [(2, 1, 2, 1)]
    assert headers == [(Qt.Orientation.Vertical, 2, 2)]


def test_the_model_follows_tokens_and_their_number(make_model):
    document = words(3, causal=True)
    model, edits = make_model(document)
    edits.submit(Replace("Rename", tokens=("a", "b", "c")))
    assert model.headerData(2, Qt.Orientation.Horizontal) == "c"
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    edits.submit(Replace("Add", tokens=(*"abcd",), matrices={"X": np.eye(4, 3)}))
    assert (model.rowCount(), model.columnCount(), resets) == (4, 4, [1])
    edits.undo()
    assert (model.rowCount(), model.columnCount()) == (3, 3)


def test_keys_of_a_second_sequence_are_named_across(make_model):
    matrices = {"X": np.eye(2, 3), "context": np.eye(3)}
    document = Document(
        "Two",
        ["q1", "q2"],
        matrices,
        Spec(projected=False, context=True, causal=True),
        context_tokens=["k1", "k2", "k3"],
    )
    model, _ = make_model(document)
    across = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(3)]
    down = [model.headerData(i, Qt.Orientation.Vertical) for i in range(2)]
    assert (down, across) == (["q1", "q2"], ["k1", "k2", "k3"])
    assert model.sentence(0, 2) == "q1 does not see k3: the key comes after the query"


def test_a_long_sequence_is_shown_without_its_mask_being_made(make_edits):
    document = words(8192, causal=True)
    # Qt's tester would ask for each of its cells.
    edits = make_edits(document)
    model = MaskModel(document, edits, edits)
    assert text(model, 8191, 8191) == "1"
    assert model.hidden_count() == 8192 * 8191 // 2
    assert "mask" not in document.matrices


@pytest.mark.parametrize(
    ("cells", "want"),
    [
        ([(2, 2)], [(2, 2)]),
        ([(0, 0), (0, 3)], [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ([(3, 1), (0, 1)], [(3, 1), (2, 1), (1, 1), (0, 1)]),
        ([(0, 0), (3, 3)], [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ([(0, 0), (1, 3)], [(0, 0), (0, 1), (1, 2), (1, 3)]),
        ([(0, 0), (0, 2), (2, 2)], [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]),
        ([(1, 1), (1, 1)], [(1, 1), (1, 1)]),
    ],
)
def test_a_stroke_passes_every_cell_on_its_way(cells, want):
    stroke = Stroke(visible=True)
    assert [passed for cell in cells for passed in stroke.reach(cell)] == want
