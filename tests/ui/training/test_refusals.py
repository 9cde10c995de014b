"""What cannot be trained is said in the panel, and nothing changes."""

import re

import numpy as np
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
)

from attnviewer.compute import Pin, Spec
from attnviewer.document import Document
from attnviewer.document.text.blocks import parse_block


def unchanged(panel):
    return panel.window.workbench.edits.count() == 0


def test_what_the_optimiser_cannot_take_is_refused_by_the_name_of_its_field(panel):
    for rate, reason in [
        ("1e9", "the learning rate 1e+09 is too large"),
        ("0", "Learning rate: It must be above 0."),
        ("−1", "Learning rate: It must be above 0."),
        ("fast", "Learning rate: “fast” is not a number."),
        ("", "Learning rate: Type a number"),
    ]:
        panel.type("lr", rate)
        panel.click("play")
        panel.rest()
        assert reason in panel.remark
        assert unchanged(panel)

    panel.type("lr", "0.1")
    for optimizer, name, text, reason in [
        ("adam", "beta1", "1.5", "“β₁” must be at least 0 and below 1. Got 1.5"),
        ("adamw", "eps", "−1", "“ε” must be finite and at least 0. Got -1.0"),
        ("adam", "weight_decay", "−1", "“Weight decay” must be finite and at"),
        ("sgd", "gamma", "2", "“Rate decay γ” must be above 0 and at most 1."),
        ("momentum", "momentum", "1", "“Momentum” must be at least 0 and below 1."),
    ]:
        panel.choose("optimizer", optimizer)
        before = panel.part(QLineEdit, name).text()
        panel.type(name, text)
        panel.click("play")
        panel.rest()
        assert panel.remark.startswith(reason)
        assert unchanged(panel)
        panel.type(name, before)


def test_a_choice_or_a_document_that_cannot_be_trained_is_refused(panel):
    for task, loss, target, spec, reason in [
        ("repeated", "mse", "", {}, "“Find the repeated token” must be of a"),
        ("match_output", "mse", "1 2", {}, "“Target” must have shape (8, 2), as"),
        (
            "match_output",
            "cross_entropy",
            "-1 0\n" * 8,
            {},
            "“Target” must be at least 0 everywhere for a cross-entropy.",
        ),
        (
            "copy_previous",
            "cross_entropy",
            "",
            {"normalizer": "sum"},
            "“Loss” must be “mean squared error” where weights may be negative. Got "
            "“cross-entropy” with ",
        ),
        (
            "copy_previous",
            "mse",
            "",
            {"pins": (Pin("scores", 0, 0, 1.0),)},
            "“Sequences” must be “the document’s” where cells are pinned",
        ),
    ]:
        rng = np.random.default_rng(0)
        matrices = {name: rng.normal(size=(2, 2)) for name in ("W_Q", "W_K", "W_V")}
        matrices["X"] = rng.normal(size=(8, 2))
        document = Document("No", "abcdefgh", matrices, Spec(**spec))
        panel.window.opener.open_document(document)
        panel.qtbot.waitUntil(
            lambda document=document: panel.window.document is document
        )
        panel.choose("task", task)
        panel.choose("loss", loss)
        panel.part(QPlainTextEdit, "target").setPlainText(target)
        panel.part(QSpinBox, "batch").setValue(4 if "pins" in spec else 0)
        panel.click("play")
        panel.rest()
        assert panel.remark.startswith(reason)
        assert not re.search(r"'\w+'", panel.remark)
        assert unchanged(panel)

    panel.part(QSpinBox, "batch").setValue(0)
    for n, spec, reason in [
        (8, Spec(normalizer="hardmax"), "whose gradient is 0"),
        (4096, Spec(), "2048 tokens with one head"),
    ]:
        rng = np.random.default_rng(0)
        matrices = {name: rng.normal(size=(2, 2)) for name in ("W_Q", "W_K", "W_V")}
        tokens = [f"t{k}" for k in range(n)]
        matrices["X"] = rng.normal(size=(n, 2))
        document = Document("No", tokens, matrices, spec)
        panel.window.opener.open_document(document)
        panel.qtbot.waitUntil(
            lambda document=document: panel.window.document is document
        )
        panel.click("play")
        panel.rest()
        assert reason in panel.remark
        assert unchanged(panel)


def test_a_target_that_cannot_be_is_refused_and_so_is_nothing_to_train(panel):
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

    for target, reason in [
        ("", "no numbers yet"),
        ("1 nan", "must be finite. Got nan"),
        ("1 2\n3 4", "must have shape (8, 16)"),
    ]:
        panel.choose("task", "match_output")
        panel.part(QPlainTextEdit, "target").setPlainText(target)
        panel.click("play")
        panel.rest()
        assert reason in panel.remark
        assert unchanged(panel)


def test_present_numbers_are_a_target_and_a_run_that_diverges_leaves_its_last_good(
    panel,
):
    panel.choose("optimizer", "sgd")
    panel.type("lr", "200")
    run = panel.run_to_end()
    assert run.state.stopped
    assert np.isfinite(panel.window.document.matrix("W_Q")).all()
    assert panel.remark.startswith(run.state.stopped)

    panel.renew()
    panel.type("lr", "0.1")
    panel.choose("task", "match_weights")
    panel.part(QPushButton, "present").click()
    text = panel.part(QPlainTextEdit, "target").toPlainText()
    weights = panel.window.workbench.engine.current.trace["weights"]
    assert np.array_equal(parse_block(text).values, weights)
    assert panel.run_to_end().state.losses[0] == 0.0
