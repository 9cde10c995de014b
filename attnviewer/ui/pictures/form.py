"""Controls of the picture dialog, with the names that tests and readers know."""

from collections.abc import Iterable

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QWidget


def named_box(name: str, title: str, parent: QWidget) -> QComboBox:
    """Return an empty box of choices."""
    box = QComboBox(parent)
    box.setObjectName(f"picture.{name}")
    box.setAccessibleName(title)
    return box


def named_check(name: str, title: str, parent: QWidget, *, checked: bool) -> QCheckBox:
    """Return a check box."""
    check = QCheckBox(title, parent)
    check.setObjectName(f"picture.{name}")
    check.setChecked(checked)
    return check


def choose(box: QComboBox, value: object) -> None:
    """Choose a value of a box, the first one if it is not there."""
    box.setCurrentIndex(max(0, box.findData(value)))


def align(forms: Iterable[QFormLayout]) -> None:
    """Let the controls of several forms begin below each other."""
    labels = [
        label
        for form in forms
        for row in range(form.rowCount())
        if (item := form.itemAt(row, QFormLayout.ItemRole.LabelRole)) is not None
        and (label := item.widget()) is not None
    ]
    widest = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(widest)
