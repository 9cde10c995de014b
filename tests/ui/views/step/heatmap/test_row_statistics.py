import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QGraphicsSceneHoverEvent, QStyleOptionGraphicsItem

from attnviewer.compute import InMemory, Spec
from attnviewer.document import Document
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.step.heatmap.row_statistics import RowStatistics
from tests.ui.views.step.editing import settle


@pytest.mark.parametrize(
    ("row", "entropy", "total", "keys"),
    [
        ([0.5, 0.25, 0.25], 1.5, 1.0, 2 * math.sqrt(2)),
        ([0.0, 1.0, 0.0], 0.0, 1.0, 1.0),
        # Shares of 1/2 and 1/2, as sigmoid may have them.
        ([0.25, 0.25, 0.0], 1.0, 0.5, 2.0),
        ([0.0, 0.0, 0.0], 0.0, 0.0, 0.0),
        ([1.5, -0.5, 0.0], math.nan, 1.0, math.nan),
        # A sum of zero alone does not make a row empty.
        ([0.5, -0.5, 0.0], math.nan, 0.0, math.nan),
    ],
)
def test_a_row_is_told_by_its_entropy_its_sum_and_its_keys(
    qapp, row, entropy, total, keys
):
    statistics = RowStatistics()
    statistics.set_matrix(InMemory(np.array([row])), weights=True)
    facts = statistics.facts(0)
    told = facts.entropy, facts.total, facts.effective_keys
    assert told == pytest.approx((entropy, total, keys), nan_ok=True)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0.0, 0.0], "This query attends to no key: all its weights are 0."),
        # Its keys are seen, though their weights cancel.
        ([0.5, -0.5], "With negative or undefined weights it is no distribution"),
        ([math.nan, 0.0], "With negative or undefined weights it is no distribution"),
        ([0.25, 0.25], "entropy 1.0 bits\nrow sum 0.5"),
    ],
)
def test_only_a_row_of_zeros_is_said_to_attend_to_no_key(qapp, row, told):
    statistics = RowStatistics()
    statistics.set_matrix(InMemory(np.array([row])), weights=True)
    statistics.resize(200, 20)
    event = QGraphicsSceneHoverEvent(QEvent.Type.GraphicsSceneHoverMove)
    event.setPos(QPointF(10, 10))
    statistics.hoverMoveEvent(event)
    assert told in statistics.toolTip()


def test_a_row_of_scores_is_told_by_what_is_neither_masked_nor_infinite(qapp):
    numbers = np.array([[2.0, 4.5, 100.0], [1.0, -np.inf, -3.0], [5.0, 6.0, 7.0]])
    hidden = np.zeros((3, 3), bool)
    hidden[0, 2] = hidden[2] = True
    statistics = RowStatistics()
    matrix = InMemory(numbers, hidden)
    statistics.set_matrix(matrix, weights=False, scores=True)
    told = [(f.least, f.most, f.mean) for f in map(statistics.facts, range(3))]
    assert told[:2] == [(2.0, 4.5, 3.25), (-3.0, 1.0, -1.0)]
    assert np.isnan(told[2]).all()
    texts = [statistics.facts(row).text("span") for row in range(3)]
    assert texts == ["2 … 4.5", "−3 … 1", "—"]


def test_bars_of_scores_get_shorter_before_they_drop_out(qapp):
    statistics = RowStatistics()
    numbers = np.arange(4.0).reshape(2, 2)
    statistics.set_matrix(InMemory(numbers), weights=False, scores=True)
    _, usual, shorter = statistics.extents(10_000)
    digit = QFontMetricsF(statistics.font()).horizontalAdvance("0")
    assert usual - shorter == pytest.approx(5 * digit)
    assert statistics.extents(usual - 1) == (0, 0, shorter)
    statistics.resize(shorter, 100)
    picture = QImage(math.ceil(shorter), 100, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    statistics.set_theme(LIGHT)
    statistics.set_range(0, 2)
    painter = QPainter(picture)
    option = QStyleOptionGraphicsItem()
    option.exposedRect = statistics.rect()
    statistics.paint(painter, option)
    painter.end()
    bar = QColor(LIGHT.bar)
    lengths = [
        sum(picture.pixelColor(x, y) == bar for x in range(picture.width()))
        for y in (25, 75)
    ]
    # Both rows reach over a third of all numbers, 0 to 3, with bars of 3 digits.
    assert lengths == pytest.approx([digit, digit], abs=1)


def test_bars_of_scores_reach_from_the_smallest_to_the_largest(appearance, open_window):
    window = open_window("example:four-words", (1366, 768))
    window.step_view.set_view("heatmap")
    window.workbench.selection.choose_cell("scores", (0, 0))
    settle()
    heatmap = window.step_view.heatmap
    scores = window.workbench.engine.current.trace["scores"]
    spans = scores.max(axis=1) - scores.min(axis=1)
    lengths = np.array(bar_lengths(heatmap))
    assert lengths.max() > 40
    assert lengths == pytest.approx(lengths.max() * spans / spans.max(), abs=2)


def bar_lengths(heatmap):
    """Return how many pixels of the statistics' bar each row of the map has."""
    shot = heatmap.viewport().grab().toImage()
    left = round(heatmap.statistics.geometry().left())
    color = QColor(LIGHT.bar).rgb()
    n_rows = heatmap.rows.size().height() / heatmap.cell_rect((0, 0)).height()
    lengths = []
    for row in range(round(n_rows)):
        y = round(heatmap.cell_rect((row, 0)).center().y())
        pixels = [shot.pixel(x, y) for x in range(left, shot.width())]
        lengths.append(pixels.count(color))
    return lengths


def test_many_rows_have_the_bars_of_their_entropies_without_numbers(
    appearance, open_window
):
    rng = np.random.default_rng(5)
    shapes = {"X": (64, 6), **dict.fromkeys(("W_Q", "W_K", "W_V"), (6, 6))}
    matrices = {name: rng.normal(size=shape) / 2 for name, shape in shapes.items()}
    names = [f"word{i}" for i in range(64)]
    window = open_window("example:four-words", (1366, 768))
    window.workbench.open(Document("Many", names, matrices, Spec()))
    window.step_view.set_view("heatmap")
    window.workbench.selection.choose_cell("weights", (0, 0))
    settle()
    heatmap = window.step_view.heatmap
    assert heatmap.cell_rect((0, 0)).height() < heatmap.fontMetrics().height()
    assert heatmap.statistics.isVisible()
    weights = window.workbench.engine.current.trace["weights"]  # (64, 64)
    entropies = -(weights * np.log2(weights)).sum(axis=1)  # bits, of (64,) rows
    lengths = np.array(bar_lengths(heatmap))
    assert lengths.max() > 20
    scale = lengths.max() / entropies.max()
    assert np.abs(lengths - scale * entropies).max() <= 2
