"""Names of controls without a visible label, for screen readers."""

from PySide6.QtWidgets import QComboBox, QLabel, QWidget

_CAPTION = "caption of a box"


def name_control(control: QWidget, name: str) -> None:
    """Name a control that has its parent; again to rename it.

    On some systems Qt gives the choice of a combo box as its name, and screen readers
    say the label that it is the buddy of, even a hidden one.
    """
    control.setAccessibleName(name)
    parent = control.parentWidget()
    if parent is None or not isinstance(control, QComboBox):
        return
    siblings = parent.findChildren(QLabel, _CAPTION)
    label = next((one for one in siblings if one.buddy() is control), None)
    if label is None:
        label = QLabel(parent)
        label.setObjectName(_CAPTION)
        label.setBuddy(control)
        label.hide()
    label.setText(name.replace("&", "&&"))
