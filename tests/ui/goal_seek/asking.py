"""What the tests of Goal Seek do with the keys and the mouse."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
)

LEFT = Qt.MouseButton.LeftButton


def open_cell(window, step="weights", cell=(1, 0), view="heatmap"):
    window.workbench.open_step(step, cell)
    window.step_view.set_view(view)
    QApplication.processEvents()


def dialog_of(window) -> QDialog | None:
    """Return the open dialog."""
    shown = [d for d in window.findChildren(QDialog, "seek") if d.isVisible()]
    return shown[0] if shown else None


def ask(window) -> QDialog:
    """Open the dialog for the selected cell by its key."""
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    return dialog_of(window)


def part(dialog, kind, name):
    found = dialog.findChild(kind, name)
    assert found is not None, name
    return found


def targets(dialog):
    """Return the parts of each target that is listed, top down."""
    rows = [row for row in dialog.findChildren(object, "seek.target") if listed(row)]
    return sorted(rows, key=lambda row: row.y())


def listed(widget) -> bool:
    return not widget.isHidden()


def type_into(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    if text:
        QTest.keyClicks(field, text)
    else:
        QTest.keyClick(field, Qt.Key.Key_Delete)


def want(dialog, text: str, number: int = 0) -> None:
    type_into(part(targets(dialog)[number], QLineEdit, "seek.target.value"), text)


def choose(dialog, name: str, index: int, number: int = 0) -> None:
    """Choose an item of a target's box with the keys."""
    box = part(targets(dialog)[number], QComboBox, f"seek.target.{name}")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(index):
        QTest.keyClick(box, Qt.Key.Key_Down)


def tick_only(dialog, *names: str) -> None:
    for box in dialog.findChildren(QCheckBox):
        name = box.objectName().removeprefix("seek.free.")
        if box.isEnabled() and box.isChecked() != (name in names):
            box.setFocus()
            QTest.keyClick(box, Qt.Key.Key_Space)
            assert box.isChecked() == (name in names)


def click(dialog, name: str) -> None:
    button = part(dialog, QPushButton, name)
    assert button.isEnabled()
    assert not button.isHidden()
    QTest.mouseClick(button, LEFT)


def seek(dialog, qtbot) -> str:
    """Seek and wait; return what is said of what was found."""
    click(dialog, "seek.start")
    cancel = part(dialog, QPushButton, "seek.cancel")
    qtbot.waitUntil(cancel.isHidden, timeout=20_000)
    return text_of(dialog, "seek.outcome")


def text_of(dialog, name: str) -> str:
    return part(dialog, QLabel, name).text()


def name_of(target) -> str:
    return text_of(target, "seek.target.name")


def reasons(dialog) -> list[str]:
    """Return what is said in place, in any row."""
    found = [
        label
        for label in dialog.findChildren(QLabel)
        if "reason" in label.objectName() and label.isVisible()
    ]
    return [label.text() for label in found if label.text()]


def rows(dialog, name: str) -> list[list[str]]:
    """Return the texts of a list."""
    model = part(dialog, object, name).model()
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns]
        for row in range(model.rowCount())
    ]


def weights(window):
    window.workbench.engine.catch_up()
    QApplication.processEvents()
    return window.workbench.engine.current.trace["weights"]
