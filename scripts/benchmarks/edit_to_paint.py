"""From a key that ends an edit to the painted picture, in the whole main window."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import offscreen
import pyqtgraph as pg
from baselines import Torch, notebook, scipy_notebook
from comparison import Comparison, Goal, Result, Row, Settings
from edited_window import MATRICES, SIZE, SPEC, EditedWindow, Pulse, settle
from machine import import_optional, left_out, version
from plain_window import PlainWindow
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget
from random_inputs import Inputs, random_inputs
from timing import PAUSE, Variant, largest_difference, summary, timed

from attnviewer.compute import Array, run
from attnviewer.ui.window.garbage_collection import collecting_from_event_loop

WIDTH = 64
FRAME = Goal(1000 / 60)
"""Milliseconds that a screen of 60 Hz shows a picture."""
TWO_FRAMES, SHORT = Goal(2000 / 60), 64
"""What every view together may take beyond so many tokens; up to them, one frame."""
EXPLICIT_FASTER, MATPLOTLIB_FASTER = Goal(8, at_least=True), Goal(25, at_least=True)
NO_LATER = Goal(1, at_least=True)
LARGEST_ERROR = Goal(1e-6)
_UNTIL = (
    "From Return in a cell's editor until the step's picture is painted, and until "
    "every view has followed and the window is quiet."
)
EDITS, QUICK_EDITS = 200, 3
STALLS, QUICK_STALLS = 10, 2
LONG = 4096

OURS, ALL_ELSE = "attnviewer", "  every view, until quiet"
PROCESSOR = "  processor time of that"
PLAIN = "  a plain window, until quiet"
EXPLICIT = "torch explicit + pyqtgraph"
NOTEBOOK = "NumPy notebook + pyqtgraph"
SCIPY = "SciPy's softmax + matplotlib's imshow"


def comparisons(settings: Settings) -> list[Comparison]:
    where = f"{SIZE.width()}×{SIZE.height()}, {offscreen.PLATFORM}"
    (long,) = settings.lengths((LONG,), 96)
    short = settings.lengths((4, 16, 64, 256, 512), 8)
    return [
        Comparison(f"one cell of any matrix, {where}", partial(any_cell, short)),
        Comparison(
            f"one embedding, {long:,} tokens, {where}", partial(one_number, "X", long)
        ),
        *(
            Comparison(
                f"one weight of W_Q, {n:,} tokens", partial(one_number, "W_Q", n)
            )
            for n in settings.lengths((1024, 2048, LONG), 96)
        ),
        Comparison(
            f"the window while W_Q is edited, {long:,} tokens", partial(stalls, long)
        ),
    ]


def any_cell(lengths: tuple[int, ...], settings: Settings) -> Result:
    """Measure edits of random cells of random matrices."""
    edits = settings.rounds or (QUICK_EDITS if settings.quick else EDITS)
    rows = []
    for n in lengths:
        inputs = random_inputs(SPEC, n, WIDTH, WIDTH, np.float64)
        bench, plain = EditedWindow(inputs), PlainWindow(inputs)
        pictures, times, processor, plain_times = [], [], [], []
        with collecting_from_event_loop():
            for _ in range(edits + 1):
                matrix = str(bench.rng.choice(MATRICES))
                plain.type_into(matrix)
                bench.rest(0 if settings.quick else PAUSE)
                plain.commit()
                plain_times.append(plain.until_quiet())
                bench.type_into(matrix)
                bench.rest(0 if settings.quick else PAUSE)
                bench.commit()
                pictures.append(bench.until_painted())
                times.append(bench.until_quiet())
                processor.append(bench.processor_time())
        bench.close()
        plain.close()
        whole = FRAME if n <= SHORT else TWO_FRAMES
        for name, seconds, goal in (
            (f"{n:,} tokens", pictures, FRAME),
            (ALL_ELSE, times, whole),
            (PROCESSOR, processor, whole),
            (PLAIN, plain_times, None),
        ):
            del seconds[0]  # which has loaded what is loaded once
            late = 1e3 * float(np.quantile(seconds, 0.95))
            row = Row(name=name, **summary(seconds), late_ms=late)
            if goal is not None and not settings.quick:
                row.goal, row.verdict = f"{goal} ms at 95 %", goal.verdict(late)
            rows.append(row)
    return Result(
        rows,
        [
            _UNTIL,
            "The event loop turns while the window is left alone before each edit: "
            "after a sleep, a processor is slower for some milliseconds, and every "
            "time would be longer. Turns in which nothing comes are not counted as "
            "processor time.",
            "What the last edit changed is told in the status bar after some calm, "
            "and is not measured.",
            f"Embeddings of {WIDTH}, one head of {WIDTH}.",
            "A plain window has four of Qt's tables, pyqtgraph's image of the weights "
            "and a line of numbers of each other step, and computes all of them anew; "
            "the same edits are typed into both in turn.",
        ],
    )


def one_number(matrix: str, n: int, settings: Settings) -> Result:
    """Measure edits of one matrix beside other ways to compute and to paint."""
    inputs = random_inputs(SPEC, n, WIDTH, WIDTH)
    bench = EditedWindow(inputs)
    before = partial(bench.type_into, matrix)
    variants = [
        Variant(
            name=OURS, call=bench.commit, before=before, seconds=bench.until_painted
        ),
        Variant(
            name=ALL_ELSE, call=bench.commit, before=before, seconds=bench.until_quiet
        ),
    ]
    size = bench.window.step_view.heatmap.box.geometry().size().toSize()
    for name, (compute, picture) in _others(inputs, size).items():
        edit = _Edit(inputs, matrix, compute, picture)
        edit()
        weights = {"weights": np.asarray(edit.weights)}
        right = {"weights": run(SPEC, inputs)["weights"]}
        far = largest_difference(weights, right)
        variants.append(Variant(name=name, call=edit, difference=far))
        del weights, right
        edit.weights = np.empty(0)
    rows = timed(variants, settings, beside=OURS)
    rows[0].difference = bench.error()
    if not settings.quick:
        _judge(rows, matrix)
    bench.close()
    return Result(
        rows,
        [
            "Ratios are shares of attnviewer's time: how many times faster it is.",
            _UNTIL,
            f"The others show a picture of {size.width()}×{size.height()}, as large as "
            "ours, in a window of nothing else, and start with the number in place.",
            "The difference of attnviewer's weights is that from float64, the others' "
            "that from a full pass of ours.",
            *left_out("torch", EXPLICIT),
            *(left_out("scipy", SCIPY) or left_out("matplotlib", SCIPY)),
        ],
    )


def stalls(n: int, settings: Settings) -> Result:
    """Measure how long the window answers nothing while it computes an edit."""
    bench = EditedWindow(random_inputs(SPEC, n, WIDTH, WIDTH))
    painted, longest = [], []
    for _ in range(settings.rounds or (QUICK_STALLS if settings.quick else STALLS)):
        bench.type_into("W_Q")
        pulse = Pulse()
        bench.commit()
        painted.append(bench.until_painted())
        longest.append(pulse.stop())
    bench.close()
    return Result(
        [
            Row(name="longest stall", **summary(longest)),
            Row(name="until it is painted", **summary(painted)),
        ],
        ["A stall is the time between two turns of the window's event loop."],
    )


def _judge(rows: list[Row], matrix: str) -> None:
    goals = {EXPLICIT: NO_LATER}
    if matrix == "X":  # a row and a column of the scores follow it, not all
        goals = {EXPLICIT: EXPLICIT_FASTER, SCIPY: MATPLOTLIB_FASTER}
    for row in rows:
        goal = goals.get(row.name)
        if goal is not None:
            ratios = row.ratio_of_medians or 0.0, row.ratio_of_minima or 0.0
            row.goal, row.verdict = str(goal), goal.verdict(*ratios)
        if row.name == OURS:
            row.goal = f"{LARGEST_ERROR} of difference"
            row.verdict = LARGEST_ERROR.verdict(row.difference or 0.0)


class _Edit:
    """An edit of one number in another way to compute and to paint."""

    def __init__(
        self,
        inputs: Inputs,
        matrix: str,
        compute: Callable[[Array, Array, Array], Any],
        picture: Callable[[Any], None],
    ) -> None:
        self._inputs = inputs
        self._matrix = inputs[matrix]
        self._compute = compute
        self._picture = picture
        self._rng = np.random.default_rng(0)
        self.weights: Any = None

    def __call__(self) -> None:
        row, column = (int(self._rng.integers(size)) for size in self._matrix.shape)
        self._matrix[row, column] = self._rng.standard_normal()
        x, *sides = (self._inputs[name] for name in MATRICES)
        self.weights = self._compute(*(x @ side for side in sides))
        self._picture(self.weights)


def _others(
    inputs: Inputs, size: QSize
) -> dict[str, tuple[Callable[[Array, Array, Array], Any], Callable[[Any], None]]]:
    """Return the ways that are installed: how they compute weights and paint them."""
    ways: dict[str, Any] = {}
    ways[NOTEBOOK] = lambda q, k, v: notebook(q, k, v, None)[0], _Pyqtgraph(size)
    if version("torch"):
        torch = Torch()

        def explicit(*sides: Array) -> Any:
            q, k, v = (torch.tensor(side) for side in sides)
            return torch.explicit(q, k, v, None)[0].numpy()

        ways[EXPLICIT] = explicit, _Pyqtgraph(size)
    if version("scipy") and version("matplotlib"):
        n = len(inputs["X"])
        ways[SCIPY] = (
            lambda q, k, v: scipy_notebook(q, k, v, None)[0],
            _Matplotlib(size, n),
        )
    return ways


class _Pyqtgraph:
    """An image of pyqtgraph's in a window of its own."""

    def __init__(self, size: QSize) -> None:
        self._view = pg.GraphicsView()
        box = pg.ViewBox(enableMenu=False, invertY=True, defaultPadding=0)
        self._image = pg.ImageItem(axisOrder="row-major")
        box.addItem(self._image)
        self._view.setCentralItem(box)
        _show(self._view, size)

    def __call__(self, weights: Array) -> None:
        self._image.setImage(weights, autoLevels=False, levels=(0.0, 1.0))
        QApplication.processEvents()


class _Matplotlib:
    """A picture of matplotlib's in a window of its own."""

    def __init__(self, size: QSize, n: int) -> None:
        backend = import_optional("matplotlib.backends.backend_qtagg")
        figure = import_optional("matplotlib.figure").Figure()
        self._canvas = backend.FigureCanvasQTAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.axis("off")
        empty = np.zeros((n, n), np.float32)
        self._image = axes.imshow(empty, vmin=0.0, vmax=1.0, aspect="auto")
        _show(self._canvas, size)

    def __call__(self, weights: Array) -> None:
        self._image.set_data(weights)
        self._canvas.draw()
        QApplication.processEvents()


def _show(widget: QWidget, size: QSize) -> None:
    widget.resize(size)
    widget.show()
    settle()
