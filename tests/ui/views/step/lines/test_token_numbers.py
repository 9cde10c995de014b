"""Numbers beside the tokens are written whole."""

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QAbstractScrollArea

from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step.lines.arrangement import LayoutConstraints, arrange
from attnviewer.ui.views.step.lines.focus import Focus
from attnviewer.ui.views.step.lines.tokens import TokenPainter
from attnviewer.ui.views.step.lines.viewport import TokenViewport
from attnviewer.ui.widgets.row_companion import SharedRows


class _Written(list):
    """A painter that keeps what is written, and where."""

    def drawText(self, line, _, text):
        self.append((text, line.left(), line.right()))

    def __getattr__(self, _):
        return lambda *_: None


@pytest.mark.parametrize("key", ["sailor", "a key that is longer than its place"])
def test_a_small_weight_beside_rows_is_not_cut_and_the_key_gives_way(qapp, key):
    weights = np.array([[0.0001]])
    reading = SimpleNamespace(of=lambda *_: weights, heads=(0,))
    content = SimpleNamespace(
        theme=LIGHT, threshold=0.0, labels=(["query"], [key]), reading=reading
    )
    font = QFont()
    metrics = QFontMetricsF(font)
    wide = metrics.horizontalAdvance
    room = LayoutConstraints(
        20 * metrics.height(),
        100,
        (1, 1),
        metrics.height(),
        (wide("query"), wide(key)),
        wide("0.00000"),
        row=30,
    )
    focus = Focus(queries=(0,), with_weights=((0,), ()), cells=((0, 0),))
    written = _Written()
    tokens = TokenPainter(written, content, focus, arrange(room), font)
    tokens.paint_tokens(None, Marked())
    tokens.paint_numbers()
    (name, begin, _), (number, start, stop) = written
    assert number == "0.0001"
    assert stop - start >= wide(number)
    assert begin + wide(name) < start


def test_of_low_rows_the_largest_weights_are_written_and_their_keys_named(qapp):
    weights = np.array([[0.02, 0.3, 0.1, 0.05, 0.5, 0.03]])
    reading = SimpleNamespace(of=lambda *_: weights, heads=(0,))
    keys = list("abcdef")
    content = SimpleNamespace(
        theme=LIGHT, threshold=0.0, labels=(["query"], keys), reading=reading
    )
    font = QFont()
    metrics = QFontMetricsF(font)
    height = metrics.height()
    wide = metrics.horizontalAdvance("0.00")
    row = 0.6 * height
    room = LayoutConstraints(
        30 * height, 6 * row, (1, 6), height, (wide, wide), wide, row=row
    )
    focus = Focus(queries=(0,), with_weights=((0,), ()), cells=((0, 2),))
    written = _Written()
    tokens = TokenPainter(written, content, focus, arrange(room), font)
    tokens.paint_tokens(None, Marked())
    tokens.paint_numbers()
    # The selected key first; b and d are too near.
    assert {text for text, *_ in written} == {"c", "0.10", "e", "0.50", "a", "0.02"}


@pytest.mark.parametrize(
    ("shared", "tokens", "heads", "numbers"),
    [
        (False, "abcde", (0,), "weight"),
        (True, "abcde", (0,), "weight"),
        (True, "abcde", (0, 1), "mean"),
        (False, ["of twenty-one letters"] * 5, (0, 1), "mean of 2 heads"),
    ],
)
def test_headings_are_whole_above_tokens_of_any_length(
    qtbot, shared, tokens, heads, numbers
):
    area = QAbstractScrollArea()
    qtbot.addWidget(area)
    line = area.fontMetrics().height()
    area.resize((16 if shared else 36) * line, 14 * line)
    area.show()
    reading = SimpleNamespace(shape=(5, 5), heads=heads)
    content = SimpleNamespace(theme=LIGHT, labels=(tokens, tokens), reading=reading)
    viewport = TokenViewport(area)
    viewport.show(content)
    if shared:
        viewport.share(SharedRows(2.0 * line, 11.0 * line, 2.2 * line, 0.0))
    written = _Written()
    written.device = area.viewport
    focus = Focus(queries=(0,), with_weights=((0,), ()))
    arrangement = viewport.arrangement()
    TokenPainter(written, content, focus, arrangement, area.font()).paint_headings(20)
    names = ["keys"] if shared else ["queries", "keys"]
    assert [text for text, *_ in written] == [*names, numbers]
