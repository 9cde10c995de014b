"""The line above the window's views that names a mistake, and what they show of it."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolBar, QToolButton

from attnviewer.compute import Slip
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.views import VIEWS
from tests.mistaken import document, with_mistake


def bar(window) -> QToolBar:
    return window.findChild(QToolBar, "mistake")


def test_a_right_document_has_no_such_line(window) -> None:
    assert bar(window).isHidden()


def test_the_line_names_the_mistake_and_removes_it_in_one_step(window) -> None:
    workbench = window.workbench
    workbench.open(with_mistake("scale-missing"))
    assert bar(window).isVisible()
    title = window.findChild(QLabel, "mistake.title").text()
    assert title == "Computes with a mistake: The scores are not scaled"
    remove = window.findChild(QToolButton, "mistake.remove")
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert bar(window).isHidden()
    assert not workbench.document.spec.mistakes
    assert workbench.document.title == "Five"
    workbench.engine.flush()
    right = document().compute()["weights"]
    np.testing.assert_allclose(workbench.engine.current.trace["weights"], right)
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert workbench.document.spec.mistakes == (Slip("scale-missing"),)
    assert bar(window).isVisible()


@pytest.mark.parametrize(
    "mistake",
    [
        "scale-missing",
        "mask-after-softmax",
        "rope-keys-missing",
        "concat-not-transposed",
        "residual-added",
    ],
)
def test_every_view_shows_every_step_of_a_computation_with_a_mistake(
    window, mistake
) -> None:
    workbench = window.workbench
    workbench.open(with_mistake(mistake))
    for step in workbench.engine.current.trace:
        workbench.open_step(step, (1, 0))
        for view in VIEWS:
            window.step_view.set_view(view)
            QApplication.processEvents()
    assert workbench.sensitivity.read().on == {}
    assert "Remove the mistake first" in workbench.sensitivity.trouble
    workbench.open(document())
    workbench.open_step("weights", (1, 0))
    assert workbench.sensitivity.read().on
    assert not workbench.sensitivity.trouble


def test_the_card_of_the_changed_step_is_told_from_the_others(window) -> None:
    window.workbench.open(with_mistake("scale-missing"))
    cards = {card.step: card for card in window.findChildren(FlowCard)}
    told = [step for step, c in cards.items() if "mistake" in c.accessibleName()]
    assert told == ["scaled"]
    tip = cards["scaled"].toolTip()
    assert "scaled ≠ scores / √d_k" in tip
    assert "The scores are not scaled" in tip
    red = QColor(window.appearance.theme.error).rgb()
    for step in ("scaled", "scores"):
        picture = cards[step].grab().toImage()
        colors = {
            picture.pixel(x, y)
            for x in range(picture.width())
            for y in range(picture.height())
        }
        assert (red in colors) == (step == "scaled")
