"""The pictures of operations: what they show, and that it is what was computed."""

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication

from attnviewer.compute import Sinusoidal, Spec
from attnviewer.document import Document, Replace
from attnviewer.io import load
from attnviewer.ui.views.step.how.drawing import Dial, Panel, Ribbon, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import hue_of
from tests.ui.test_every_spec import SPECS

from .conftest import bars_of, document_of


def read(text):
    """Return the number that a text states."""
    plain = text.replace("−", "-").replace("∞", "inf")
    return float("nan") if plain == "NaN" else float(plain)


def decimals_of(text):
    return len(text.partition("e")[0].partition(".")[2])


@pytest.mark.parametrize("name", SPECS)
def test_each_step_of_each_variant_shows_the_numbers_of_the_trace(drawn, name):
    document = document_of(name)
    steps = drawn(document, "weights")[1]
    for step in steps:
        drawing, trace = drawn(document, step, head=trace_heads(steps) - 1)
        assert step in drawing.covers
        shown = [sheet for sheet in drawing.sheets if sheet.step == step]
        assert shown, step
        for sheet in drawing.sheets:
            array = np.atleast_2d(trace[sheet.step])
            matrix = array[sheet.head] if array.ndim > 2 else array
            whole = matrix[np.ix_(sheet.rows, sheet.columns)]
            whole = whole.T if sheet.transposed else whole
            assert np.array_equal(sheet.values, whole, equal_nan=True)
            for texts, numbers in zip(sheet.texts, whole.tolist(), strict=False):
                for text, number in zip(texts, numbers, strict=True):
                    if text == "·":
                        # It would be rounded to 0.
                        assert 0 < abs(number) <= 0.5 * 10.0**-sheet.decimals
                    elif text and math.isfinite(number):
                        half = 0.5 * 10.0 ** -decimals_of(text) * 1.001
                        if "e" in text:
                            half *= 10.0 ** int(
                                text.partition("e")[2].replace("−", "-")
                            )
                        assert abs(read(text) - number) <= half


def test_an_encoding_of_positions_is_not_drawn_as_made_from_the_embeddings(drawn):
    (name,) = (n for n, (_, o) in SPECS.items() if o.get("positions") == Sinusoidal())
    drawing, _ = drawn(document_of(name), "P")
    assert [sheet.step for sheet in drawing.sheets] == ["P", "X + P"]


@pytest.mark.parametrize("name", SPECS)
def test_what_stands_on_both_sides_of_an_equals_sign_is_equal(drawn, name):
    document = document_of(name)
    for step in drawn(document, "weights")[1]:
        drawing, _ = drawn(document, step)
        texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
        # The sum of the selected cell has its signs below those of the matrices.
        signs = {(text.text, text.rect.left()) for text in texts if text.text in "+="}
        if {"+", "="} <= {sign for sign, _ in signs}:
            # The result, before the weights beside it.
            last = sum(sign == "+" for sign, _ in signs) + 1
            *terms, total = (sheet.values for sheet in drawing.sheets[: last + 1])
            assert np.allclose(sum(terms), total), step


def trace_heads(trace):
    return trace.n_heads("weights")


@pytest.mark.parametrize(("number", "name"), list(enumerate(SPECS)))
def test_matrices_stay_inside_the_room_and_apart(drawn, number, name):
    large = (1000, 660), (3000, 1700)
    document = document_of(name)
    steps = enumerate(drawn(document, "weights")[1], number)
    # Each in the room that has the least space to spare, and in one of the others.
    for step, room in ((s, r) for k, s in steps for r in ((520, 380), large[k % 2])):
        drawing, _ = drawn(document, step, room=room)
        everything = QRectF(-1, -1, room[0] + 2, room[1] + 2)
        rects = [sheet.rect for sheet in drawing.sheets]
        for number, rect in enumerate(rects):
            assert everything.contains(rect), (step, rect)
            assert not any(rect.intersects(other) for other in rects[:number]), step


@pytest.mark.parametrize(("column", "axis"), [(0, 0), (2, 0), (1, 1), (3, 1)])
def test_arrows_of_several_axes_say_along_which_a_pair_turns(drawn, column, axis):
    document = document_of("rotary along axes")
    ids = np.array([[0.0, 1.0]] * (len(document.tokens) - 1) + [[2.0, 0.0]])
    document.apply(Replace("Move", matrices={"position_ids": ids}))
    drawing, _ = drawn(document, "rotated Q", (0, column))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert f"along axis {axis}" in texts
    assert f"columns {column % 2} and {column % 2 + 2}" in texts
    dials = [shape for shape in drawing.shapes if isinstance(shape, Dial)]
    # By 0 and 2 radians along axis 0, by 1/100 and 0 along axis 1; zeros turn by none.
    others, last = ("0°", "115°") if axis == 0 else ("1°", "0°")
    assert {dial.label for dial in dials[:-1]} - {""} == {others}
    assert dials[-1].label == last


@pytest.mark.parametrize("step", ["Q", "scores", "scaled", "weights", "output"])
def test_small_matrices_fill_the_room(drawn, step):
    drawing, _ = drawn(load("example:four-words"), step)
    bounds = drawing.bounds
    assert max(bounds.width() / 1000, bounds.height() / 660) > 0.85


def test_labels_of_a_matrix_that_finds_no_room_are_not_measured(drawn, monkeypatch):
    measured, widest = [], Measures.widest

    def counted(measures, texts, size):
        measured.append(len(texts))
        return widest(measures, texts, size)

    monkeypatch.setattr(Measures, "widest", counted)
    x = np.random.default_rng(0).normal(size=(400, 2))
    document = Document("", ["a"] * 400, {"X": x}, Spec(projected=False))
    drawing, _ = drawn(document, "scores", cell=(3, 2))
    assert "scores" in drawing.covers
    assert 0 < max(measured) < 100


def test_the_sum_behind_a_score_is_written_out_with_its_factors(drawn):
    # Vaswani et al. 2017, equation 1, by hand: q = (2, 0, 2), k = (2, 4, 3).
    drawing, _ = drawn(load("example:four-words"), "scores", (0, 2))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    hues = [
        (shape.text, shape.hue)
        for shape in drawing.shapes
        if isinstance(shape, Text) and shape.face == "number"
    ]
    factors = [(text, hue) for text, hue in hues if hue in ("query", "key")]
    assert factors == [
        *(("2", "query"), ("2", "key")),
        *(("0", "query"), ("4", "key")),
        *(("2", "query"), ("3", "key")),
    ]
    assert "= 10" in texts


def test_negative_factors_have_brackets_and_decimals_end_alike(drawn):
    # By hand: 1.5 · 0.25 + 0.5 · (−0.75) + 2 · (−1.125) = −2.25.
    queries, keys = [[1.5, 0.5, 2.0]], [[0.25, -0.75, -1.125]]
    matrices = {"Q": np.array(queries), "K": np.array(keys), "V": np.ones((1, 1))}
    spec = Spec(projected=False, given=True)
    drawing, _ = drawn(Document("Signs", ["a"], matrices, spec), "scores")
    texts = [s for s in drawing.shapes if isinstance(s, Text) and s.face == "number"]
    assert [t.text for t in texts if t.hue == "key"] == ["0.25", "(−0.75)", "(−1.12)"]
    products = [t for t in texts if t.align == "right" and t.hue == "text"]
    assert [t.text for t in products] == ["0.38", "−0.38", "−2.25", "= −2.250"]
    for factor in (t for t in texts if t.hue == "key"):
        (equals,) = (
            t for t in texts if t.text == "=" and t.rect.top() == factor.rect.top()
        )
        assert factor.rect.right() <= equals.rect.left()


def test_an_additive_score_has_its_weights_and_its_terms_in_the_picture(drawn):
    # Bahdanau et al. 2015, by hand: v · tanh(q + k), q = (1, 0), k = (0, 1), and
    # tanh 1 = 0.76159.
    matrices = dict.fromkeys(("X", "W_Q", "W_K", "W_V", "w_q", "w_k"), np.eye(2))
    matrices["v"] = np.array([[2.0, -3.0]])
    document = Document("Additive", ["a", "b"], matrices, Spec(score="additive"))
    drawing, _ = drawn(document, "scores", (0, 1), room=(1000, 900))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert {"(K w_k)ᵀ", "one cell = Σ v · tanh(Q w_q + K w_k)"} <= {*texts}
    numbers = ["2", "0.762", "1.52", "−3", "0.762", "−2.28", "= −0.762"]
    written = [text for text in texts if text in numbers]
    assert written == numbers
    weights = next(sheet for sheet in drawing.sheets if sheet.step == "v")
    assert weights.editable
    queries = next(sheet for sheet in drawing.sheets if sheet.step == "Q w_q")
    assert weights.rect.left() == queries.rect.left()
    assert weights.rect.top() >= queries.rect.bottom()


def test_a_sum_without_room_for_its_terms_tells_its_total(drawn):
    document = document_of("one head of keys, gated")
    drawing, trace = drawn(document, "scores", (1, 1), room=(750, 340))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    (said,) = (text for text in texts if text.startswith("= "))
    total = float(trace["scores"][0, 1, 1])
    assert read(said[2:]) == pytest.approx(total, abs=0.0005)


@pytest.mark.parametrize("room", [(760, 400), (1100, 660), (2400, 1500)])
@pytest.mark.parametrize("name", ["one head of keys, gated", "given with cosine"])
def test_names_of_steps_are_whole(drawn, name, room):
    document = document_of(name)
    measures = Measures(QGuiApplication.font())
    for step in drawn(document, "weights")[1]:
        drawing, trace = drawn(document, step, room=room)
        names = {*trace, *(f"{name}ᵀ" for name in trace)}
        for text in drawing.shapes:
            if isinstance(text, Text) and (
                text.text in names or text.text.startswith("columns")
            ):
                width = measures.width(text.text, text.size)
                assert width <= text.rect.width() + 1, text.text


def test_keys_above_narrow_columns_are_whole_and_apart_in_two_lines(drawn):
    document = load("example:two-heads")
    room = 750, 358  # that of a window of 1366 × 768
    drawing, _ = drawn(document, "scores", (4, 1), head=1, room=room)
    (keys,) = (sheet for sheet in drawing.sheets if sheet.transposed)
    above = [
        text
        for text in drawing.shapes
        if isinstance(text, Text)
        and text.text in document.tokens
        and text.rect.bottom() <= keys.rect.top()
    ]
    measures = Measures(QGuiApplication.font())
    assert [text.text for text in above] == list(document.tokens)
    for text in above:
        assert measures.width(text.text, text.size) <= text.rect.width() + 1, text.text
    for lower, upper in itertools.pairwise(above):
        assert not lower.rect.intersects(upper.rect)


def test_only_queries_keys_and_values_have_their_colours(drawn):
    document = load("example:two-heads")
    for step, hues in {"output": {"text"}, "K": {"text", "key"}}.items():
        drawing, _ = drawn(document, step, (2, 1))
        factors = [s for s in drawing.sheets if s.step != step]
        lanes = {sheet.step: sheet.lane for sheet in factors}
        assert lanes[factors[0].step] == "bar"  # X, and the heads side by side
        assert lanes[factors[1].step] == ("key" if step == "K" else "bar")
        bold = [s for s in drawing.shapes if isinstance(s, Text) and s.face == "number"]
        assert {text.hue for text in bold} - {"muted"} == hues


def test_heads_that_a_cell_is_not_from_are_dimmed(drawn):
    drawing, _ = drawn(load("example:two-heads"), "concatenated", (4, 1))
    first, second, joined = drawing.sheets
    assert [sheet.lit for sheet in (first, second)] == [(4, 1), (None, None)]
    assert all(sheet.dims for sheet in (first, second, joined))


@pytest.mark.parametrize("room", [(760, 400), (1100, 660), (2400, 1500)])
def test_the_digits_of_a_sum_move_none_of_it(drawn, room):
    document = load("example:four-words")
    places = set()
    for value in (2.0, 0.37, -2.25, 9.5, -0.05, 1e-5, -123.456):
        matrix = document.matrix("W_Q").copy()
        matrix[0, 0] = value
        document.apply(Replace("", matrices={"W_Q": matrix}))
        drawing, _ = drawn(document, "Q", (0, 0), room=room)
        written = [s for s in drawing.shapes if isinstance(s, Text)]
        places.add(tuple((text.rect.getRect(), text.size) for text in written))
        total = next(text for text in written if text.text.startswith("= "))
        assert read(total.text[2:]) == pytest.approx(value, rel=1e-2)
    assert len(places) == 1


@pytest.mark.parametrize("example", ["four-words", "narrow-keys"])
@pytest.mark.parametrize("room", [(776, 409), (1000, 660), (1100, 720)])
def test_scores_go_on_to_the_weights_of_their_row(drawn, example, room):
    document = load(f"example:{example}")
    drawing, trace = drawn(document, "scores", (1, 2), room=room)
    bars = bars_of(drawing)
    n_keys = trace["weights"].shape[1]
    assert len(bars) == 3 * n_keys
    weights = drawing.sheets[3]
    assert np.array_equal(weights.values, trace["weights"][1:2])
    framed = [sheet.step for sheet in drawing.sheets if sheet.framed]
    assert framed == ["scores"]
    same, _ = drawn(document, "weights", (1, 2), room=room)
    if len(same.sheets) == 4:
        assert [s.rect for s in same.sheets] == [s.rect for s in drawing.sheets]


@pytest.mark.parametrize("width", [480, 900])
def test_a_map_of_all_weights_is_named_inside_the_picture(drawn, width):
    document = load("example:narrow-keys")
    drawing, _ = drawn(document, "output", (2, 1), room=(width, 560))
    (whole,) = [sheet for sheet in drawing.sheets if sheet.values.shape == (7, 7)]
    (named,) = [s for s in drawing.shapes if getattr(s, "text", "") == "all weights"]
    assert named.rect.right() <= width
    assert not named.rect.intersects(whole.rect)


@pytest.mark.parametrize("room", [(900, 600), (760, 390)])
def test_scaled_scores_go_on_to_the_weights_of_their_row(drawn, room):
    drawing, trace = drawn(load("example:four-words"), "scaled", (1, 2), room=room)
    assert [sheet.step for sheet in drawing.sheets] == ["scores", "scaled", "weights"]
    row = drawing.sheets[-1]
    assert np.array_equal(row.values, trace["weights"][1:2])
    assert row.rect.left() > drawing.sheets[1].rect.right()
    assert drawing.bounds.width() <= room[0]


@pytest.mark.parametrize("room", [(500, 400), (640, 420), (776, 409), (1000, 660)])
@pytest.mark.parametrize("example", ["two-heads", "journey", "narrow-keys"])
def test_numbers_of_bars_never_overlap(drawn, example, room):
    document = load(f"example:{example}")
    drawing, _ = drawn(document, "weights", (2, 1), room=room)
    bars = bars_of(drawing)
    measures = Measures(QGuiApplication.font())
    for one, other in itertools.pairwise(bars):
        if one.rect.left() > other.rect.left():
            continue  # the next part
        halves = sum(
            measures.width(bar.label, bar.size, "number") / 2 for bar in (one, other)
        )
        apart = other.rect.center().x() - one.rect.center().x()
        assert halves < apart, (one.label, other.label)


@pytest.mark.parametrize("width", [300, 420, 640, 776, 1000])
@pytest.mark.parametrize("step", ["Q", "scores"])
def test_captions_are_whole_or_left_out(drawn, step, width):
    drawing, _ = drawn(load("example:four-words"), step, (0, 0), room=(width, 420))
    measures = Measures(QGuiApplication.font())
    panels = [shape.rect.left() for shape in drawing.shapes if isinstance(shape, Panel)]
    for text in drawing.shapes:
        if isinstance(text, Text) and "one cell" in text.text:
            end = text.rect.left() + measures.width(text.text, text.size)
            assert end <= min([width, *panels])


def test_only_a_true_zero_has_no_percent(drawn):
    space = "\N{NARROW NO-BREAK SPACE}"
    narrow = load("example:narrow-keys")
    drawing, trace = drawn(narrow, "weights", (2, 1), room=(330, 500))
    labels = [bar.label for bar in bars_of(drawing)[-7:]]
    weights = (100 * trace["weights"][2]).tolist()
    assert labels == [
        f"{weight:.0f}{space}%" if weight >= 0.5 else f"<1{space}%"
        for weight in weights
    ]


def test_the_bars_of_softmax_are_scores_exponentials_and_shares(drawn):
    # By hand: scores (8, 2, 10, 2) / √3, exponentials of the distance to the largest.
    drawing, _ = drawn(load("example:four-words"), "weights", (0, 2))
    labels = [bar.label for bar in bars_of(drawing)]
    assert labels[:4] == ["4.6188", "1.1547", "5.7735", "1.1547"]
    assert labels[4:8] == ["0.3152", "0.0099", "1", "0.0099"]
    space = "\N{NARROW NO-BREAK SPACE}"
    assert labels[8:] == [
        f"{share}{space}%" for share in ("23.6", "0.7", "74.9", "0.7")
    ]


def test_bars_are_as_high_as_their_numbers(drawn):
    drawing, _ = drawn(load("example:four-words"), "weights", (0, 2))
    bars = bars_of(drawing)[:4]
    heights = np.array([bar.rect.height() for bar in bars])
    expected = np.array([8, 2, 10, 2]) / 10
    assert heights / heights.max() == pytest.approx(expected, abs=0.01)


def test_ribbons_are_as_thick_as_weights_and_meet_in_one_cell(drawn):
    drawing, trace = drawn(load("example:four-words"), "output", (0, 0))
    curved = [s for s in drawing.shapes if isinstance(s, Ribbon) and s.curved]
    sheet = next(s for s in drawing.sheets if s.step == "output")
    side = sheet.cell - sheet.gap
    weights = trace["weights"][0]
    thick = np.array([ribbon.thickness for ribbon in curved])
    assert thick == pytest.approx(np.maximum(weights * side, 1.0))


def test_masked_keys_have_no_ribbon(drawn):
    drawing, _ = drawn(load("example:two-heads"), "heads", (1, 0))
    straight = [s for s in drawing.shapes if isinstance(s, Ribbon) and not s.curved]
    assert len(straight) == 2  # the second query sees two keys


def test_a_small_map_beside_the_desk_marks_its_row_among_all_weights(drawn):
    for example, step, row in (("two-heads", "heads", 4), ("four-words", "output", 1)):
        drawing, trace = drawn(load(f"example:{example}"), step, (row, 1))
        *_, small = (s for s in drawing.sheets if s.step == "weights")
        weights = trace["weights"]
        weights = weights[small.head] if weights.ndim == 3 else weights
        np.testing.assert_array_equal(small.values, weights)
        assert small.lit == (row, None)
        assert small.lane is not None
        others = [s for s in drawing.sheets if s is not small]
        assert not any(small.rect.intersects(other.rect) for other in others)


@pytest.mark.parametrize("row", range(7))
@pytest.mark.parametrize("head", [0, 1])
def test_the_largest_contributions_to_an_output_are_told_in_words(drawn, head, row):
    drawing, trace = drawn(load("example:two-heads"), "heads", (row, 0), head=head)
    tokens = ["The", "cat", "slept", "because", "it", "was", "tired"]
    (said,) = (
        shape.text
        for shape in drawing.shapes
        if isinstance(shape, Text) and "of its values" in shape.text
    )
    assert said.startswith(f"“{tokens[row]}” takes ")
    found = re.findall(r"(\d+) % (?:of its values )?from “(\w+)”", said)
    weights = trace["weights"][head, row].tolist()  # (n_k,)
    order = sorted(range(7), key=lambda key: -weights[key])
    expected, total = [], 0.0
    while total < 0.8 and len(expected) < 3:
        key = order[len(expected)]
        expected.append((f"{100 * weights[key]:.0f}", tokens[key]))
        total += weights[key]
    assert found == expected


def test_weights_that_are_no_shares_are_told_as_they_are(drawn):
    document = load("example:four-words")
    spec = replace(document.spec, normalizer="sigmoid")
    matrices = {n: document.matrix(n) for n in document.spec.input_names}
    document = Document("Sigmoids", document.tokens, matrices, spec)
    drawing, trace = drawn(document, "output", (0, 0))
    texts = [s.text for s in drawing.shapes if isinstance(s, Text)]
    (said,) = (text for text in texts if text.startswith("The largest weights"))
    weights = trace["weights"][0]
    assert weights.sum() > 1.5
    largest = int(np.argmax(weights))
    start = f"The largest weights of “word 1”: {weights[largest]:.3g} for “word "
    assert said.startswith(start)


def test_a_row_without_defined_weights_is_not_said_to_take_no_values(drawn):
    matrices = {"S": np.array([[1.0, -1.0], [0.0, 0.0]]), "V": np.eye(2)}
    options = {"given": True, "projected": False, "score": "given", "scale": 1.0}
    for normalizer, words in (("sum", ""), ("none", "“b” takes no values.")):
        spec = Spec(normalizer=normalizer, **options)
        document = Document("Rows", "ab", matrices, spec)
        drawing, _ = drawn(document, "output", (1, 0))
        texts = [s.text for s in drawing.shapes if isinstance(s, Text)]
        assert [text for text in texts if "takes" in text] == [words] * bool(words)


def test_large_matrices_are_reduced_to_the_strongest_keys(drawn):
    document = long_document(200)
    drawing, trace = drawn(document, "scores", (7, 150))
    result = next(sheet for sheet in drawing.sheets if sheet.step == "scores")
    assert result.rows == (7,)
    assert len(result.columns) == 12
    assert 150 in result.columns
    row = np.abs(trace["scores"][7])
    strongest = set(np.argsort(-row)[:11].tolist())
    assert strongest <= {*result.columns}
    assert result.texts


def test_the_sum_behind_a_score_tells_the_terms_that_are_left_out(drawn):
    drawing, trace = drawn(long_document(200), "scores", (7, 150))
    queries = next(sheet for sheet in drawing.sheets if sheet.step == "Q")
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    left_out = 48 - len(queries.columns)
    assert left_out > 0
    rest = read(texts[texts.index(f"{left_out} more") + 1])
    products = trace["Q"][7] * trace["K"][150]
    shown = products[list(queries.columns)].sum()
    assert rest == pytest.approx(products.sum() - shown, rel=0.01)
    (total,) = (text for text in texts if text.startswith("= "))
    assert read(total[2:]) == pytest.approx(products.sum(), abs=5e-4)


def long_document(n):
    from attnviewer.compute import Spec
    from attnviewer.document import Document

    rng = np.random.default_rng(1)
    shapes = {"X": (n, 8), "W_Q": (8, 48), "W_K": (8, 48), "W_V": (8, 48)}
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return Document("Long", [f"t{i}" for i in range(n)], matrices, Spec())


@pytest.mark.parametrize(
    ("step", "hue"),
    [
        *(("Q", "query"), ("split K", "key"), ("W_V", "value"), ("b_Q", "query")),
        *(("gain_Q", "query"), ("shift_K", "key"), ("scores", "text"), ("W_O", "text")),
    ],
)
def test_a_name_has_the_colour_of_the_part_that_its_step_belongs_to(step, hue) -> None:
    assert hue_of(step) == hue


def test_numbers_below_one_lose_their_zero_before_a_decimal(drawn):
    # With one decimal, 0.9575 would be 1.0 and 0.0106 nothing.
    document = load("example:two-heads")
    for width in range(350, 450, 10):  # to the first with numbers, in any font
        drawing, _ = drawn(document, "heads", (4, 0), head=1, room=(width, 330))
        weights = drawing.sheets[0]
        if any(map(any, weights.texts)):
            break
    assert weights.step == "weights"
    assert [row[0] for row in weights.texts][:3] == [".01", ".96", ".01"]


def test_of_wide_heads_side_by_side_each_shows_its_own_numbers(drawn):
    rng = np.random.default_rng(5)
    matrices = {name: rng.normal(size=(30, 30)) for name in ("W_Q", "W_K", "W_V")}
    tokens = [f"t{number}" for number in range(20)]
    matrices["X"] = rng.normal(size=(20, 30))
    document = Document("Wide heads", tokens, matrices, Spec(n_heads=2))
    # The cell is that of head 1 in column 2.
    drawing, trace = drawn(document, "output", (5, 17), room=(700, 400))
    *heads, _ = drawing.sheets
    assert [sheet.head for sheet in heads] == [0, 1]
    for sheet in heads:
        shown = trace["heads"][sheet.head][np.ix_(sheet.rows, sheet.columns)]
        assert shown.size < 20 * 15
        np.testing.assert_array_equal(sheet.values, shown)
    assert heads[0].lit == (None, None)
    row, column = heads[1].lit
    assert (heads[1].rows[row], heads[1].columns[column]) == (5, 2)


def test_the_row_after_concatenation_is_named_once(drawn):
    drawing, _ = drawn(load("example:two-heads"), "heads", (4, 0), head=1)
    said = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert "concatenated" in said
    assert "× W_O → output" in said


def test_the_rest_of_a_sum_has_the_keys_that_the_desk_leaves_out(drawn):
    n = 40
    values = np.arange(1.0, n + 1)[:, None]
    # Even attention: every key adds a fortieth of its value, 1 to 40.
    matrices = {"Q": np.zeros((n, 1)), "K": np.ones((n, 1)), "V": values}
    spec = Spec(projected=False, given=True)
    document = Document("Forty", [f"t{key}" for key in range(n)], matrices, spec)
    drawing, _ = drawn(document, "output", (0, 0), room=(800, 420))
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    parts = [part for text in texts for part in text.removesuffix(" +").split(" + ")]
    (rest,) = (part.split(" more = ") for part in parts if " more = " in part)
    terms = [part.split("·") for part in parts if "·" in part]
    added = sum(float(share) * float(value) for share, value in terms)
    assert int(rest[0]) + len(terms) == n
    assert added + float(rest[1]) == pytest.approx(20.5, abs=2e-3)  # 820 / 40


def test_negative_factors_of_the_sum_below_a_desk_stand_in_brackets(drawn):
    scores = np.array([[-0.5, -1.0], [0.0, 0.0]])
    matrices = {"S": scores, "V": np.array([[2.0], [-3.0]])}
    options = {"given": True, "projected": False, "score": "given", "scale": 1.0}
    document = Document("Signs", "ab", matrices, Spec(normalizer="none", **options))
    drawing, _ = drawn(document, "output", (0, 0))
    texts = [s.text for s in drawing.shapes if isinstance(s, Text)]
    assert "−0.500·2 + (−1)·(−3)" in texts


def test_the_sum_below_a_desk_ends_with_all_that_it_leaves_out(drawn):
    document = load("example:journey-sum")
    drawing, _ = drawn(document, "output", (1, 0), room=(420, 250))
    mixed = drawing.sheets[2]
    lines = [
        s
        for s in drawing.shapes
        if isinstance(s, Text) and s.face == "number" and s.hue == "muted"
    ]
    assert lines
    measures = Measures(QGuiApplication.font())
    for line in lines:
        assert line.rect.left() == mixed.rect.left()
        assert measures.width(line.text, line.size, "number") <= line.rect.width()
    terms = " ".join(line.text for line in lines).split(" + ")
    *written, (count, _) = (term.split(" more = ") for term in terms)
    assert len(written) + int(count) == len(document.tokens)


def test_a_row_without_room_for_bars_tells_of_keys_that_it_leaves_out(drawn):
    document = long_document(16)
    drawing, _ = drawn(document, "weights", (10, 2), room=(500, 200))
    scaled, _ = drawing.sheets
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert len(scaled.columns) < 16
    assert f"{len(scaled.columns)} of 16 keys" in texts


def test_keys_below_narrow_bars_are_all_named_in_two_lines(drawn):
    words = [
        "[CLS]",
        "the",
        "animal",
        "didn",
        "'",
        "t",
        "cross",
        "the",
        "street",
        "because",
    ]
    document = long_document(len(words))
    document.apply(Replace("", tokens=words))
    drawing, _ = drawn(document, "weights", (8, 2), room=(650, 520))
    *_, weights = drawing.sheets
    below = [
        shape
        for shape in drawing.shapes
        if isinstance(shape, Text)
        and shape.rect.top() >= weights.rect.bottom()
        and shape.rect.left() >= weights.rect.left() - weights.cell
    ]
    assert sorted(text.text for text in below) == sorted(words)
    measures = Measures(QGuiApplication.font())
    for text in below:
        assert measures.width(text.text, text.size) <= text.rect.width() + 1


@pytest.mark.parametrize(("room", "rows"), [((900, 600), 2), ((2400, 500), 1)])
def test_matrices_of_a_sum_stand_in_two_rows_where_they_are_larger_then(
    drawn, room, rows
):
    drawing, _ = drawn(document_of("disentangled"), "summed", (4, 1), room=room)
    sheets = drawing.sheets[:4]  # beside the bars of a row, where these have room
    assert [sheet.step for sheet in sheets] == ["scores", "c2p", "p2c", "summed"]
    assert len({sheet.rect.top() for sheet in sheets}) == rows
    for one, other in itertools.combinations(sheets, 2):
        assert not one.rect.intersects(other.rect)
    assert all(QRectF(0, 0, *room).contains(sheet.rect) for sheet in sheets)
    # Four matrices of 7 columns beside each other have less than 900 / 28 pixels.
    assert sheets[0].cell >= 32
    assert [sheet.framed for sheet in sheets] == [None, None, None, (4, 1)]
