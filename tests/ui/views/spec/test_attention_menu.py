"""The Attention menu, by mouse and keys: every choice an edit, every state shown."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from attnviewer.compute import Alibi, Learned, Rotary, RotaryAxes, Sinusoidal
from attnviewer.document import Replace, spec_edit
from attnviewer.document.token_grid import TokenGrid

# A menu that pops up offscreen has nothing to be raised above.
pytestmark = pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing the keyboard)", extend=True
)


@pytest.fixture
def window(appearance, open_window):
    return open_window("example:two-heads", (1366, 768))


def attention(window) -> QMenu:
    bar = window.menuBar()
    return next(a.menu() for a in bar.actions() if a.text() == "&Attention")


def find(menu, text) -> QAction:
    return next(a for a in menu.actions() if a.text().replace("&", "") == text)


def choose(window, *texts):
    """Click through the menu as a person does."""
    bar, menu = window.menuBar(), attention(window)
    place = bar.actionGeometry(menu.menuAction()).center()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    for text in texts:
        assert menu.isVisible()
        action = find(menu, text)
        place = menu.actionGeometry(action).center()
        below = action.menu()  # asked for later, the action may have another wrapper
        QTest.mouseMove(menu, place)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
        menu = below
    if QApplication.activePopupWidget():
        QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_Escape)


def undo_all(window):
    while window.workbench.edits.canUndo():
        window.workbench.edits.undo()


def checked(window, *path):
    """Return what is checked in a submenu when the menu is opened."""
    menu = attention(window)
    menu.aboutToShow.emit()
    for text in path:
        menu = find(menu, text).menu()
    return [a.text().replace("&", "") for a in menu.actions() if a.isChecked()]


CHOICES = [
    (
        ("Variant", "Cross-attention"),
        *("context", True, "Set variant to Cross-attention"),
    ),
    (("Key/value heads", "1"), "n_kv_heads", 1, "Set key/value heads to 1"),
    (("Output projection W_O",), "output_projection", False, "Remove W_O"),
    (
        ("Output gate", "For each head"),
        *("output_gate", "headwise", "Set output gate to For each head"),
    ),
    (("Biases", "b_K"), "biases", ("b_K",), "Add b_K"),
    (
        ("Biases", "All"),
        *("biases", ("b_Q", "b_K", "b_V", "b_O"), "Add all biases"),
    ),
    (
        ("Positions", "Sinusoidal, added to X"),
        *("positions", Sinusoidal(), "Set positions to Sinusoidal, added to X"),
    ),
    (
        ("Positions", "Learned table P, added to X"),
        "positions",
        Learned(),
        "Set positions to Learned table P, added to X",
    ),
    (
        ("Positions", "Rotary (RoPE)"),
        *("positions", Rotary(), "Set positions to Rotary (RoPE)"),
    ),
    (
        ("Positions", "Linear penalty (ALiBi)"),
        *("positions", Alibi(), "Set positions to Linear penalty (ALiBi)"),
    ),
    (("Added bias",), "bias", True, "Add a bias to the scores"),
    (("Scale", "None"), "scale", 1.0, "Set scale to None"),
    (("Soft cap", "20"), "softcap", 20.0, "Set soft cap to 20"),
    (
        ("Normalise", "sparsemax"),
        "normalizer",
        "sparsemax",
        "Normalise by sparsemax",
    ),
]
"""The path in the menu, the field of the spec, its value, and what undo says."""


def test_choices_are_edits_that_undo_takes_back_and_the_menu_shows_them(window):
    check_checks(window)
    undo_all(window)
    check_choices(window)
    undo_all(window)
    check_heads_and_variants(window)


def test_rotary_positions_of_a_grid_and_of_own_frequencies_are_kept_or_replaced(window):
    check_frequencies(window)
    undo_all(window)
    check_grid(window)


def check_choices(window):
    document, edits = window.document, window.workbench.edits
    before, matrices = document.spec, set(document.matrices)
    for path, field, value, undo in CHOICES:
        choose(window, *path)
        assert getattr(document.spec, field) == value, path
        assert edits.undoText() == undo
        document.compute()
        if len(path) == 2:
            assert path[1] in checked(window, path[0])
        edits.undo()
        assert document.spec == before, path
        assert set(document.matrices) == matrices, path


def test_a_refused_choice_tells_why_below_the_menu_and_leaves_it_unchecked(open_window):
    window = open_window("example:four-words")
    choose(window, "Positions", "Rotary (RoPE)")
    assert window.reason.isVisible()
    assert window.reason.text() == (
        "The 'd_k' must be even where rotary positions rotate its columns in pairs. "
        "Got 3 instead."
    )
    assert checked(window, "Positions") == ["None"]
    assert window.document.revision == 0


def check_checks(window):
    choose(window, "Variant", "Multi-head attention")
    choose(window, "Positions", "None")
    assert window.workbench.edits.count() == 0
    undo_all(window)
    assert checked(window, "Variant") == ["Multi-head attention"]
    assert checked(window, "Key/value heads") == ["2"]
    assert checked(window, "Positions") == ["None"]
    assert checked(window) == ["Output projection W_O"]
    choose(window, "Biases", "All")
    assert checked(window, "Biases") == ["b_Q", "b_K", "b_V", "b_O", "All"]
    choose(window, "Biases", "b_V")
    assert checked(window, "Biases") == ["b_Q", "b_K", "b_O"]
    undo_all(window)
    choose(window, "Variant", "Simplified self-attention")
    menu = attention(window)
    menu.aboutToShow.emit()
    assert not find(menu, "Output projection W_O").isEnabled()
    assert not find(menu, "Key/value heads").isEnabled()
    biases = find(menu, "Biases").menu()
    assert not any(a.isEnabled() for a in biases.actions() if not a.isSeparator())


def check_frequencies(window):
    document, edits = window.document, window.workbench.edits
    plain = Rotary(base=500.0, offset=3)
    own = replace(plain, frequencies=(0.5, 0.125))
    edits.submit(spec_edit(document, replace(document.spec, positions=own), "Read"))
    assert checked(window, "Positions") == ["Rotary (RoPE), own frequencies"]
    choose(window, "Positions", "Rotary (RoPE), own frequencies")
    assert edits.undoText() == "Read"
    choose(window, "Positions", "Rotary (RoPE)")
    assert document.spec.positions == plain
    assert edits.undoText() == "Set positions to Rotary (RoPE)"
    assert checked(window, "Positions") == ["Rotary (RoPE)"]
    texts = [a.text() for a in find(attention(window), "Positions").menu().actions()]
    assert "Rotary (RoPE), own frequencies" not in texts
    edits.undo()
    assert document.spec.positions == own
    assert checked(window, "Positions") == ["Rotary (RoPE), own frequencies"]


def check_grid(window):
    document, edits = window.document, window.workbench.edits
    offered = find(attention(window), "Positions").menu().actions
    title = "Rotary (RoPE), rows and columns"
    assert title not in [action.text() for action in offered()]
    grid = TokenGrid(1, len(document.tokens) - 1, n_special=1)
    edits.submit(Replace("Declare a grid", grid=(grid,)))
    choose(window, "Positions", title)
    axes = RotaryAxes((1, 1), own_frequencies=True)
    assert document.spec.positions == Rotary(axes=axes)
    assert edits.undoText() == f"Set positions to {title}"
    assert checked(window, "Positions") == [title]
    ids = document.matrix("position_ids")
    np.testing.assert_array_equal(ids[0], [0, 0])
    np.testing.assert_array_equal(ids[1:, 0], 1)
    np.testing.assert_array_equal(ids[1:, 1], np.arange(1, len(ids)))
    choose(window, "Positions", "Rotary (RoPE)")
    assert document.spec.positions == Rotary()
    edits.undo()
    assert document.spec.positions == Rotary(axes=axes)


def check_heads_and_variants(window):
    document = window.document
    keys = document.matrix("W_K").copy()  # (8, 8)
    before = document.compute()["output"]
    choose(window, "Key/value heads", "1")
    # Of two heads with four columns each, the mean.
    np.testing.assert_array_equal(
        document.matrix("W_K"), (keys[:, :4] + keys[:, 4:]) / 2
    )
    choose(window, "Variant", "Cross-attention")
    choose(window, "Variant", "Self-attention")
    assert document.spec.n_kv_heads is None
    undo_all(window)
    np.testing.assert_array_equal(document.compute()["output"], before)
    assert checked(window, "Number of heads") == ["2"]
    choose(window, "Number of heads", "4")
    assert window.document.spec.n_heads == 4
    assert checked(window, "Number of heads") == ["4"]
    before = window.document.spec
    choose(window, "Mask", "Window")
    assert window.document.spec.window is not None
    assert checked(window, "Mask") == ["Window"]
    choose(window, "Mask", "None")
    assert window.document.spec == replace(before, causal=False)
