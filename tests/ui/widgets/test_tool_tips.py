"""Tokens that look like markup are shown as they are, wherever a tool tip has them."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsSceneHoverEvent, QLabel, QWidget

from attnviewer.compute import InMemory, Spec
from attnviewer.document import Document
from attnviewer.teaching.tolerance import Tolerance
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.tokens.model import TokensModel
from attnviewer.ui.views.lesson.answers.cells import AnswerCells
from attnviewer.ui.views.lesson.dots import Dots
from attnviewer.ui.views.patching.fields import offer
from attnviewer.ui.views.step.heatmap.token_axis import TokenAxis
from attnviewer.ui.views.step.table import StepTableModel
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.link_lists.rows import RowsModel
from attnviewer.ui.widgets.tool_tips import plain_tip

TIP = Qt.ItemDataRole.ToolTipRole.value


@pytest.fixture
def shown(qtbot):
    """Read a tool tip off a label, which is what Qt shows tool tips in."""

    def read(tip):
        label = QLabel(tip)
        qtbot.addWidget(label)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
        qtbot.keyClick(label, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        return label.selectedText().replace("\N{NO-BREAK SPACE}", " ")

    return read


TOKENS = [
    "cat",
    "<s>",
    "</s>",
    "<b>&amp;</b>",
    "&lt;",
    "a < b & c > d",
    "<pad>",
    "x <i>",
    '<img src="x">',
    "  two  <u> blanks",
]


@pytest.mark.parametrize("text", TOKENS)
def test_a_tip_shows_its_text_as_it_is(shown, text):
    assert shown(plain_tip(text)) == text


def test_without_the_escape_qt_would_swallow_a_token(shown):
    assert shown("<s>") == ""


@pytest.mark.parametrize("text", ["cat", "a < b", "R&D", "weights[the, cat] = 0.5"])
def test_an_ordinary_text_is_its_own_tip_for_screen_readers(text):
    assert plain_tip(text) == text


@pytest.fixture
def edits(make_edits):
    matrices = {"X": [[1.0], [2.0]]}
    document = Document("Two", ["<s>", "cat"], matrices, Spec(projected=False))
    return make_edits(document)


def test_the_inputs_name_their_tokens_in_tips(shown, edits):
    x = MatrixModel(edits.document, edits, "X", edits)
    assert shown(x.data(x.index(0, 0), TIP)) == "X[<s>, 0] = 1.0"
    tokens = TokensModel(edits.document, edits, edits)
    assert shown(tokens.data(tokens.index(0, 0), TIP)) == "Token 0: <s>"
    spoken = Qt.ItemDataRole.AccessibleTextRole.value
    assert tokens.data(tokens.index(0, 0), spoken) == "Token 0: <s>"


def test_the_headers_of_the_step_table_name_their_tokens_in_tips(shown):
    model, labels, values = StepTableModel(), ("<s>", "cat"), np.eye(2)
    scale = scale_for(None, signed=False, theme=LIGHT)
    axes = ("queries", "keys")
    content = StepContent("scores", InMemory(values), scale, axes, labels, labels)
    model.set_content(content, LIGHT)
    for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
        tips = [shown(model.headerData(n, orientation, TIP)) for n in range(2)]
        assert tips == ["<s>", "cat"]
        assert model.headerData(0, orientation) == "<s>"


def test_headers_of_lists_and_of_answers_name_their_tokens_in_tips(shown, qtbot):
    view = QWidget()
    qtbot.addWidget(view)
    rows = RowsModel(2, view)
    rows.set_titles(("to", "<s>"))
    names = ("cat", "<s>")
    answers = AnswerCells([(1, 1)], (names, names), Tolerance("digits", 2), view)
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for model, section, side in (
        (rows, 1, across),
        (answers, 0, across),
        (answers, 0, down),
    ):
        assert shown(model.headerData(section, side, TIP)) == "<s>"
        assert model.headerData(section, side) == "<s>"


def test_reasons_and_places_name_their_tokens_in_tips(shown, qtbot):
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItem("A choice", "choice")
    offer(box, {"choice": "There is no <s>."})
    assert shown(box.itemData(0, TIP)) == "There is no <s>."
    dots = Dots(None)
    qtbot.addWidget(dots)
    dots.resize(100, 20)
    dots.show_place(0, ("What is <s>?",), (False,))
    dots.show()
    for beside in (0, 1):
        QTest.mouseMove(dots, dots.rect().center() + QPoint(beside, 0))
    assert shown(dots.toolTip()) == "What is <s>?"


def test_the_axis_of_the_heatmap_names_its_tokens_in_tips(shown):
    axis = TokenAxis("top")
    axis.set_labels(["<s>", "cat"], "keys", QFont())
    axis.setGeometry(QRectF(0, 0, 100, 20))
    axis.set_range(0, 2)
    event = QGraphicsSceneHoverEvent()
    event.setPos(QPointF(10, 10))
    axis.hoverMoveEvent(event)
    assert shown(axis.toolTip()) == "<s>"


def test_a_shortened_label_tells_all_of_its_newest_text(shown, qtbot):
    label = ElidedLabel("label")
    qtbot.addWidget(label)
    for text in ("weights[<s>, cat]", "", "cat"):
        label.setText(text)
        assert shown(label.toolTip()) == label.text() == text
