"""A run is played into the document, gone along, undone and left, and loses nothing."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QSlider,
)

import attnviewer
from attnviewer.document import Replace, SetCells
from attnviewer.document.matrices import same_bits

TRAINED = ("W_Q", "W_K")


def expected(steps=10, **options):
    """Return the same run without a window."""
    document = attnviewer.load_example("look-back")
    task = attnviewer.tasks.copy_previous()
    return attnviewer.train(document, task, free=TRAINED, steps=steps, **options)


def shows(panel, training, index):
    document = training.document(index)
    return all(
        same_bits(panel.window.document.matrix(name), document.matrix(name))
        for name in document.matrices
    )


def count(panel):
    return panel.window.workbench.edits.count()


def test_a_run_is_that_of_the_backend_kept_in_the_document_and_one_step_of_undo(panel):
    run = panel.run_to_end()
    training = expected()
    assert shows(panel, training, 10)
    list(training)
    assert run.state.losses == training.losses
    assert count(panel) == 1
    panel.window.workbench.edits.undo()
    panel.rest()
    assert shows(panel, training, 0)
    assert panel.trainer.run.index == 0
    panel.window.workbench.edits.redo()
    panel.rest()
    assert shows(panel, training, 10)
    assert panel.trainer.run.index == 10

    panel.renew()
    panel.run_to_end()
    document, slider = panel.window.document, panel.part(QSlider, "slider")
    training = expected()
    for index in (10, 4):
        slider.setValue(index)
        panel.rest()
        assert document.training == training.document(index).training
        assert document.training.kept == index
        assert document.training.edited(document.matrices) == ()
    panel.window.workbench.edits.undo()
    assert document.training is None
    panel.window.workbench.edits.redo()
    assert document.training.kept == 4
    slider.setValue(0)
    panel.rest()
    assert document.training is None

    panel.renew()
    training = expected()
    list(training)
    panel.window.workbench.open(training.document(10))
    panel.rest()
    said = panel.part(QLabel, "summary").text()
    assert said.startswith("attend to the token before (copy_previous(")
    assert "10 of 10 steps on its own tokens, seed 0" in said


def test_every_step_is_reached_with_its_norms_and_the_first_leaves_no_edit(panel):
    panel.run_to_end()
    training, slider = expected(), panel.part(QSlider, "slider")
    for index in (3, 7, 1, 10, 5):
        slider.setValue(index)
        panel.rest()
        assert shows(panel, training, index)
        assert panel.trainer.run.index == index
        trace = panel.window.workbench.engine.current.trace
        wanted = training.document(index).compute()["weights"]
        np.testing.assert_allclose(trace["weights"], wanted, rtol=0, atol=1e-12)
    assert count(panel) == 1
    slider.setValue(0)
    panel.rest()
    assert shows(panel, training, 0)
    assert count(panel) == 0

    panel.renew()
    training = expected()
    for name, index in (("step", 1), ("step", 2), ("back", 1), ("step", 2)):
        panel.click(name)
        panel.rest()
        assert shows(panel, training, index)
    assert count(panel) == 1
    assert panel.trainer.run.state.done == 2

    panel.renew()
    panel.run_to_end()
    panel.part(QSlider, "slider").setValue(4)
    panel.rest()
    norms = panel.window.findChild(object, "training.norms").norms
    assert norms == expected().step(4).gradient_norms


def test_no_table_flashes_while_it_plays_and_a_pause_stays_at_its_step(panel):
    panel.part(QComboBox, "pace").setCurrentIndex(0)
    look = panel.window.inputs.look
    assert look.flashing
    panel.click("play")
    panel.reach(1)
    assert not look.flashing
    panel.rest()
    assert look.flashing

    panel.renew()
    panel.part(QComboBox, "pace").setCurrentIndex(0)
    panel.click("play")
    panel.reach(2)
    panel.click("play")
    panel.rest()
    paused = panel.trainer.run.index
    assert 2 <= paused < 10
    assert shows(panel, expected(), paused)
    panel.run_to_end()
    assert shows(panel, expected(), 10)
    assert count(panel) == 1


def test_another_variant_ends_the_run_and_playing_begins_anew_where_it_must(panel):
    panel.run_to_end()
    edit = SetCells("Type", "X", 0, 0, np.array([[5.0]]))
    panel.window.workbench.edits.submit(edit)
    before = panel.window.document.matrix("W_Q").copy()
    first = panel.trainer.run
    run = panel.run_to_end()
    assert run is not first
    panel.part(QSlider, "slider").setValue(0)
    panel.rest()
    assert same_bits(panel.window.document.matrix("W_Q"), before)
    assert panel.window.document.matrix("X")[0, 0] == 5.0

    panel.renew()
    panel.run_to_end()
    spec = replace(panel.window.document.spec, causal=True)
    panel.window.workbench.edits.submit(Replace("Mask", spec=spec))
    panel.rest()
    assert panel.trainer.run.index is None
    assert not panel.part(QSlider, "slider").isEnabled()

    panel.renew()
    panel.run_to_end()
    seen = []
    panel.trainer.changed.connect(lambda: seen.append(panel.trainer.run.index))
    panel.click("play")
    panel.qtbot.waitUntil(lambda: 0 in seen)
    panel.rest()
    assert seen[seen.index(0) :] == sorted(seen[seen.index(0) :])
    assert panel.trainer.run.index == 10
    assert shows(panel, expected(), 10)


def check_an_edit_while_it_plays_ends_the_run_but_a_new_title_does_not(panel):
    panel.click("play")
    panel.reach(1)
    edit = SetCells("Type", "X", 0, 0, np.array([[5.0]]))
    panel.window.workbench.edits.submit(edit)
    left = panel.trainer.run.state.index
    panel.rest()
    assert not panel.trainer.playing
    assert panel.trainer.run.index is None
    assert f"changed after step {left}" in panel.remark
    document = panel.window.document
    assert document.matrix("X")[0, 0] == 5.0
    assert same_bits(document.matrix("W_Q"), expected().document(left).matrix("W_Q"))
    assert count(panel) == 2
    panel.window.workbench.edits.undo()
    panel.rest()
    assert panel.trainer.run.index == left
    panel.window.workbench.edits.undo()
    assert shows(panel, expected(), 0)

    panel.renew()
    panel.run_to_end()
    panel.window.workbench.edits.submit(Replace("Title", title="Another"))
    assert panel.trainer.run.index == 10


def test_another_document_is_not_trained_and_each_keeps_its_run(panel):
    panel.run_to_end()
    document, workbench = panel.window.document, panel.window.workbench
    panel.window.opener.open_example("four-words")
    panel.qtbot.waitUntil(lambda: panel.window.document is not document)
    assert panel.trainer.run is None
    workbench.reopen(document)
    panel.rest()
    assert panel.trainer.run.index == 10
    panel.part(QSlider, "slider").setValue(4)
    panel.rest()
    assert shows(panel, expected(), 4)

    panel.renew()
    panel.click("play")
    panel.reach(1)
    left = panel.window.document
    panel.window.opener.open_example("four-words")
    panel.rest()
    other = attnviewer.load_example("four-words")
    assert panel.window.document is not left
    for name in other.matrices:
        assert same_bits(panel.window.document.matrix(name), other.matrix(name))
    assert not panel.trainer.playing


def check_a_window_that_closes_while_it_plays_leaves_nothing(panel):
    panel.window.confirm_close = lambda *_: True
    panel.click("play")
    panel.reach(1)
    panel.window.close()
    assert not panel.trainer.worker.jobs


def check_the_curve_follows_the_run_with_a_mark_at_its_step(panel):
    for log in [True, False]:
        run = panel.run_to_end()
        curve = panel.window.findChild(object, "training.curve")
        curve.choose_log(log=log)
        x, y = curve.drawn
        wanted = np.log10(run.state.losses) if log else run.state.losses
        np.testing.assert_allclose(x, np.arange(11))
        np.testing.assert_allclose(y, wanted)
        panel.part(QSlider, "slider").setValue(4)
        panel.rest()
        summary = panel.window.findChild(QLabel, "training.summary").text()
        assert summary == f"step 4, loss {run.state.losses[4]:.3g}"


def check_the_curve_follows_a_new_run_of_the_same_length(panel):
    curve = panel.window.findChild(object, "training.curve")
    curve.choose_log(log=False)
    panel.click("new")
    panel.rest()
    before = curve.drawn[1]
    edit = SetCells("Type", "W_Q", 0, 0, np.array([[50.0]]))
    panel.window.workbench.edits.submit(edit)
    panel.rest()
    panel.click("new")
    panel.rest()
    losses = panel.trainer.run.state.losses
    assert len(losses) == before.size == 1
    assert losses != before.tolist()
    np.testing.assert_allclose(curve.drawn[1], losses)


def check_undo_brings_back_which_matrices_are_trained(panel):
    def checked():
        boxes = panel.window.findChildren(QCheckBox)
        free = [box for box in boxes if box.objectName().startswith("training.free.")]
        return {box.text() for box in free if box.isChecked()}

    panel.renew()
    before = checked()
    assert before == set(TRAINED)
    QTest.mouseClick(panel.part(QCheckBox, "free.W_V"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(panel.part(QCheckBox, "free.W_K"), Qt.MouseButton.LeftButton)
    wanted = {"W_Q", "W_V"}
    edits, spec = panel.window.workbench.edits, panel.window.document.spec
    edits.submit(Replace("Plain", spec=replace(spec, projected=False)))
    panel.rest()
    assert not checked() & wanted
    edits.undo()
    panel.rest()
    assert checked() == wanted


def check_a_target_has_its_lines_in_larger_texts(panel):
    panel.choose("task", "match_output")
    panel.window.appearance.set_text_size(200)
    QApplication.processEvents()
    target = panel.part(QPlainTextEdit, "target")
    line = target.parentWidget().fontMetrics().lineSpacing()
    assert target.height() == 5 * line > 120
    panel.window.appearance.set_text_size(100)


def test_the_curve_follows_an_edit_ends_and_closing_leaves_nothing_of_a_run(panel):
    check_the_curve_follows_the_run_with_a_mark_at_its_step(panel)
    check_the_curve_follows_a_new_run_of_the_same_length(panel)
    check_undo_brings_back_which_matrices_are_trained(panel)
    check_a_target_has_its_lines_in_larger_texts(panel)
    panel.renew()
    check_an_edit_while_it_plays_ends_the_run_but_a_new_title_does_not(panel)
    panel.renew()
    check_a_window_that_closes_while_it_plays_leaves_nothing(panel)
