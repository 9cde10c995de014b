"""Explanations of terms, wherever they occur in the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QTextBrowser,
    QWhatsThis,
    QWidget,
)

from attnviewer.compute import NORMALIZERS
from attnviewer.ui.text import concepts
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from tests.menus import action_of

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def action(window, name):
    return action_of(window, name)


def leaves(menu):
    """Yield the visible actions of a menu that opens, and of its submenus."""
    menu.aboutToShow.emit()
    for one in menu.actions():
        if one.menu():
            yield from leaves(one.menu())
        elif one.isVisible() and not one.isSeparator():
            yield one


def said(window):
    return window.findChild(QLabel, "step.concept").text()


def test_the_step_is_said_below_its_title_in_the_variant_that_it_is_of(window):
    assert said(window).startswith("How each query shares out its attention")
    assert "Softmax makes every weight positive" in said(window)
    action(window, "normalizer.1").trigger()  # the plain sum
    window.workbench.engine.flush()
    assert "negative scores make negative weights" in said(window)
    window.workbench.selection.choose_step("Q")
    assert said(window).startswith("Queries: what each token looks for")
    title = window.findChild(QLabel, "step.title")
    assert title.toolTip().endswith("Q = X W_Q")
    card = window.findChild(FlowCard, "flow.scaled")
    assert "gradients vanish" in card.toolTip()
    assert card.toolTip().endswith("scaled = scores / √d_k · 4×4")


def test_choices_say_what_they_mean_in_the_bar_and_in_the_menu(window):
    box = window.findChild(QComboBox, "spec.normalizer")
    tips = [box.itemData(place, TOOL_TIP) for place in range(box.count())]
    menu = [action(window, f"normalizer.{k}").toolTip() for k in range(box.count())]
    wanted = [concepts.NORMALIZERS[name].tip for name in NORMALIZERS]
    assert tips == menu == wanted
    assert box.tip.splitlines()[0] == "Normalise: softmax"
    assert box.tip.endswith("e^sⱼ / Σₖ e^sₖ")
    for name in ("variant", "mask", "scale"):
        box = window.findChild(QComboBox, f"spec.{name}")
        assert all(box.itemData(k, TOOL_TIP) for k in range(box.count()))
    for name in ("variant", "heads", "output_projection", "mask", "temperature"):
        control = window.findChild(QWidget, f"spec.{name}")
        assert concepts.CHOICES[name].text in control.whatsThis().replace("&#x27;", "'")
    menus = window.findChildren(QMenu)
    for chosen in leaves(next(m for m in menus if m.title() == "&Attention")):
        words = chosen.text().replace("&", "")
        assert chosen.toolTip() not in (words, ""), words
        assert "<code>" in chosen.whatsThis(), words
    norms = [action(window, f"qk_norm.{k}").toolTip() for k in range(4)]
    assert len(set(norms)) == 4
    assert "(x − mean)" in norms[2]  # of layer norm


def test_pointing_at_a_card_says_what_the_step_is(qtbot, window):
    assert action(window, "whats_this").shortcut().toString() == "Shift+F1"
    assert action(window, "whats_this").icon().isNull()  # black even in the dark
    action(window, "whats_this").trigger()
    assert QWhatsThis.inWhatsThisMode()
    card = window.findChild(FlowCard, "flow.V")
    qtbot.mouseClick(card, LEFT)
    qtbot.waitUntil(lambda: any(map(is_telling, QApplication.topLevelWidgets())))
    assert "what each token passes on" in card.whatsThis()
    assert window.workbench.selection.step == "weights"  # it was not opened
    QWhatsThis.hideText()
    QApplication.processEvents()


def is_telling(widget):
    return widget.inherits("QWhatsThat") and widget.isVisible()


def test_the_help_menu_lists_all_concepts(window):
    action(window, "concepts").trigger()
    dialog = QApplication.activeModalWidget()
    text = dialog.findChild(QTextBrowser, "concepts.text").toPlainText()
    for _, concept in concepts.IDEAS.values():
        assert concept.text in text
    for name in ("X", "W_Q", "d_model", "entropy", "sparsemax", "Cross-attention"):
        assert name in text
    dialog.reject()
