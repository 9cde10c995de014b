"""The line above the window's views that names a mistake, and what they show of it."""

from itertools import cycle

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolBar, QToolButton

from attnviewer.compute import Slip
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.views import VIEWS
from tests.mistaken import document, with_mistake


def bar(window) -> QToolBar:
    return window.findChild(QToolBar, "mistake")


def test_a_mistake_is_named_shown_in_every_view_and_removed_in_one_step(window) -> None:
    check_line(window)
    check_card(window)
    check_views(window)


def check_line(window) -> None:
    assert bar(window).isHidden()
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


def check_views(window) -> None:
    workbench = window.workbench
    views = cycle(VIEWS)
    for mistake in ("mask-after-softmax", "rope-keys-missing", "residual-added"):
        workbench.open(with_mistake(mistake))
        for step in workbench.engine.current.trace:
            workbench.open_step(step, (1, 0))
            window.step_view.set_view(next(views))  # each with each mistake
            QApplication.processEvents()
        assert workbench.sensitivity.read().on == {}
        assert "Remove the mistake first" in workbench.sensitivity.trouble
    workbench.open(document())
    workbench.open_step("weights", (1, 0))
    assert workbench.sensitivity.read().on
    assert not workbench.sensitivity.trouble


def check_card(window) -> None:
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
        picture = picture.convertToFormat(QImage.Format.Format_RGB32)
        colors = np.frombuffer(picture.constBits(), np.uint32)
        assert (red in colors) == (step == "scaled")
