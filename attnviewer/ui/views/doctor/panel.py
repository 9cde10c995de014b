"""The Doctor panel: the verdict on an implementation, and the findings."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.state.doctor import DoctorModel, Examination
from attnviewer.ui.views.doctor.card import Action, Card, text_label
from attnviewer.ui.views.doctor.texts import evidence, same_numbers, summary, worst_cell
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll

if TYPE_CHECKING:
    from attnviewer.doctor.diagnosis import Finding


class DoctorPanel(QWidget):
    """Lists what was found out about the implementation that was checked.

    Parameters
    ----------
    model : DoctorModel
        What belongs to the open document.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    heading : QWidget
        The result, in one line.
    asking : Signal
        The user wants to check an implementation.
    going : Signal
        The document's name of a step that the user wants to see.
    opening : Signal
        The `Finding` that the user wants a document to compute with.
    saving : Signal
        The user wants a report.
    """

    asking = Signal()
    going = Signal(str)
    opening = Signal(object)
    saving = Signal()

    def __init__(self, model: DoctorModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("doctor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Doctor"))
        self._model = model
        self._examination: Examination | None = None
        self._result = ElidedLabel("doctor.result")
        title = QLabel(self.tr("Doctor"))
        self.heading = heading_row(title, self._result, self)
        self._empty = EmptyState("doctor", self)
        self._empty.say(
            self.tr(
                "No implementation has been checked with this document. Save the "
                "inputs of your attention code, and its results as mine_output, "
                "mine_weights, mine_scores …, in a .npz or .safetensors file, and "
                "check that file."
            )
        )
        self._area = VerticalScroll("doctor.scroll", self)
        self._edited = text_label(
            self.tr(
                "The document was edited after the check. The findings are about the "
                "document as it was."
            ),
            "edited",
            self,
        )
        self._edited.setObjectName("doctor.edited")
        check = self._button("doctor.check", self.tr("Check…"))
        check.setAccessibleName(self.tr("Check an implementation"))
        check.clicked.connect(self.asking)
        self._save = self._button("doctor.save", self.tr("Save report…"))
        self._save.clicked.connect(self.saving)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(12, 6, 12, 8)
        buttons.setSpacing(8)
        buttons.addWidget(check)
        buttons.addWidget(self._save)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self._edited)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._area, 1)
        layout.addLayout(buttons)
        model.changed.connect(self._show)
        self._show()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        return button

    @Slot()
    def _show(self) -> None:
        examination = self._model.examination
        self._edited.setVisible(self._model.edited)
        self._save.setEnabled(examination is not None)
        self._empty.setVisible(examination is None)
        self._area.setVisible(examination is not None)
        if examination is not self._examination:
            self._examination = examination
            self._fill()

    def _fill(self) -> None:
        """List everything anew."""
        examination = self._examination
        content = QWidget(self._area)
        content.setObjectName("doctor.content")
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(8)
        if examination is None:
            self._result.setText("")
        else:
            self._result.setText(summary(examination.diagnosis))
            for part in self._parts(examination, content):
                column.addWidget(part)
        column.addStretch()
        self._area.setWidget(content)

    def _parts(self, examination: Examination, content: QWidget) -> list[QWidget]:
        diagnosis = examination.diagnosis
        parts: list[QWidget] = [self._verdict(examination, content)]
        parts += [
            self._finding(examination, found, content) for found in diagnosis.findings
        ]
        parts += [
            self._unexplained(examination, open_.step, open_.where, content)
            for open_ in diagnosis.unexplained
        ]
        asides = {
            self.tr("Harmless differences"): ", ".join(diagnosis.harmless),
            self.tr("How your arrays were read"): "\n".join(diagnosis.notes),
            self.tr("Mistakes that these inputs cannot reveal"): ", ".join(
                diagnosis.unseen
            ),
        }
        for title, text in asides.items():
            if text:
                card = Card(title, content)
                card.add_text(text, "muted")
                parts.append(card)
        return parts

    def _verdict(self, examination: Examination, content: QWidget) -> QWidget:
        # Imported here, as most windows never check an implementation.
        from attnviewer.doctor.wording import headline

        diagnosis = examination.diagnosis
        sign = "✓" if diagnosis.agrees else "×"
        card = Card(f"{sign} {headline(diagnosis)}", content)
        card.setObjectName("doctor.verdict")
        card.setProperty("agrees", diagnosis.agrees)
        if not diagnosis.agrees:
            text = self.tr("Your arrays are taken to be computed in {precision}.")
            card.add_text(text.format(precision=diagnosis.precision), "muted")
        if examination.item:
            text = self.tr("The document shows item {number} of the batch.")
            card.add_text(text.format(number=examination.item[0]), "muted")
        return card

    def _finding(
        self, examination: Examination, finding: "Finding", content: QWidget
    ) -> QWidget:
        card = Card(finding.title, content)
        card.add_text(finding.id, "code")
        card.add_text(finding.explanation)
        if finding.convention:
            card.add_text(
                self.tr("Both conventions exist, and both are right; see the source.")
            )
        step = examination.called.get(finding.step, "")
        card.add_text(worst_cell(examination, step))
        there = self.tr("Open with this mistake")
        play = Action("play", there, partial(self.opening.emit, finding))
        card.add_actions(self._actions(step))
        card.add_actions([play])
        card.add_text(evidence(finding))
        for library, code in (("PyTorch", finding.torch), ("NumPy", finding.numpy)):
            if code is not None:
                card.add_code(library, code)
        card.add_text(same_numbers(finding), "muted")
        if finding.source:
            text = self.tr("Source: {source}.").format(source=finding.source)
            card.add_text(text, "muted")
        return card

    def _unexplained(
        self, examination: Examination, name: str, where: str, content: QWidget
    ) -> QWidget:
        title = self.tr("{step} differs, and no mistake of the catalogue explains it")
        card = Card(title.format(step=name), content)
        card.add_text(where)
        step = examination.called.get(name, "")
        card.add_text(worst_cell(examination, step))
        card.add_actions(self._actions(step))
        return card

    def _actions(self, step: str) -> Sequence[Action]:
        """Return what can be done about a step, a button each."""
        if not step:
            return ()
        text = self.tr("Go to {step}").format(step=step)
        return (Action("go", text, partial(self.going.emit, step)),)
