"""What moves the selected cell, shown on the input tables."""

import mmap
import re
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel

from attnviewer import attention
from attnviewer.compute import Cell, CellGradient, Spec
from attnviewer.compute.one_query import GradientPart
from attnviewer.document import SetCells, spec_edit
from attnviewer.io import load
from attnviewer.ui.state import sensitivity as module
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.work.worker import NO_MEMORY
from tests.ui.turns import follow_picture


def show(window) -> None:
    window.findChild(QAction, "action.explain.effect").trigger()


def color(window, matrix: str, row: int, column: int) -> QColor:
    """Return the ground of a cell of a table, left of its number."""
    table = window.inputs.table(matrix)
    place = table.visualRect(table.model().index(row, column))
    return table.viewport().grab(place).toImage().pixelColor(QPoint(3, 3))


def test_inputs_that_raise_the_cell_are_blue_those_that_lower_it_red_after_edits_too(
    window,
):
    before = color(window, "X", 2, 0)
    show(window)
    # Slopes of weights[word 1, word 3]: 0.868, −0.562, and 0 on all of W_V.
    raises, lowers = color(window, "X", 2, 0), color(window, "X", 0, 0)
    nothing = color(window, "W_V", 1, 1)
    assert raises.blue() > 2 * raises.red()
    assert lowers.red() > 2 * lowers.blue()
    legend = window.findChild(QLabel, "explain.legend").text()
    assert legend.startswith("Raising a blue cell raises it, raising a red one lowers")
    assert abs(nothing.red() - nothing.blue()) < 20
    assert min(nothing.red(), nothing.green(), nothing.blue()) > 200
    show(window)
    assert color(window, "X", 2, 0) == before

    the_colours_follow_an_edit_and_the_selection(window)


def the_colours_follow_an_edit_and_the_selection(window):
    show(window)
    assert color(window, "W_V", 1, 1).saturation() < 30
    window.workbench.selection.choose_cell("output", (0, 1))
    # weights[word 1, word 3] · X[word 3, 1] and more: W_V[1, 1] raises it.
    after = color(window, "W_V", 1, 1)
    assert after.blue() > after.red() + 40
    edit = SetCells("Edit", "X", 0, 0, np.zeros((4, 3)))
    window.workbench.edits.submit(edit)
    window.workbench.engine.flush()
    # Without embeddings no weight matters.
    assert color(window, "W_V", 1, 1).saturation() < 30


def check_the_legend_says_what_the_deepest_colour_stands_for(window):
    legend = window.findChild(QLabel, "explain.legend")
    assert not legend.isVisible()
    box = window.findChild(QCheckBox, "explain.effect")
    box.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert legend.isVisible()
    assert "±0.868" in legend.text()
    assert window.workbench.sensitivity.shown
    show(window)
    assert not box.isChecked()
    assert not legend.isVisible()


def test_slopes_are_those_of_the_computed_cell_and_of_the_variant_in_force(window):
    it_is_that_of_the_computed_cell_while_an_input_is_selected(window)
    slopes_of_the_variant_before_are_not_found(window)


def it_is_that_of_the_computed_cell_while_an_input_is_selected(window):
    sensitivity, selection = window.workbench.sensitivity, window.workbench.selection
    selection.choose_cell("scores", (1, 0))
    selection.choose_cell("X", (0, 0))
    assert sensitivity.target == Cell("scores", (1, 0))
    # scores[1, 0] = (X W_Q)₁ · (X W_K)₀, and (X W_Q)₁ = [2 0 0]: 2·W_K[0, 0].
    assert sensitivity.read().on["X"][0, 0] == pytest.approx(4.0)


def slopes_of_the_variant_before_are_not_found(window):
    workbench = window.workbench
    for step in ("weights", "W_K"):
        workbench.selection.choose_cell(step, (1, 1))
    assert "W_K" in workbench.sensitivity.read().on
    found = []
    workbench.selection.cell_changed.connect(
        lambda *_: found.append(set(workbench.sensitivity.read().on))
    )
    simplified = spec_edit(workbench.document, Spec(projected=False), "Simplify")
    workbench.edits.submit(simplified)
    workbench.engine.flush()  # without W_K, the weight is selected again
    assert found
    assert all(names == {"X"} for names in found)


def check_tables_that_are_newer_than_the_numbers_keep_their_look(window):
    show(window)
    window.findChild(QAction, "action.token.add").trigger()
    table = window.inputs.table("X")
    table.viewport().grab()  # before the engine knows of the token
    window.workbench.engine.flush()
    assert window.workbench.sensitivity.on("X").shape == (5, 3)


def test_gradients_that_are_rounding_are_zero_and_not_listed():
    # The cosine of a token with itself is 1, whatever its embedding.
    x = np.array([[0.3, 0.1, 0.7]])
    trace = attention(x, x, x, score="cosine")
    exact = trace.gradient("scores", (0, 0))
    found = module.Gradients(trace.cell_gradient("scores", (0, 0)), 1.0)
    found.run()
    assert any(part.any() for part in exact.values())
    assert not any(part.any() for part in found.on.values())
    assert not found.strongest
    assert found.reach == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_gradients_that_are_zero_for_nearly_all_tokens_take_no_memory():
    untouched = mmap.mmap(-1, 2**24, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    on = np.frombuffer(untouched, np.float32)
    on[5] = 1e-9
    whole = GradientPart("Q", slice(None), on)
    computed = SimpleNamespace(
        inputs={"Q": np.ones(1)}, dtype=on.dtype, wholes=lambda: [whole]
    )
    found, before = module.Gradients(computed, 1e9), _resident_bytes(on)
    found.run()
    assert not found.on["Q"].any()
    assert _resident_bytes(on) - before < on.nbytes / 2


def _resident_bytes(array) -> int:
    """Return how much of the mapping that an array lies in is in memory."""
    inside = False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        span = re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line)
        if span is not None:
            first, end = (int(bound, 16) for bound in span.groups())
            inside = first <= array.ctypes.data < end
        elif inside and line.startswith("Rss:"):
            return 1024 * int(line.split()[1])
    raise AssertionError


def test_a_long_gradient_waits_for_a_pause(window, qtbot, monkeypatch):
    monkeypatch.setattr(module, "QUICK", 0)
    box = window.findChild(QLabel, "explain.influence")
    before = box.accessibleDescription()
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert box.accessibleDescription() == before
    qtbot.waitUntil(lambda: box.accessibleDescription() != before)
    # The input cell is told its slope then, too.
    window.inputs.table("X").setFocus(Qt.FocusReason.TabFocusReason)
    told = window.findChild(QLabel, "explain.input").accessibleDescription
    follow_picture()
    assert "gradient of weights[word 2, word 1]" in told()
    window.workbench.selection.choose_cell("weights", (2, 0))
    assert "gradient" not in told()
    qtbot.waitUntil(lambda: "gradient of weights[word 3, word 1]" in told())

    check_what_an_edit_may_have_changed_is_not_taken(window, monkeypatch)
    check_many_numbers_take_long_without_projections_too(window, monkeypatch)


def check_what_an_edit_may_have_changed_is_not_taken(window, monkeypatch):
    """Of many tokens, the inputs are read while they are edited."""
    sensitivity, selection = window.workbench.sensitivity, window.workbench.selection
    monkeypatch.setattr(module, "QUICK", 0)
    for behind in (True, False):
        monkeypatch.setattr(module.Engine, "is_behind", behind)
        selection.choose_cell("weights", (3, int(behind)))
        sensitivity.read()
        sensitivity.finish()
        assert sensitivity.newest is not behind


def check_many_numbers_take_long_without_projections_too(window, monkeypatch):
    monkeypatch.setattr(module, "QUICK", 0)
    simplified = spec_edit(window.workbench.document, Spec(projected=False), "Simplify")
    window.workbench.edits.submit(simplified)
    window.workbench.engine.flush()
    window.workbench.sensitivity.read()
    assert not window.workbench.sensitivity.newest


def test_a_gradient_of_many_numbers_is_kept_only_where_it_is_seen(
    window, qtbot, monkeypatch
):
    monkeypatch.setattr(module, "KEPT", 0)
    sensitivity = window.workbench.sensitivity
    window.workbench.selection.choose_cell("weights", (0, 1))
    found = sensitivity.read()
    assert (found.strongest, found.on) == (sensitivity.read().strongest, {})
    show(window)
    assert sensitivity.on("X").shape == (4, 3)
    show(window)
    monkeypatch.setattr(module, "QUICK", 0)
    window.workbench.selection.choose_cell("scores", (1, 0))
    qtbot.waitUntil(lambda: sensitivity.newest)
    assert not sensitivity.read().on
    # scores[1, 0] = (X W_Q)₁ · (X W_K)₀, and (X W_Q)₁ = [2 0 0]: 2·W_K[0, 0].
    window.inputs.table("X").setFocus(Qt.FocusReason.TabFocusReason)
    told = window.findChild(QLabel, "explain.input").accessibleDescription
    qtbot.waitUntil(lambda: "gradient of scores[word 2, word 1]: +4" in told())


class Watched:
    """Computes gradients, and notes in which thread."""

    def __init__(self, monkeypatch):
        self.threads = []
        self.open = threading.Event()
        self._gui = threading.get_ident()
        self._parts = CellGradient.parts
        monkeypatch.setattr(CellGradient, "parts", lambda cell: self(cell))

    def __call__(self, gradient):
        self.threads.append(threading.get_ident())
        assert self.open.wait(10)
        return self._parts(gradient)

    @property
    def beside_the_window(self):
        return bool(self.threads) and self._gui not in self.threads


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(module, "QUICK", 0)
    watched = Watched(monkeypatch)
    yield watched
    watched.open.set()


def afresh(window) -> None:
    """Open the four words anew, as the window opened."""
    window.workbench.open(load("example:four-words"))
    window.workbench.engine.flush()
    QApplication.processEvents()


def again(window, qtbot, watched) -> None:
    """Open the four words anew, and hold the gradients that are asked for next."""
    watched.open.set()
    afresh(window)
    qtbot.waitUntil(lambda: window.workbench.sensitivity.newest)
    watched.open.clear()
    watched.threads.clear()


def kind(window) -> str:
    return window.findChild(ElidedLabel, "explain.influence.kind").text()


def check_a_long_gradient_is_computed_beside_the_window_and_the_old_one_kept(
    window, qtbot, watched
):
    show(window)
    box = window.findChild(QLabel, "explain.influence")
    told, raises = box.accessibleDescription(), color(window, "X", 2, 0)
    assert kind(window) == "gradient"
    window.workbench.selection.choose_cell("output", (0, 1))
    qtbot.waitUntil(lambda: len(watched.threads) == 1)
    assert kind(window) == "computing…"
    assert box.accessibleDescription() == told
    assert color(window, "X", 2, 0) == raises
    watched.open.set()
    qtbot.waitUntil(lambda: kind(window) == "gradient")
    assert box.accessibleDescription() != told
    # weights[word 1, word 3] · X[word 3, 1] and more: W_V[1, 1] raises it.
    raised = color(window, "W_V", 1, 1)
    assert raised.blue() > raised.red() + 40
    assert watched.beside_the_window


def check_of_cells_that_are_selected_meanwhile_the_newest_alone_is_told(
    window, qtbot, watched
):
    window.workbench.selection.choose_cell("output", (0, 1))
    qtbot.waitUntil(lambda: len(watched.threads) == 1)
    for cell in ((0, 0), (0, 1), (1, 0)):
        window.workbench.selection.choose_cell("scores", cell)
    told = []
    sensitivity = window.workbench.sensitivity
    sensitivity.found.connect(lambda: told.append(sensitivity.read().on["X"][0, 0]))
    watched.open.set()
    with qtbot.waitSignal(sensitivity.found):
        pass
    # scores[1, 0] = (X W_Q)₁ · (X W_K)₀, and (X W_Q)₁ = [2 0 0]: 2·W_K[0, 0].
    assert told == [pytest.approx(4.0)]
    assert len(watched.threads) == 2


def check_an_edit_during_a_long_gradient_has_its_own_computed(window, qtbot, watched):
    sensitivity = window.workbench.sensitivity
    window.workbench.selection.choose_cell("scores", (1, 0))
    qtbot.waitUntil(lambda: len(watched.threads) == 1)
    edit = SetCells("Edit", "W_K", 0, 0, np.array([[-3.0]]))
    window.workbench.edits.submit(edit)
    window.workbench.engine.flush()
    assert not sensitivity.newest
    watched.open.set()
    with qtbot.waitSignal(sensitivity.found):
        pass
    assert sensitivity.newest
    assert sensitivity.read().on["X"][0, 0] == pytest.approx(-6.0)


def check_too_little_memory_for_a_gradient_is_told_in_its_place(
    window, qtbot, monkeypatch
):
    def run_out(_gradient):
        raise MemoryError

    box = window.findChild(QLabel, "explain.influence")
    monkeypatch.setattr(CellGradient, "parts", run_out)
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert box.text() == NO_MEMORY
    monkeypatch.setattr(module, "QUICK", 0)
    window.workbench.selection.choose_cell("weights", (1, 1))
    with qtbot.waitSignal(window.workbench.sensitivity.found):
        pass
    assert box.text() == NO_MEMORY
    assert kind(window) == "gradient"


def check_a_window_can_be_closed_while_a_gradient_is_computed(window, qtbot, watched):
    window.workbench.selection.choose_cell("weights", (1, 0))
    qtbot.waitUntil(lambda: len(watched.threads) == 1)
    watched.open.set()
    window.close()
    assert not window.workbench.sensitivity.newest


def test_long_gradients_are_computed_beside_the_window_for_the_newest_cell_and_numbers(
    window, qtbot, watched
):
    check_a_long_gradient_is_computed_beside_the_window_and_the_old_one_kept(
        window, qtbot, watched
    )
    again(window, qtbot, watched)
    check_of_cells_that_are_selected_meanwhile_the_newest_alone_is_told(
        window, qtbot, watched
    )
    again(window, qtbot, watched)
    check_an_edit_during_a_long_gradient_has_its_own_computed(window, qtbot, watched)
    again(window, qtbot, watched)
    check_a_window_can_be_closed_while_a_gradient_is_computed(window, qtbot, watched)


def check_a_hidden_dock_explains_nothing_until_it_is_shown(window, monkeypatch):
    asked = []
    trace = type(window.workbench.engine.current.trace)
    explain = trace.explain

    def count(self, *arguments, **options):
        asked.append(arguments)
        return explain(self, *arguments, **options)

    monkeypatch.setattr(trace, "explain", count)
    dock = window.findChild(QAction, "action.dock.explain")
    dock.trigger()
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert asked == []
    dock.trigger()
    assert ("weights", (1, 0)) in asked


def test_effects_are_told_in_a_legend_and_not_while_hidden_or_without_memory(
    window, qtbot, monkeypatch
):
    check_the_legend_says_what_the_deepest_colour_stands_for(window)
    check_tables_that_are_newer_than_the_numbers_keep_their_look(window)
    afresh(window)
    check_a_hidden_dock_explains_nothing_until_it_is_shown(window, monkeypatch)
    afresh(window)
    check_too_little_memory_for_a_gradient_is_told_in_its_place(
        window, qtbot, monkeypatch
    )
