"""The table models, without a table."""

from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, Replace, SetCells, cell_name
from attnviewer.document.sequences import move_tokens, remove_tokens
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.number_format import CHARACTERS
from attnviewer.ui.text.numbers import fitted_number
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.tokens.model import TokensModel

Role = Qt.ItemDataRole


class Models:
    """Models of a document, following it as the panel makes them do."""

    def __init__(self, document, edits):
        self.document, self.edits = document, edits
        self.X = MatrixModel(document, self.edits, "X", self.edits)
        self.W_Q = MatrixModel(document, self.edits, "W_Q", self.edits)
        self.tokens = TokensModel(document, self.edits, self.edits)
        fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
        self.all = [self.X, self.W_Q, self.tokens]
        self.testers = [QAbstractItemModelTester(model, fatal) for model in self.all]
        document.changed.connect(self.follow)

    def follow(self, change):
        for model in self.all:
            model.follow(change)


@pytest.fixture
def models(make_edits, four_words):
    models = Models(four_words, make_edits(four_words))
    yield models
    four_words.changed.disconnect()
    models.testers.clear()


def shown(model, row, column, role=Role.DisplayRole):
    return model.data(model.index(row, column), role.value)


class Signals:
    """What a model told its views."""

    def __init__(self, model):
        self.cells, self.resets, self.headers = [], 0, []
        model.dataChanged.connect(self._on_cells)
        model.modelReset.connect(self._on_reset)
        model.headerDataChanged.connect(self._on_header)

    def _on_cells(self, first, last, _roles):
        region = (first.row(), first.column(), last.row(), last.column())
        self.cells.append(region)

    def _on_reset(self):
        self.resets += 1

    def _on_header(self, orientation, first, last):
        self.headers.append((orientation, first, last))


def test_a_model_has_the_shape_and_labels_of_its_matrix(models):
    assert (models.X.rowCount(), models.X.columnCount()) == (4, 3)
    header = models.X.headerData
    assert header(2, Qt.Orientation.Vertical, Role.DisplayRole.value) == "word 3"
    assert header(2, Qt.Orientation.Horizontal, Role.DisplayRole.value) == "2"
    header = models.W_Q.headerData
    assert header(2, Qt.Orientation.Vertical, Role.DisplayRole.value) == "2"
    assert models.X.rowCount(models.X.index(0, 0)) == 0
    assert models.X.columnCount(models.X.index(0, 0)) == 0


def test_each_role_says_the_number_in_its_own_way(models):
    models.W_Q.setData(models.W_Q.index(0, 2), "-0.123456789")
    assert shown(models.W_Q, 0, 2) == "−0.1235"
    assert shown(models.W_Q, 0, 2, Role.EditRole) == "-0.123456789"
    assert shown(models.W_Q, 0, 2, Role.ToolTipRole) == "W_Q[0, 2] = −0.123456789"
    text = shown(models.W_Q, 0, 2, Role.AccessibleTextRole)
    assert text == "W_Q, row 0, column 2: -0.123456789"
    assert shown(models.X, 0, 2, Role.ToolTipRole) == "X[word 1, 2] = 0.0"
    assert shown(models.W_Q, 0, 2, Role.DecorationRole) is None
    right = Qt.AlignmentFlag(shown(models.W_Q, 0, 2, Role.TextAlignmentRole))
    assert right & Qt.AlignmentFlag.AlignRight
    assert models.W_Q.data(QModelIndex()) is None


def test_a_cell_is_called_as_it_is_outside_the_inputs(models):
    stages, labels = models.document.compute().stages, models.document.labels
    for model in (models.X, models.W_Q):
        outside = cell_name(stages[model.name], labels, (2, 1))
        assert model.cell_name(2, 1) == outside


def test_whole_matrices_are_shown_without_decimals_until_one_number_is_not(models):
    assert shown(models.W_Q, 0, 0) == "2"
    signals = Signals(models.W_Q)
    models.W_Q.setData(models.W_Q.index(1, 1), "0.25")
    assert shown(models.W_Q, 0, 0) == "2.00"
    assert shown(models.W_Q, 1, 1) == "0.25"
    assert signals.cells == [(1, 1, 1, 1), (0, 0, 2, 2)]
    models.edits.undo()
    assert shown(models.W_Q, 0, 0) == "2"


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("0.5", 1),
        ("0.25", 2),
        ("0.125", 3),
        ("0.0625", 4),
        ("0.03125", 4),
        ("1234.5678", 2),
    ],
)
def test_a_matrix_shows_as_many_decimals_as_it_has_and_there_is_room_for(
    models, text, decimals
):
    models.W_Q.setData(models.W_Q.index(0, 0), text)
    assert len(shown(models.W_Q, 1, 1).partition(".")[2]) == decimals


def test_an_edit_tells_exactly_the_cells_it_reached(models):
    signals, others = Signals(models.W_Q), Signals(models.X)
    models.edits.submit(SetCells("Set", "W_Q", 1, 0, np.array([[3.0, 4.0]])))
    assert signals.cells == [(1, 0, 1, 1)]
    assert shown(models.W_Q, 1, 1) == "4"
    models.edits.undo()
    assert signals.cells == [(1, 0, 1, 1)] * 2
    assert signals.resets == 0
    assert (others.cells, others.resets) == ([], 0)


def test_a_written_cell_is_one_undo_step_with_its_name(models):
    assert models.W_Q.setData(models.W_Q.index(0, 2), "7")
    assert models.edits.undoText() == "Set W_Q[0, 2] to 7"
    assert models.document.matrix("W_Q")[0, 2] == 7
    models.edits.undo()
    assert models.document.matrix("W_Q")[0, 2] == 2
    models.edits.redo()
    assert models.document.matrix("W_Q")[0, 2] == 7
    models.X.setData(models.X.index(1, 0), "1e-3")
    assert models.edits.undoText() == "Set X[word 2, 0] to 0.001"


@pytest.mark.parametrize("text", ["2", "2.0", " 2 ", "+2e0", "20e-1"])
def test_a_text_that_means_the_same_number_is_no_edit(models, text):
    assert models.W_Q.setData(models.W_Q.index(0, 2), text)
    assert models.edits.count() == 0
    assert models.document.revision == 0


def test_a_negative_zero_is_another_number_than_zero(models):
    assert models.W_Q.setData(models.W_Q.index(0, 1), "-0")
    assert models.edits.count() == 1
    assert shown(models.W_Q, 0, 1, Role.EditRole) == "-0.0"
    models.edits.undo()
    assert shown(models.W_Q, 0, 1, Role.EditRole) == "0"


@pytest.mark.parametrize("text", ["", "abc", "1,5", "nan", "inf", "1e999", "1 2"])
def test_bad_text_is_refused_and_changes_nothing(models, text):
    signals = Signals(models.W_Q)
    assert models.W_Q.setData(models.W_Q.index(0, 2), text) is False
    assert models.edits.count() == models.document.revision == 0
    assert signals.cells == []
    with pytest.raises(ValueError, match=r"."):
        models.W_Q.write(0, 2, text)


def test_only_the_edit_role_of_a_cell_can_be_set(models):
    assert not models.W_Q.setData(models.W_Q.index(0, 2), "7", Role.DisplayRole.value)
    assert not models.W_Q.setData(QModelIndex(), "7")
    assert models.edits.count() == 0
    assert models.W_Q.flags(QModelIndex()) == Qt.ItemFlag.NoItemFlags
    assert models.W_Q.flags(models.W_Q.index(0, 0)) & Qt.ItemFlag.ItemIsEditable


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_edit_text_of_every_number_reads_back_as_it(number):
    matrices = {"X": [[number]]}
    document = Document("One", ["a"], matrices, Spec(projected=False))
    with closing(EditStack(document)) as edits:
        model = MatrixModel(document, edits, "X")
        assert model.setData(model.index(0, 0), model.exact_text(0, 0))
        assert edits.count() == 0
    assert len(shown(model, 0, 0)) <= CHARACTERS


@given(
    st.floats(min_value=-1e300, max_value=1e300),
    st.integers(min_value=0, max_value=4),
)
def test_a_fitted_number_is_never_too_long_and_never_another_one(number, decimals):
    text = fitted_number(number, decimals, CHARACTERS)
    assert len(text) <= CHARACTERS
    read = float(text.replace("−", "-"))
    assert read == pytest.approx(number, rel=0.5, abs=10.0**-decimals)
    if number != 0:
        assert read != 0


def test_a_mask_or_a_normaliser_touches_no_cell(models):
    signals = [Signals(model) for model in models.all]
    models.edits.submit(Replace("Causal", spec=Spec(causal=True)))
    assert all(not s.cells and not s.resets and not s.headers for s in signals)


def test_a_matrix_in_place_of_another_resets_nothing(models):
    signals = Signals(models.W_Q)
    models.edits.submit(Replace("Ones", matrices={"W_Q": np.ones((3, 3))}))
    assert (signals.cells, signals.resets) == ([(0, 0, 2, 2)], 0)
    wide = {"W_Q": np.ones((3, 5)), "W_K": np.ones((3, 5))}
    models.edits.submit(Replace("Wide", matrices=wide))
    assert signals.resets == 0
    assert models.W_Q.columnCount() == 5
    models.edits.undo()
    models.edits.undo()
    assert models.W_Q.columnCount() == 3
    assert shown(models.W_Q, 0, 1) == "0"


def test_renaming_a_token_is_an_edit_and_relabels_the_row_of_x(models):
    tokens, labels = Signals(models.tokens), Signals(models.X)
    assert models.tokens.setData(models.tokens.index(1, 0), "bank")
    assert models.document.tokens == ("word 1", "bank", "word 3", "word 4")
    assert models.edits.undoText() == "Rename token word 2 to bank"
    assert tokens.cells == [(1, 0, 1, 0)]
    assert labels.headers == [(Qt.Orientation.Vertical, 0, 3)]
    assert (labels.cells, labels.resets, tokens.resets) == ([], 0, 0)
    assert shown(models.X, 1, 0, Role.ToolTipRole) == "X[bank, 0] = 0.0"
    models.edits.undo()
    assert shown(models.tokens, 1, 0) == "word 2"


def test_a_token_may_be_blanks_but_not_nothing_and_the_same_one_is_no_edit(models):
    index = models.tokens.index(0, 0)
    assert not models.tokens.setData(index, "")
    assert models.tokens.setData(index, "word 1")
    assert models.edits.count() == 0
    assert models.tokens.setData(index, " ")
    assert models.document.tokens[0] == " "


def test_another_number_of_tokens_resets_nothing(models):
    tokens, x, w = (Signals(model) for model in (models.tokens, models.X, models.W_Q))
    shorter = {"X": np.ones((2, 3))}
    models.edits.submit(Replace("Shorter", tokens=("a", "b"), matrices=shorter))
    assert (tokens.resets, x.resets, w.resets) == (0, 0, 0)
    assert (models.tokens.rowCount(), models.X.rowCount()) == (2, 2)
    models.edits.undo()
    assert models.tokens.rowCount() == 4


def test_a_cleared_block_is_one_undo_step(models):
    models.W_Q.clear_blocks([Region(0, 0, 2, 3)])
    assert models.edits.count() == 1
    assert models.edits.undoText() == "Set 6 cells of W_Q to 0"
    assert not models.document.matrix("W_Q")[:2].any()
    models.W_Q.clear_blocks([Region(0, 0, 2, 3)])
    assert models.edits.count() == 1
    models.edits.undo()
    assert models.document.matrix("W_Q")[0, 0] == 2


def test_clearing_tokens_does_nothing(models):
    models.tokens.clear_blocks([Region(0, 0, 4, 1)])
    assert models.edits.count() == 0


def test_a_block_is_copied_with_its_exact_numbers(models):
    models.W_Q.setData(models.W_Q.index(0, 0), "0.30000000000000004")
    text = models.W_Q.block_text(Region(0, 0, 2, 2))
    assert text == "0.30000000000000004\t0\n2\t0"


def test_another_document_is_shown_after_a_reset(models):
    signals = Signals(models.W_Q)
    matrices = {"X": np.ones((2, 2))} | {
        f"W_{name}": np.full((2, 2), 5.0) for name in "QKV"
    }
    models.W_Q.set_document(Document("Other", ["a", "b"], matrices))
    assert signals.resets == 1
    assert shown(models.W_Q, 1, 1) == "5"


def test_rows_and_columns_of_a_bias_bear_the_tokens_and_follow_them(models):
    document = models.document
    numbers = np.arange(16.0).reshape(4, 4)
    models.edits.submit(Replace("Bias", matrices={"bias": numbers}))
    bias = MatrixModel(document, models.edits, "bias", models.edits)
    models.all.append(bias)
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    models.testers.append(QAbstractItemModelTester(bias, fatal))
    cell = QPersistentModelIndex(bias.index(0, 3))
    assert cell.data() == "3"
    signals = Signals(bias)
    models.edits.submit(move_tokens(document, "X", 0, 1, 2, "Move"))
    assert (cell.row(), cell.column(), cell.data()) == (2, 3, "3")
    models.edits.submit(remove_tokens(document, "X", 0, 1, "Remove"))
    assert (cell.row(), cell.column(), cell.data()) == (1, 2, "3")
    assert bias.cell_name(1, 2) == "bias[word 1, word 4]"
    assert bias.headerData(0, Qt.Orientation.Horizontal) == "word 3"
    while models.edits.canUndo():
        if models.edits.undoText() == "Bias":
            break
        models.edits.undo()
    assert (cell.row(), cell.column(), cell.data()) == (0, 3, "3")
    assert signals.resets == 0


def test_a_bias_takes_minus_infinity_and_gives_it_back(make_edits):
    matrices = {"X": np.eye(2), "bias": [[0.0, -np.inf], [1.5, 0.0]]}
    document = Document("Bias", ["a", "b"], matrices, Spec(projected=False))
    edits = make_edits(document)
    model = MatrixModel(document, edits, "bias")
    document.changed.connect(model.follow)
    assert model.exact_text(0, 1) == "-inf"
    assert model.setData(model.index(0, 1), "-inf")
    assert edits.count() == 0
    assert model.setData(model.index(1, 1), "−∞")
    assert edits.undoText() == "Set bias[b, b] to -inf"
    assert not model.setData(model.index(1, 0), "inf")
    block = model.read_block(model.block_text(Region(0, 0, 2, 2)))
    assert block.values.tolist() == [[0, -np.inf], [1.5, -np.inf]]
    assert model.number(0, 1) is None
    model.clear_blocks([Region(0, 1, 2, 1)])
    assert not document.matrix("bias")[:, 1].any()
    document.changed.disconnect()


def test_blank_and_empty_tokens_are_seen_and_edited_as_they_are(make_edits):
    names = ["", " ", "\u200b", "cat"]
    document = Document("Blank", names, {"X": np.eye(4)}, Spec(projected=False))
    edits = make_edits(document)
    tokens = TokensModel(document, edits, edits)
    assert [shown(tokens, row, 0) for row in range(4)] == ["∅", "␣", "U+200B", "cat"]
    assert [shown(tokens, row, 0, Role.EditRole) for row in range(4)] == names
