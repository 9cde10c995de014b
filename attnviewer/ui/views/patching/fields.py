"""Fields of the Patching dock, and why what is in them is refused."""

from collections.abc import Iterable, Mapping

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from attnviewer.ui.text.concepts import PATCHING
from attnviewer.ui.views.patching.texts import words
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.item_roles import ACCESSIBLE_TEXT, TOOL_TIP
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.tool_tips import plain_tip


class RefusableField(QWidget):
    """A field with a line below it that says why its text is refused.

    Parameters
    ----------
    field : QWidget
        The field, with a name and an accessible name.
    parent : QWidget
        The form.
    """

    def __init__(self, field: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._field = field
        self.reason = ReasonLabel(f"{field.objectName()}.reason", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(field)
        name_control(field, field.accessibleName())  # here it has its parent
        column.addWidget(self.reason)

    def refuse(self, reason: str) -> None:
        """Say why the text is refused; "" if it is not."""
        if reason != self.reason.text():
            self.reason.setMinimumHeight(0)
            self.reason.say(reason)
            self._field.setAccessibleDescription(reason)


def align_labels(forms: Iterable[QWidget]) -> None:
    """Give the labels of several forms one width."""
    role, labels = QFormLayout.ItemRole.LabelRole, []
    for each in forms:
        form = each.layout()
        assert isinstance(form, QFormLayout)
        items = (form.itemAt(row, role) for row in range(form.rowCount()))
        found = (item.widget() for item in items if item is not None)
        labels += [label for label in found if label is not None]
    widest = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(widest)


def choice(
    parent: QWidget, name: str, title: str, table: Mapping[str, object]
) -> ChoiceBox:
    """Return a box with the choices of a table of untranslated words."""
    box = ChoiceBox(parent)
    box.setObjectName(f"patching.{name}")
    box.setAccessibleName(title)
    box.setToolTip(title)
    for key in table:
        box.add(words(table, key), key, PATCHING[key])
    return box


def offer(box: ChoiceBox, reasons: Mapping[str, str]) -> None:
    """Disable choices that cannot be made; their tool tips tell the reasons."""
    items = box.model()
    assert isinstance(items, QStandardItemModel)
    for index in range(box.count()):
        reason = reasons.get(box.itemData(index), "")
        items.item(index).setEnabled(not reason)
        told = reason or PATCHING[box.itemData(index)].tip
        box.setItemData(index, plain_tip(told), TOOL_TIP)
        described = f"{box.itemText(index)}. {reason}" if reason else None
        box.setItemData(index, described, ACCESSIBLE_TEXT)
