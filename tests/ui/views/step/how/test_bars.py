"""The bars of a row: their numbers and titles."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QGuiApplication

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, spec_edit
from attnviewer.io import load
from attnviewer.ui.views.step.how.bars import Drawn, Parts, _labels, group_shapes
from attnviewer.ui.views.step.how.drawing import Bars, Text
from attnviewer.ui.views.step.how.groups import Group
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheet_painter import HALO
from attnviewer.ui.views.step.how.sheets import labels_above
from tests.documents import FOUR_WORDS

from .conftest import bars_of
from .test_pictures import decimals_of


@pytest.mark.parametrize("room", [(776, 409), (1000, 660), (2400, 1500)])
def test_numbers_over_bars_are_written_alike(drawn, room):
    drawing, _ = drawn(load("example:narrow-keys"), "weights", (2, 1), room=room)
    for group in drawing.shapes:
        if isinstance(group, Bars):
            numbers = [text.strip("<% ") for text in group.labels]
            assert not any("e" in text for text in numbers)
            assert len({decimals_of(text) for text in numbers if "." in text}) <= 1


@pytest.mark.parametrize("width", [500, 1000])
def test_no_weight_but_zero_is_written_as_zero_percent(drawn, width):
    drawing, trace = drawn(
        load("example:narrow-keys"), "weights", (2, 1), room=(width, 660)
    )
    shares = bars_of(drawing)[-7:]
    for bar, weight in zip(shares, trace["weights"][2].tolist(), strict=True):
        assert bar.label.lstrip("<")[:-2].strip("0.") or not weight, bar.label


@pytest.mark.parametrize("others", [[3.0, 1.0], [-3.0, -1.0], [0.0, 0.0]])
def test_the_bar_of_plus_infinity_is_the_highest_and_stays_in_its_box(qapp, others):
    group = Group("", "", np.array([np.inf, *others]))
    parts = Parts(
        Measures(QGuiApplication.font()), tight=False, groups=1, control=False
    )
    drawn = Drawn(group.values, np.zeros(3, np.bool_), 60.0, None, None, 1.0)
    shapes = group_shapes(group, drawn, QRectF(0, 0, 180, 120), parts)
    bars = next(shape for shape in shapes if isinstance(shape, Bars))
    (top, *tops), heights = bars.rects[:, 1].tolist(), bars.rects[:, 3].tolist()
    assert 0 < top < min(tops)
    assert heights[0] > max(heights[1:])


def test_weights_that_add_up_to_no_whole_are_not_written_in_percent(drawn):
    document = load("example:four-words")
    for normalizer, in_percent in (("sigmoid", False), ("sparsemax", True)):
        spec = replace(document.spec, normalizer=normalizer)
        document.apply(spec_edit(document, spec, "Normalise"))
        drawing, _ = drawn(document, "weights", (0, 2))
        labels = [bar.label for bar in bars_of(drawing)[-4:]]
        assert [label.endswith("%") for label in labels] == [in_percent] * 4


def test_the_space_of_percentages_gives_way_before_the_largest_of_them(qapp):
    font = QFont(QGuiApplication.font())
    font.setPixelSize(20)
    shares = Group("", "", np.array([0.002, 0.998]), in_percent=True)
    measures = Measures(font)
    room = measures.width("100%", measures(12), "number") + measures(3)
    hidden = np.zeros(2, bool)
    drawn = Drawn(shares.values, hidden, room + 0.1, None, None, 1.0)
    assert _labels(drawn, shares, measures) == ["<1%", "100%"]
    drawn = replace(drawn, cell=2 * room)
    assert _labels(drawn, shares, measures)[1] == "99.8\u202f%"


def test_bars_say_of_which_row_and_by_which_rule_they_are(drawn):
    document = load("example:two-heads")
    assert "softmax of row “it”" in said_of(drawn, document, 1000)
    # The maximum is named like its number, m.
    assert "sᵢⱼ − mᵢ" in said_of(drawn, document, 1000)
    assert "sᵢⱼ − mᵢ" not in said_of(drawn, document, 300)
    names = [*document.tokens[:4], 40 * "m", *document.tokens[5:]]
    document.apply(Replace("Rename", tokens=names))
    assert "softmax" in said_of(drawn, document, 300)
    spec = replace(document.spec, normalizer="none")
    document.apply(spec_edit(document, spec, "None"))
    assert "unchanged scores" in said_of(drawn, document, 300)


def test_the_temperature_costs_no_exponentials_where_there_is_little_room(drawn):
    document = load("example:four-words")
    spec = replace(document.spec, temperature=0.5)
    document.apply(spec_edit(document, spec, "Temperature"))
    drawing, _ = drawn(document, "weights", (0, 2), room=(776, 390))
    labels = [bar.label for bar in bars_of(drawing)]
    # By hand: (8, 2, 10, 2) / √3 / 0.5, exponentials of the distance to the largest.
    assert labels[:4] == ["9.2376", "2.3094", "11.5470", "2.3094"]
    assert labels[4:8] == ["0.0993", "0.0001", "1", "0.0001"]
    assert len(labels) == 12


def said_of(drawn, document, width):
    drawing, _ = drawn(document, "weights", (4, 1), head=1, room=(width, 660))
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def test_a_sum_that_only_rounding_takes_from_one_is_written_as_one(drawn):
    document = load("example:four-words")
    spec = replace(document.spec, score="cosine")
    document.apply(spec_edit(document, spec, "Cosine"))
    drawing, trace = drawn(document, "weights", (0, 2))
    assert float(trace["weights"][0].sum()) != 1.0
    said = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert "Σ = 1" in said


@pytest.mark.parametrize(
    ("normalizer", "total"), [("softmax", "total = 0"), ("softmax1", "total = 1")]
)
def test_nothing_but_masked_keys_has_a_total_of_nothing(drawn, normalizer, total):
    document = load("example:two-heads")
    spec = replace(document.spec, causal=False, mask=True, normalizer=normalizer)
    document.apply(spec_edit(document, spec, "Mask"))
    document.apply(Replace("", matrices={"mask": np.zeros((7, 7), bool)}))
    drawing, trace = drawn(document, "weights", (2, 1))
    assert not trace["weights"].any()
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert any(text.endswith(total) for text in texts)


def test_labels_in_two_lines_are_clear_of_the_selection_frame(qapp):
    # Chinese letters are as high as the line.
    sheet = SimpleNamespace(
        rect=QRectF(0, 0, 60, 20), cell=20.0, gap=1.0, lit=(0, 1), columns=range(3)
    )
    labels = "我们我们", "注意力机制", "喜欢"
    texts = labels_above(sheet, labels, Measures(QFont()), below=True)
    tops = {text.rect.top() for text in texts}
    assert len(tops) == 2
    assert min(tops) >= sheet.rect.bottom() + HALO / 2


@pytest.mark.parametrize("step", ["scores", "weights"])
def test_bars_of_a_single_key_have_whole_titles(drawn, step):
    one = FOUR_WORDS | {"X": FOUR_WORDS["X"][:1]}
    drawing, _ = drawn(Document("One", ["cat"], one, Spec()), step, room=(780, 520))
    measures = Measures(QGuiApplication.font())
    titles = [s for s in drawing.shapes if isinstance(s, Text) and s.weight == "bold"]
    assert {"softmax of row “cat”", "Attention weights"} <= {s.text for s in titles}
    for title in titles:
        wide = measures.width(title.text, title.size)
        assert wide <= title.rect.width() + 1, title.text
