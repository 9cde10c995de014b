"""How smoothly the heatmap of a long sequence moves, and how soon it is exact.

At each zoom the view moves in small steps, each of which is painted; then it stands
still until the visible cells have been read. Before that the overview has been read,
as it is some seconds after a document is opened.
"""

from functools import partial
from time import perf_counter

import numpy as np
import offscreen
from comparison import Comparison, Goal, Result, Row, Settings
from edited_window import SIZE, Pulse, settle
from PySide6.QtWidgets import QApplication
from random_inputs import random_inputs

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.views.step.heatmap import GroupedHeatmap
from attnviewer.ui.window.application import create_appearance
from attnviewer.ui.window.main_window import MainWindow

WIDTH = 64
SPEC = Spec(causal=True)
FRAME, STILL, BLOCKED = Goal(1000 / 30), Goal(50), Goal(16)
"""Milliseconds of a frame, until the cells are exact, and of one turn of the event loop
while they are read."""
FRAMES, MOVES = 25, 50
"""How many steps are taken, each by this part of what is in sight."""
SIDES = 4096, 2048, 1000, 500, 100, 20
"""How many rows and columns are in sight, besides a half of all."""


def comparisons(settings: Settings) -> list[Comparison]:
    where = f"{SIZE.width()}×{SIZE.height()}, {offscreen.PLATFORM}"
    return [
        Comparison(f"causal weights of {n:,} tokens, {where}", partial(at_each_zoom, n))
        for n in settings.lengths((8192, 32768, 131072), 1200)
    ]


def at_each_zoom(n: int, settings: Settings) -> Result:
    inputs = random_inputs(SPEC, n, WIDTH, WIDTH)
    tokens = [str(place) for place in range(n)]
    window = MainWindow(create_appearance())
    window.fill(Document("Benchmark", tokens, inputs, SPEC))
    window.resize(SIZE)
    window.show()
    window.step_view.set_view("heatmap")
    heatmap = window.step_view.heatmap
    settle()
    while not _is_read(heatmap):
        QApplication.processEvents()
    rows = []
    for side in (n // 2, *(side for side in SIDES if side < n // 2)):
        _look_at(heatmap, n, side)
        frames = [_frame(heatmap, side) for _ in range(3 if settings.quick else FRAMES)]
        rows.append(_row(f"{side:,} rows in sight: a frame", frames, FRAME))
        still, blocked = [], []
        for _ in range(settings.rounds or 3):
            heatmap.box.translateBy(x=-side / MOVES, y=-side / MOVES)
            pulse, begun = Pulse(), perf_counter()
            while not heatmap.image.is_sharp:
                QApplication.processEvents()
            heatmap.viewport().repaint()
            still.append(1e3 * (perf_counter() - begun))
            blocked.append(1e3 * pulse.stop())
        rows.append(_row("  then until it is exact", still, STILL))
        rows.append(_row("  longest turn of the event loop", blocked, BLOCKED))
    window.close()
    window.deleteLater()
    settle()
    return Result(rows, ["Standing still includes the 30 ms that are waited for."])


def _is_read(heatmap: GroupedHeatmap) -> bool:
    content = heatmap.content
    return content is not None and (
        content.overview is None or content.overview.share == 1
    )


def _look_at(heatmap: GroupedHeatmap, n: int, side: int) -> None:
    first = (n - side) // 3
    span = first, first + side
    heatmap.box.setRange(xRange=span, yRange=span, padding=0)
    while not heatmap.image.is_sharp:
        QApplication.processEvents()


def _frame(heatmap: GroupedHeatmap, side: int) -> float:
    """Move the view a little and paint it; return how many milliseconds that takes."""
    begun = perf_counter()
    heatmap.box.translateBy(x=side / MOVES, y=side / MOVES)
    heatmap.viewport().repaint()
    taken = perf_counter() - begun
    QApplication.processEvents()
    return 1e3 * taken


def _row(name: str, times: list[float], goal: Goal) -> Row:
    middle = float(np.median(times))
    return Row(
        name=name,
        median_ms=middle,
        min_ms=min(times),
        late_ms=float(np.quantile(times, 0.95)),
        goal=str(goal),
        verdict=goal.verdict(middle),
        times_ms=times,
    )
