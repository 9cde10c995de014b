"""The chosen head as it is, off, or at its mean: one switch."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document.variants.ablation import Ablation
from attnviewer.ui.state.model.ablation import AblationPreview
from attnviewer.ui.views.model_effect.texts import about_ablation
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.segment import Segment

KINDS: tuple[Ablation | None, ...] = (None, "off", "mean")
"""What each button stands for."""


class HeadSwitch(QWidget):
    """Three buttons for the chosen head, and a sentence about the effect.

    Parameters
    ----------
    preview : AblationPreview
        What is switched.
    parent : QWidget, optional
        The parent widget.
    """

    def __init__(self, preview: AblationPreview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("effect.switch")
        self._preview = preview
        self._title = heading("effect.switch.title")
        self._note = note("effect.switch.note")
        self._group = QButtonGroup(self)
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        titles = {
            self.tr("as it is"): self.tr("Run the model as it is"),
            self.tr("off"): self.tr("Replace the head's output by zeros"),
            self.tr("its mean"): self.tr(
                "Replace the head's output by its mean over the tokens"
            ),
        }
        for number, (title, tip) in enumerate(titles.items()):
            buttons.addWidget(self._button(number, title, tip))
        self._group.idClicked.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addLayout(buttons)
        column.addWidget(self._note)
        preview.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the choice, and what is known of its effect."""
        preview, head = self._preview, self._preview.head
        self.setVisible(head is not None)
        self._group.button(KINDS.index(preview.kind)).setChecked(True)
        if head is None:
            return
        self._title.setText(self.tr("Effect of {head}").format(head=head.name))
        text = preview.trouble or self.tr("Computing…")
        if preview.kind is None:
            text = self.tr("A preview: neither the document nor the model changes.")
        elif preview.effect is not None:
            text = about_ablation(preview.effect)
        self._note.setText(text)

    def _button(self, number: int, title: str, tip: str) -> Segment:
        button = Segment(f"effect.switch.{number}", title, number, self._group, self)
        button.setAccessibleDescription(tip)
        button.setToolTip(tip)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return button

    @Slot(int)
    def _on_clicked(self, number: int) -> None:
        self._preview.choose(KINDS[number])
