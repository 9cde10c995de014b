"""The row above the tree: its title, the back and forward arrows, and copying."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from attnviewer.ui.views.explain.commands import Commands
from attnviewer.ui.widgets.actions import fill_menu


def sources_row(
    title: QWidget, terms: QWidget, commands: Commands, parent: QWidget
) -> QHBoxLayout:
    """Return the row; it is not in the dock's heading, where the name needs the room.

    Parameters
    ----------
    title : QWidget
        The title of the tree.
    terms : QWidget
        The button that shows all terms of the formula above.
    commands : Commands
        The actions of the buttons.
    parent : QWidget
        The owner of the buttons.
    """
    row = QHBoxLayout()
    row.setSpacing(2)
    row.addWidget(title)
    row.addStretch(1)
    row.addWidget(terms)
    for action in (commands.back, commands.forward):
        row.addWidget(_arrow(action, parent))
    row.addWidget(_copy_button(commands, parent))
    return row


def terms_button(commands: Commands, parent: QWidget) -> QToolButton:
    """Return the button that shows all terms of sums, or the largest ones only."""
    button = QToolButton(parent)
    button.setObjectName("button.explain.all_terms")
    button.setDefaultAction(commands.all_terms)
    button.setText(commands.all_terms.iconText())
    button.setAccessibleName(commands.all_terms.toolTip())
    button.hide()
    return button


def _copy_button(commands: Commands, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setObjectName("explain.copy")
    button.setText(QCoreApplication.translate("ExplainPanel", "copy"))
    button.setAccessibleName(
        QCoreApplication.translate("ExplainPanel", "Copy the explanation")
    )
    menu = QMenu(button)
    fill_menu(menu, commands.copying)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button


def _arrow(action: QAction, parent: QWidget) -> QToolButton:
    """Return a button for an action."""
    button = QToolButton(parent)
    button.setObjectName(action.objectName().replace("action.", "button."))
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the menu has the same commands
    button.setDefaultAction(action)
    button.setAccessibleName(action.toolTip())
    return button
