"""What cannot be trained is said in the panel, and nothing changes."""

import numpy as np
import pytest
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QPushButton

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.text.blocks import parse_block


def unchanged(panel):
    return panel.window.workbench.edits.count() == 0


@pytest.mark.parametrize(
    ("rate", "reason"),
    [
        ("1e9", "the learning rate 1e+09 is too large"),
        ("0", "Learning rate: It must be above 0."),
        ("−1", "Learning rate: It must be above 0."),
        ("fast", "Learning rate: “fast” is not a number."),
        ("", "Learning rate: Type a number"),
    ],
)
def test_a_learning_rate_that_cannot_be(panel, rate, reason):
    panel.type("lr", rate)
    panel.click("play")
    panel.rest()
    assert reason in panel.remark
    assert unchanged(panel)


def test_nothing_to_train(panel):
    for name in ("W_Q", "W_K"):
        panel.part(QCheckBox, f"free.{name}").click()
    panel.click("play")
    panel.rest()
    assert panel.remark == "Check at least one matrix that is trained."
    panel.part(QCheckBox, "free.W_V").click()
    panel.click("play")
    panel.rest()
    assert "on which the weights of the task depend" in panel.remark
    assert unchanged(panel)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("", "no numbers yet"),
        ("1 nan", "must hold a finite number. Got nan"),
        ("1 2\n3 4", "must have shape (8, 16)"),
    ],
)
def test_a_target_that_cannot_be(panel, target, reason):
    panel.choose("task", "match_output")
    panel.part(QPlainTextEdit, "target").setPlainText(target)
    panel.click("play")
    panel.rest()
    assert reason in panel.remark
    assert unchanged(panel)


def test_the_present_numbers_are_a_target_that_reads_back_bit_for_bit(panel):
    panel.choose("task", "match_weights")
    panel.part(QPushButton, "present").click()
    text = panel.part(QPlainTextEdit, "target").toPlainText()
    weights = panel.window.workbench.engine.current.trace["weights"]
    assert np.array_equal(parse_block(text).values, weights)
    assert panel.run_to_end().state.losses[0] == 0.0


@pytest.mark.parametrize(
    ("n", "spec", "reason"),
    [
        (8, Spec(normalizer="hardmax"), "whose gradient is 0"),
        (4096, Spec(), "2048 tokens with one head"),
    ],
)
def test_a_document_that_cannot_be_trained(panel, n, spec, reason):
    rng = np.random.default_rng(0)
    matrices = {name: rng.normal(size=(2, 2)) for name in ("W_Q", "W_K", "W_V")}
    tokens = [f"t{k}" for k in range(n)]
    matrices["X"] = rng.normal(size=(n, 2))
    document = Document("No", tokens, matrices, spec)
    panel.window.opener.open_document(document)
    panel.qtbot.waitUntil(lambda: panel.window.document is document)
    panel.click("play")
    panel.rest()
    assert reason in panel.remark
    assert unchanged(panel)


def test_a_run_that_diverges_leaves_its_last_good_numbers(panel):
    panel.choose("optimizer", "sgd")
    panel.type("lr", "200")
    run = panel.run_to_end()
    assert run.state.stopped
    assert np.isfinite(panel.window.document.matrix("W_Q")).all()
    assert panel.remark.startswith(run.state.stopped)
