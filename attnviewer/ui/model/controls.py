"""The controls of the open model: layer, head, sentence, and head commands."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from attnviewer.ui.model.commands import ModelCommands
from attnviewer.ui.model.number_box import NumberBox
from attnviewer.ui.model.part_box import PartBox
from attnviewer.ui.model.sentence_box import SentenceBox
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.symbol_button import symbol_button

if TYPE_CHECKING:
    from attnviewer.models import Model
    from attnviewer.models.parts import PartName

LONGEST_NAME = 11
"""Width of the longest name of a model that is not cut, in line heights."""
LINES_FOR_CAPTIONS, LINES_FOR_NAMES, LINES_FOR_COUNT = 75, 62, 52
"""Window widths from which the controls show them, in line heights."""


class ModelControls(QWidget):
    """A row of controls that show and set layer and head; as wide as it is asked for.

    Attributes
    ----------
    part : PartBox
        Chooses one of the model's parts.
    layer, head : NumberBox
        Choose a layer and a head.
    sentence : SentenceBox
        What the model runs over.
    count : QLabel
        How many tokens that has.
    last : QWidget
        The last one that Tab visits.
    """

    def __init__(
        self,
        workbench: Workbench,
        commands: ModelCommands,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._workbench, self._model = workbench, workbench.model
        self._shown_model: object = None
        self._asked = 0
        self._has_location = True
        self._name = _Name("model.name", Qt.TextElideMode.ElideRight)
        self.part = PartBox(self)
        self.layer = NumberBox("L", self.tr("Layer"), self)
        self.head = NumberBox("H", self.tr("Head"), self)
        self.sentence = SentenceBox(reason, self)
        self.sentence.setAccessibleName(self.tr("Sentence"))
        self.count = QLabel(self)
        self.count.setObjectName("model.count")
        self.count.setProperty("muted", True)
        self._captions: list[QLabel] = []
        # First the button that may be hidden: the others then stay in place.
        self._buttons = [
            _Button(action, self)
            for action in (commands.take_out, commands.edit_head, commands.put_back)
        ]
        self.last: QWidget = self._buttons[-1]
        title = self.tr("Choose an image")
        self._choose = symbol_button("model.choose_picture", "…", title, self)
        self._choose.clicked.connect(commands.open_picture.trigger)
        self._lay_out()
        self.part.chosen.connect(self._on_part)
        self.layer.valueChanged.connect(self._on_layer)
        self.head.valueChanged.connect(self._on_head)
        self.sentence.entered.connect(self._on_sentence)
        self._model.refused.connect(self._show_layer_and_head)
        self._model.cancelled.connect(self._show_layer_and_head)
        workbench.selection.head_changed.connect(self._show_layer_and_head)

    def show_location(self, *, shown: bool) -> None:
        """Show the boxes of layer and head, or leave them to another control."""
        self._has_location = shown
        for box in (self.layer, self.head):
            box.setVisible(shown)

    def ask_for_width(self, width: int) -> None:
        """Ask for a width, if it is more than is needed."""
        if width != self._asked:
            self._asked = width
            self.updateGeometry()

    @property
    def least_hint(self) -> QSize:
        """The size that is needed."""
        return super().sizeHint()

    def sizeHint(self) -> QSize:
        hint = self.least_hint
        return QSize(max(hint.width(), self._asked), hint.height())

    def fit(self) -> None:
        """Show captions and names as far as the window's width allows."""
        lines = self.window().width() / usual_line(self.window().font())
        for caption in self._captions:
            named = caption.buddy() is self.sentence or self._has_location
            caption.setVisible(named and lines >= LINES_FOR_CAPTIONS)
        self._name.setVisible(lines >= LINES_FOR_CAPTIONS)
        for button in self._buttons:
            button.show_name(named=lines >= LINES_FOR_NAMES)
        self.count.setVisible(lines >= LINES_FOR_COUNT)

    def show_model(self) -> None:
        """Show the open model."""
        experiment = self._model.experiment
        assert experiment is not None
        model = experiment.run.model
        anew, self._shown_model = model is not self._shown_model, model
        with QSignalBlocker(self.layer), QSignalBlocker(self.head):
            self.layer.set_count(model.n_layers)
            self.head.set_count(model.n_heads)
        self._name.setText(model.name)
        self.sentence.show_present(self._model.text, anew=anew)
        asked, tip = self._asked_for(model)
        self.sentence.setPlaceholderText(asked)
        self.sentence.setToolTip(tip)
        seen = self.tr("Image") if model.reads_pictures else self.tr("Sentence")
        self.sentence.setAccessibleName(seen)
        self._captions[-1].setText(seen)
        self._choose.setVisible(model.reads_pictures or model.other is not None)
        self._show_count()
        self._show_layer_and_head()

    def refuse(self, reason: str, sentence: str) -> bool:
        """Refuse a sentence beside its box; return False if it is not there."""
        self._show_layer_and_head()
        if not self.isVisible() or sentence != self.sentence.text():
            return False
        self.sentence.refuse(reason)
        return True

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._name)
        layout.addWidget(self.part)
        for name, box in (
            ("layer", self.layer),
            ("head", self.head),
            ("sentence", self.sentence),
        ):
            box.setObjectName(f"model.{name}")
            box.setToolTip(box.accessibleName())
            caption = QLabel(box.accessibleName(), self)
            caption.setProperty("muted", True)
            caption.setBuddy(box)
            layout.addSpacing(8)
            layout.addWidget(caption)
            layout.addWidget(box, int(box is self.sentence))
            self._captions.append(caption)
        layout.addWidget(self._choose)
        layout.addWidget(self.count)
        layout.addSpacing(8)
        for button in self._buttons:
            layout.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def _asked_for(self, model: "Model") -> tuple[str, str]:
        """Return what is typed into the sentence's box, and its tool tip."""
        if model.reads_pictures:
            tip = self.tr("The path of an image. Enter runs the model over it.")
            return self.tr("An image: PNG or JPEG"), tip
        if model.tokenizer is None:
            tip = self.tr("Ids of tokens: this model has no tokenizer. Enter runs it.")
            return self.tr("Ids of tokens, such as 12 7 305"), tip
        tip = self.tr("Enter runs the model over it.")
        if len(model.parts) > 1:
            tip = self.tr(
                "The encoder's text => the decoder's text. Enter runs the model."
            )
        return self.tr("A sentence"), tip

    def _show_count(self) -> None:
        link = self._workbench.link
        experiment = self._model.experiment
        assert experiment is not None
        if link is not None and link.run.ids != experiment.run.ids:
            text = self.tr("another sentence")
            tip = self.tr("The open document was computed for another sentence.")
        else:
            text, tip = how_many_tokens(len(experiment.run.ids)), ""
        self.count.setText(text)
        self.count.setToolTip(tip)

    @Slot()
    def _show_layer_and_head(self) -> None:
        if self._model.experiment is not None:
            self.part.show_part(self._model.experiment.run.model)
        location = self._model.requested
        head = (
            self._workbench.selection.head if location.alone is None else location.alone
        )
        for box, value in ((self.layer, location.layer), (self.head, head)):
            with QSignalBlocker(box):
                box.setValue(value)

    @Slot(str)
    def _on_part(self, part: str) -> None:
        commit_pending_input()
        self._model.show_part(cast("PartName", part))

    @Slot(int)
    def _on_layer(self, layer: int) -> None:
        commit_pending_input()
        self._model.show(ModelLocation(layer, self._model.requested.alone))

    @Slot(int)
    def _on_head(self, head: int) -> None:
        location = self._model.requested
        if location.alone is None:
            self._workbench.selection.choose_head(head)
        else:
            commit_pending_input()
            self._model.show(ModelLocation(location.layer, head))

    @Slot(str)
    def _on_sentence(self, sentence: str) -> None:
        link = self._workbench.link
        experiment = self._model.experiment
        assert experiment is not None
        computed = link is not None and link.run.ids == experiment.run.ids
        if not computed or sentence != self._model.wished_text:
            self._model.set_text(sentence)


class _Name(ElidedLabel):
    """The model's name."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        longest = LONGEST_NAME * usual_line(self.window().font())
        return QSize(min(hint.width(), longest), hint.height())


class _Button(QToolButton):
    """Triggers an action; shows only its symbol if space is short."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self._action, self._named = action, True
        self.setObjectName(action.objectName().replace("action", "button"))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def show_name(self, *, named: bool) -> None:
        """Show the name, or only the symbol."""
        self._named = named
        self._follow()

    @Slot()
    def _follow(self) -> None:
        action = self._action
        self.setText(action.text() if self._named else action.iconText())
        self.setAccessibleName(action.text())
        self.setToolTip(f"{action.text()}: {action.toolTip()}")
        self.setEnabled(action.isEnabled())
        self.setVisible(action.isVisible())
