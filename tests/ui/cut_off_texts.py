"""Finds texts of a window that their boxes cut off."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)

from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.widgets.docks.dock_merger import is_behind

Orientation = Qt.Orientation
TEXTS = QLabel, QAbstractButton, QComboBox, QLineEdit, QTabBar, QHeaderView


def misfits(window):
    """Return what is cut off, in words; what is shortened has to have a tool tip.

    What stands behind another panel's tab is left out: it has to be brought forward.
    """
    found = []
    for widget in window.findChildren(QWidget):
        if (
            isinstance(widget, TEXTS)
            and widget.isVisible()
            and widget.window() is window
            and not behind(widget)
        ):
            found += [f"{name_of(widget)}: {what}" for what in wrong(widget)]
            outside = lost(widget, window)
            found += [f"{name_of(widget)}: {outside}"] if outside else []
    return found


def behind(widget):
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget is not None and is_behind(widget)


def name_of(widget):
    names = []
    while widget is not None and len(names) < 3:
        names.append(widget.objectName() or type(widget).__name__)
        widget = widget.parentWidget()
    return " < ".join(names)


def wrong(widget):
    if isinstance(widget, FlowCard):
        return wrong_card(widget)
    if isinstance(widget, QLabel):
        return wrong_label(widget)
    if isinstance(widget, QAbstractButton):
        return wrong_button(widget)
    if isinstance(widget, QComboBox):
        return wrong_choice(widget)
    if isinstance(widget, QLineEdit):
        return wrong_field(widget)
    if isinstance(widget, QTabBar):
        return wrong_tabs(widget)
    return wrong_headings(widget)


def wide(widget, text):
    """Return the width of the longest line; a & underlines a letter."""
    metrics = widget.fontMetrics()
    flags = Qt.TextFlag.TextShowMnemonic.value
    return metrics.size(flags, text).width()


def told(widget, text):
    """Return whether the tool tip has all of a text."""
    tip = QTextDocument()
    tip.setHtml(widget.toolTip())
    # Tips are broken into lines where it suits them.
    tips = [" ".join(t.split()) for t in (tip.toPlainText(), widget.toolTip())]
    # A tip may tell more between two sentences.
    sentences = re.split(r"(?<=[.]) ", " ".join(text.split()))
    whole = ".*".join(map(re.escape, sentences))
    return any(re.search(whole, each) for each in tips)


def wrong_label(label):
    if not label.text() or label.width() == 0:
        return
    whole = label.accessibleName() or label.text()
    if label.wordWrap():
        if label.heightForWidth(label.width()) > label.height():
            yield f"lower than its text {whole!r}"
        if label.minimumSizeHint().width() > label.width():
            yield f"narrower than a word of {whole!r}"
        return
    if label.height() < label.fontMetrics().height():
        yield f"lower than a line: {whole!r}"
    if label.sizeHint().width() > label.width() and not told(label, whole):
        yield f"narrower than {whole!r}, and no tool tip has it"


def wrong_button(button):
    if not button.text():
        return
    needed = wide(button, button.text())
    room = button.width()
    if room < needed and not told(button, button.text()):
        yield f"narrower than {button.text()!r}, and no tool tip has it"
    if button.height() < button.fontMetrics().height():
        yield f"lower than a line: {button.text()!r}"


def wrong_choice(box):
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox,
        option,
        QStyle.SubControl.SC_ComboBoxEditField,
        box,
    )
    if room.height() < box.fontMetrics().height():
        yield "lower than a line"
    letters = wide(box, "0" * 3)
    if room.width() + 2 < min(letters, wide(box, box.currentText())):
        yield f"hardly a letter of {box.currentText()!r}"


def wrong_field(field):
    room = field.width() - 4
    if wide(field, field.text()) > room:
        yield f"narrower than {field.text()!r}"
    if field.height() < field.fontMetrics().tightBoundingRect("Hg").height():
        yield "lower than its letters"


def wrong_tabs(tabs):
    for number in range(tabs.count()):
        if not tabs.isTabVisible(number):
            continue
        text, rect = tabs.tabText(number), tabs.tabRect(number)
        if rect.height() < tabs.fontMetrics().height():
            yield f"lower than a line: {text!r}"
        short = rect.width() < wide(tabs, text)
        if short and tabs.tabToolTip(number) != text.replace("&", ""):
            yield f"narrower than {text!r}, and no tool tip has it"
        if not tabs.usesScrollButtons() and not tabs.rect().contains(rect):
            yield f"{text!r} reaches beyond the bar"


def wrong_headings(header):
    model, orientation = header.model(), header.orientation()
    if model is None:
        return
    across = orientation == Orientation.Horizontal
    for number in range(min(header.count(), 30)):
        text = str(model.headerData(number, orientation) or "")
        room = header.sectionSize(number) if across else header.width()
        high = header.height() if across else header.sectionSize(number)
        tip = model.headerData(number, orientation, Qt.ItemDataRole.ToolTipRole)
        if room < wide(header, text) and not tip:
            yield f"section {number} narrower than {text!r}, and no tool tip has it"
        if high < header.fontMetrics().height():
            yield f"section {number} lower than a line"


def wrong_card(card):
    title = card._place.title.width()
    if card.width() < title:
        yield f"narrower than the place of {card.step!r}"
    needed = QFontMetrics(card._name_font).horizontalAdvance(card.step)
    if title < needed and not told(card, card.step):
        yield f"narrower than {card.step!r}, and no tool tip has it"


def lost(widget, window):
    """Say what of a widget nobody can see, not even by scrolling."""
    rect, here = widget.rect(), widget
    while here is not window:
        parent = here.parentWidget()
        rect = rect.translated(here.pos())
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            if not isinstance(area, QScrollArea):
                return None  # a table lays its headings out itself
            return beyond_scrolling(here, parent, area)
        if not parent.rect().contains(rect):
            return f"{rect.getRect()} reaches out of {name_of(parent)} {parent.size()}"
        here = parent
    return None


def beyond_scrolling(content, viewport, area):
    off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    if area.horizontalScrollBarPolicy() == off and content.width() > viewport.width():
        return f"its content is wider than {name_of(area)}, which does not scroll"
    if area.verticalScrollBarPolicy() == off and content.height() > viewport.height():
        return f"its content is higher than {name_of(area)}, which does not scroll"
    return None
