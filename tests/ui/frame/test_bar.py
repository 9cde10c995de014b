"""The toolbar of choices and commands."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QToolBar, QToolButton


def test_the_button_for_what_has_no_room_is_named_and_hidden_when_there_is_room(window):
    bar = window.findChild(QToolBar, "bar")
    button = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    assert button.accessibleName() == button.toolTip() == "More commands"
    button.show()  # which Qt then hides while it is being shown, in vain
    assert button.isHidden()
    assert button.isVisible()
    QCoreApplication.sendEvent(bar, QEvent(QEvent.Type.LayoutRequest))
    assert not button.isVisible()
