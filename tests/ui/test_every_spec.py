"""The window on every variant that can be reached: each step, walked by keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel

from attnviewer.compute import (
    NUMBERED,
    Alibi,
    Disentangled,
    Learned,
    LengthScale,
    QKNorm,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
)
from attnviewer.document import Replace, SetCells, spec_edit, variant_spec
from attnviewer.io import load
from attnviewer.ui.widgets.link_box import LinkBox
from tests.documents import given, given_across, given_heads, given_weights

NO_MODIFIER = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ROUND = [
    (Qt.Key.Key_Home, CONTROL),
    (Qt.Key.Key_End, NO_MODIFIER),
    (Qt.Key.Key_End, CONTROL),
    (Qt.Key.Key_Home, NO_MODIFIER),
]
"""Keys that lead round the corners, one at each step."""

SPECS = {
    "all biases": (
        "multi_head",
        {"biases": ("b_Q", "b_K", "b_V", "b_O"), "positions": Alibi(), "bias": True},
    ),
    "one head of keys, gated": (
        "multi_head",
        {
            "n_heads": 4,
            "n_kv_heads": 1,
            "positions": Rotary(rotary_dim=2),
            "output_gate": "headwise",
        },
    ),
    "cross with all": (
        "cross",
        {
            "n_heads": 4,
            "n_kv_heads": 2,
            "biases": ("b_Q", "b_K", "b_V"),
            "positions": Learned(),
            "bias": True,
            "mask": True,
            "length_scale": LengthScale(),
            "softcap": 5.0,
            "temperature": 0.5,
        },
    ),
    "cross with rotary": ("cross", {"positions": Rotary()}),
    "normalised": (
        "multi_head",
        {
            "qk_norm": QKNorm(kind="layer", shift=True),
            "positions": Rotary(),
        },
    ),
    "rotary": ("simplified", {"positions": Rotary()}),
    "rotary along axes": (
        "multi_head",
        {"positions": Rotary(axes=RotaryAxes((1, 1)))},
    ),
    "disentangled": (
        "multi_head",
        {"positions": Disentangled(2, own_weights=True), "biases": ("b_Q", "b_KR")},
    ),
    "sigmoid, gated": (
        "self",
        {
            "normalizer": "sigmoid",
            "temperature": 3.0,
            "scale": 1.0,
            "positions": Sinusoidal(),
            "output_gate": "elementwise",
        },
    ),
    "sinks": (
        "multi_head",
        {
            "n_heads": 4,
            "n_kv_heads": 2,
            "sinks": True,
            "mask": True,
            "positions": RelativeBias(8, 6),
        },
    ),
    "given across with all": (
        "given across",
        {"positions": Rotary(), "bias": True, "mask": True, "softcap": 5.0},
    ),
    "given heads": ("given heads", {"causal": True}),
    "given weights": ("given weights", {"causal": True}),
    "given scores": ("given weights", {"normalizer": "softmax", "softcap": 3.0}),
    "given with cosine": ("given", {"score": "cosine", "positions": Alibi()}),
}
"""Every variant and every option at least once: together where they do not meet."""
GIVEN = {
    "given": given,
    "given across": given_across,
    "given heads": given_heads,
    "given weights": given_weights,
}
"""What no other variant leads to, as documents of their own."""


def document_of(variant, changes):
    """Return a document of a variant with a hidden cell and fewer keys than queries."""
    if variant in GIVEN:
        document = GIVEN[variant]()
        variant = document.spec.variant
    else:
        document = load("example:two-heads")
    document.apply(spec_edit(document, variant_spec(document, variant), "Change"))
    changed = replace(document.spec, **changes)
    document.apply(spec_edit(document, changed, "Change"))
    if document.spec.bias:
        document.apply(SetCells("Hide", "bias", 0, 1, np.array([[-np.inf]])))
    if "context" in document.matrices:
        # Fewer keys than queries, so that neither passes for the other.
        matrices = {"context": np.arange(24.0).reshape(3, 8) / 10}
        for name in ("bias", "mask"):
            if name in document.matrices:
                matrices[name] = document.matrix(name)[:, :3]
        document.apply(
            Replace("", matrices=matrices, context_tokens=["un", "deux", "trois"])
        )
    return document


def show(window, document):
    window.workbench.open(document)
    window.workbench.engine.flush()
    QApplication.processEvents()


def text(window, name):
    return window.findChild(QLabel, name).text()


# Few windows, and as many tests as there are processes to share them.
@pytest.mark.parametrize("start", range(2))
def test_every_step_opens_titled_and_explains_two_of_its_cells(window, qtbot, start):
    for name in list(SPECS)[start::2]:
        show(window, document_of(*SPECS[name]))
        walk_through(window, qtbot)


def walk_through(window, qtbot):
    workbench = window.workbench
    trace, selection = workbench.engine.current.trace, workbench.selection
    qtbot.keyClick(window, Qt.Key.Key_2, CONTROL)
    walked = []
    workbench.open_step(next(iter(trace)))
    for _ in range(3):  # past its beginning
        qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    while not walked or walked[-1] != selection.step:
        step = selection.step
        walked.append(step)
        assert_titled(window, step)
        heatmap = window.step_view.heatmap
        heatmap.setFocus()
        assert_told(window, trace, step)  # where the step before was left
        last_row, last_column = (n - 1 for n in trace.shape(step)[-2:])
        row = selection.cell[0]
        corners = [(0, 0), (row, last_column), (last_row, last_column), (row, 0)]
        key, modifier = ROUND[len(walked) % 4]
        qtbot.keyClick(heatmap, key, modifier)
        assert selection.cell == corners[len(walked) % 4]
        assert_told(window, trace, step)
        qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    shown = [
        step
        for step, stage in trace.stages.items()
        if stage.inputs or stage.axes[0] != "features"
    ]
    # What is given stands where it enters.
    assert sorted(walked) == sorted(shown)
    for number, step in enumerate(walked):
        assert not set(trace.stages[step].inputs) & set(walked[number:]), step
    for step in set(trace) - set(walked):  # weights, which Explain leads to
        workbench.open_step(step, (0, 0))
        assert_titled(window, step)
        assert text(window, "explain.formula")


def assert_told(window, trace, step):
    """Check what is said of the selected cell: its number, its tokens and why."""
    selection, labels = (
        window.workbench.selection,
        window.workbench.engine.current.labels,
    )
    row, column = selection.cell
    exact = str(float(trace.window(step, head=selection.head)[row, column]))
    exact = exact.replace("-", "−").replace("inf", "∞")
    status = text(window, "status.cell")
    assert status.startswith(f"{step}")
    assert exact.split("e")[0] in status
    assert text(window, "explain.formula")
    for axis, place in zip(trace.stages[step].axes, (row, column), strict=True):
        tokens = {"keys": labels.keys, **dict.fromkeys(NUMBERED)}.get(
            axis, labels.queries
        )
        if tokens:
            assert tokens[place] in status


def assert_titled(window, step):
    """Check that the title of a step in sight is more than its name."""
    title = window.step_view.header.title.accessibleName()
    assert len(title) > len(step) or title in ("Scores", "Output", "Mask")


SHARED_KEYS = "multi_head", {"n_heads": 4, "n_kv_heads": 2}


def test_keys_are_those_that_the_queries_share_and_the_chosen_head_stays(window, qtbot):
    show(window, document_of(*SHARED_KEYS))
    workbench = window.workbench
    trace, selection = workbench.engine.current.trace, workbench.selection
    workbench.open_step("scores", (0, 0))
    selection.choose_head(3)
    workbench.open_step("K", (1, 0))
    choice = window.findChild(QComboBox, "step.head")
    assert [choice.itemText(k) for k in range(choice.count())] == ["H0", "H1"]
    assert choice.currentText() == "H1"
    assert f"K H1[cat, 0] = {trace['K'][1, 1, 0]}" == text(window, "status.cell")
    choice.setFocus()
    qtbot.keyClick(choice, Qt.Key.Key_Up)
    assert selection.head == 0
    assert text(window, "status.cell").startswith("K H0[cat, 0]")
    selection.choose_head(1)
    assert choice.currentText() == "H0"

    follow_a_number_to_a_shared_head(window, qtbot)


def follow_a_number_to_a_shared_head(window, qtbot):
    """The chosen head stays chosen."""
    workbench = window.workbench
    workbench.selection.choose_head(3)
    workbench.open_step("scores", (1, 0))
    formula = window.findChild(LinkBox, "explain.formula")
    # The second number of the product is of the keys, whose second head this is.
    steps = [link.cell.step for link in formula.links()]
    place = formula.link_places()[steps.index("K")].center().toPoint()
    qtbot.mouseClick(formula, Qt.MouseButton.LeftButton, pos=place)
    assert workbench.selection.head == 3
