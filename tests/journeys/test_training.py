"""A person opens the example about training, plays it, goes back, and takes it back."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QSlider, QSpinBox, QToolButton

import attnviewer
from attnviewer.document.matrices import same_bits
from attnviewer.ui.features.training import TrainingFeature

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def weights(window):
    window.workbench.engine.catch_up()
    QApplication.processEvents()
    return window.workbench.engine.current.trace["weights"]


def test_a_head_learns_to_look_back_and_forgets_it_again(window, qtbot):
    window.findChild(QAction, "action.example.look-back").trigger()
    begun = attnviewer.load_example("look-back")
    qtbot.waitUntil(lambda: window.document.title == begun.title)
    QApplication.processEvents()
    assert window.findChild(QDockWidget, "dock.training").isVisible()
    trainer = window.feature(TrainingFeature).trainer
    scattered = weights(window).copy()
    assert (scattered[range(1, 8), range(7)] < 0.5).all()
    # Fewer steps than the example has, at once: all else is as it opens.
    window.findChild(QSpinBox, "training.steps").setValue(100)
    play = window.findChild(QToolButton, "training.play")
    assert play.isVisible()
    QTest.mouseClick(play, LEFT)
    qtbot.waitUntil(lambda: trainer.playing and trainer.run is not None)
    QTest.mouseClick(window.findChild(QToolButton, "training.end"), LEFT)
    qtbot.waitUntil(lambda: not trainer.playing and trainer.run.index == 100)
    assert (weights(window)[range(1, 8), range(7)] > 0.9).all()

    slider = window.findChild(QSlider, "training.slider")
    slider.setFocus()
    QTest.keyClick(slider, Key.Key_Home)
    qtbot.waitUntil(lambda: trainer.run.index == 0)
    for name in begun.matrices:
        assert same_bits(window.document.matrix(name), begun.matrix(name))
    assert np.array_equal(weights(window), scattered)
    QTest.keyClick(slider, Key.Key_End)
    qtbot.waitUntil(lambda: trainer.run.index == 100)
    assert (weights(window)[range(1, 8), range(7)] > 0.9).all()

    qtbot.waitUntil(lambda: trainer._target is None and not trainer.worker.jobs)
    QTest.keyClick(slider, Key.Key_Z, CONTROL)
    for name in begun.matrices:
        assert same_bits(window.document.matrix(name), begun.matrix(name))
    assert np.array_equal(weights(window), scattered)
    assert not window.workbench.modified
