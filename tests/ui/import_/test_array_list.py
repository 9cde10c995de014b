"""The list model of a role's arrays."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from shiboken6 import isValid

from attnviewer.ui.import_.array_box import ArrayBox
from attnviewer.ui.import_.array_list import ArrayList

SHAPES = {"X": (4, 3), "a.very.long.name.of.a.layer.weight": (3, 3), "<s>": (2,)}


@pytest.fixture
def arrays(qapp):
    arrays = ArrayList(SHAPES, qapp)
    yield arrays
    if isValid(arrays):  # a box may have deleted it
        arrays.deleteLater()


def test_the_list_is_a_model_of_qt(arrays):
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(arrays, fatal)
    texts = [arrays.index(row).data() for row in range(arrays.rowCount())]
    assert texts == [
        "none",
        "X  (4×3)",
        "a.very.long.name.of.a.layer.weight  (3×3)",
        "<s>  (2)",
    ]
    assert arrays.longest == texts[2]
    assert arrays.index(3).data(Qt.ItemDataRole.ToolTipRole) != texts[3]
    tester.deleteLater()


def test_arrays_are_chosen_by_their_names(arrays, qtbot):
    box = ArrayBox(arrays, "embeddings", None)
    qtbot.addWidget(box)
    assert box.array is None
    assert (box.currentText(), box.toolTip()) == ("none", "embeddings")
    assert box.property("muted")
    box.choose("<s>")
    assert box.currentIndex() == 3
    assert box.array == "<s>"
    assert not box.property("muted")
    box.choose(None)
    assert box.array is None
    assert box.toolTip() == "embeddings"
