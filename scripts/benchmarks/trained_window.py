"""The main window while it trains its document, with all its views."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import offscreen
from comparison import Goal, Result, Row, Settings
from edited_window import SIZE, Pulse, settle
from PySide6.QtCore import QEventLoop, QObject, Slot
from PySide6.QtWidgets import QApplication
from timing import summary

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.document.text.blocks import block_text
from attnviewer.ui.features.training import TrainingFeature
from attnviewer.ui.state.training import TrainingChoices
from attnviewer.ui.window.application import create_appearance
from attnviewer.ui.window.garbage_collection import collecting_from_event_loop
from attnviewer.ui.window.main_window import MainWindow

STEP_MS, STALL_MS = Goal(1000 / 30), Goal(50)
"""Thirty steps a second, and a window that answers all the while."""
STEPS, QUICK_STEPS = 300, 6
ROUNDS, QUICK_ROUNDS = 3, 1
WHERE = f"{SIZE.width()}×{SIZE.height()}, {offscreen.PLATFORM}"
VIEWS = "how", "heatmap", "lines"
"""What is open in the middle, in turn."""


@dataclass(frozen=True)
class Learned:
    """A document, and what it is trained for: a target of its output."""

    document: Document
    target: Array
    free: tuple[str, ...]
    lr: float


def measure_window(make: Callable[[], Learned], settings: Settings) -> Result:
    """Measure steps that all views follow, each view open in turn."""
    rows = []
    for view in VIEWS:
        bench = _TrainedWindow(make(), view)
        steps, pictures, stalls = [], [], []
        with collecting_from_event_loop():
            for _ in range(
                settings.rounds or (QUICK_ROUNDS if settings.quick else ROUNDS)
            ):
                taken = bench.run(QUICK_STEPS if settings.quick else STEPS)
                steps.append(taken.seconds / taken.steps)
                pictures.append(taken.seconds / max(1, taken.painted))
                stalls.append(taken.longest)
        bench.close()
        for name, seconds, goal in (
            (f"a step, {view} open", steps, STEP_MS),
            (f"  a picture, {view}", pictures, None),
            (f"  longest stall, {view}", stalls, STALL_MS),
        ):
            row = Row(name=name, **summary(seconds))
            if goal is not None and not settings.quick:
                row.goal = f"{goal} ms"
                row.verdict = goal.verdict(row.median_ms or 0)
            rows.append(row)
    rates = [f"{1e3 / (row.median_ms or 1):,.0f}" for row in rows[::3]]
    return Result(
        rows,
        [
            "Played as fast as possible; several steps may be taken between two "
            "pictures, and every view follows each picture.",
            f"Steps a second, at the median: {', '.join(rates)}.",
            "A stall is the time between two turns of the window's event loop.",
        ],
    )


@dataclass(frozen=True)
class _Taken:
    seconds: float
    steps: int
    painted: int
    longest: float


class _TrainedWindow(QObject):
    """A main window with the training panel open."""

    def __init__(self, learned: Learned, view: str) -> None:
        super().__init__()
        self._learned = learned
        self.window = window = MainWindow(create_appearance())
        window.fill(learned.document)
        window.resize(SIZE)
        window.show()
        window.activateWindow()
        window.frame.docks.open_panel("training")
        window.step_view.set_view(view)
        self._trainer = window.feature(TrainingFeature).trainer
        self._painted: set[int] = set()
        window.step_view.painted.connect(self._on_painted)
        settle()

    def run(self, steps: int) -> _Taken:
        """Train from the present numbers, until the last step is painted."""
        learned = self._learned
        choices = TrainingChoices(
            "match_output",
            "mse",
            block_text(learned.target),
            learned.free,
            lr=learned.lr,
            steps=steps,
        )
        self._trainer.restart(choices)
        self._wait(lambda: self._trainer.run is not None and not self._trainer.starting)
        self._painted.clear()
        pulse, started = Pulse(), time.perf_counter()
        self._trainer.play(choices, None)
        document = self.window.document
        self._wait(
            lambda: not self._trainer.playing and document.revision in self._painted
        )
        seconds = time.perf_counter() - started
        run = self._trainer.run
        assert run is not None
        return _Taken(seconds, run.index or 0, len(self._painted), pulse.stop())

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        settle()

    @Slot()
    def _on_painted(self) -> None:
        self._painted.add(self.window.workbench.engine.current.revision)

    def _wait(self, done: Callable[[], bool]) -> None:
        while not done():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
