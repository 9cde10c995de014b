"""The bar of choices: variant, heads, mask, scale, normaliser and temperature."""

from PySide6.QtCore import QEvent, QMargins, QSignalBlocker, QSize, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from attnviewer.compute import NORMALIZERS, Normalizer, Spec
from attnviewer.document import MASK, VARIANT_TITLES, Change, Document
from attnviewer.document.masks import preset_of
from attnviewer.document.variants.variants import possible_heads, possible_variants
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import CHOICES, VARIANTS, scale_concept, what_is
from attnviewer.ui.text.concepts import NORMALIZERS as CONCEPTS
from attnviewer.ui.views.spec.reasons import no_other_variant, no_weights
from attnviewer.ui.views.spec.spec_choices import SpecChoices, scale_choices, shown
from attnviewer.ui.views.spec.temperature import TemperatureControl
from attnviewer.ui.widgets.choice_boxes import ChoiceBox, HeadsBox
from attnviewer.ui.widgets.compact_caption import CompactCaption
from attnviewer.ui.widgets.mask_choice import fill_mask_box, mask_text, mask_title
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect
from attnviewer.ui.widgets.tool_tips import plain_tip


class SpecBar(QWidget):
    """Shows the document's spec and turns choices into edits."""

    def __init__(
        self, edits: EditStack, reason: ReasonBubble, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("spec")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._edits = edits
        self._choices = SpecChoices(edits, reason, self)
        self._document = edits.document
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._variant = self._add_choice("variant", self.tr("Variant"))
        heads = self.tr("Heads")
        self._heads = HeadsBox(self, heads, self.tr("h"))
        self._add("heads", heads, self._heads)
        self._output_projection = QCheckBox("W_O", self)
        self._add("output_projection", "", self._output_projection)
        self._of_weights = {
            self._heads: CHOICES["heads"],
            self._output_projection: CHOICES["output_projection"],
        }
        self._mask = self._add_choice("mask", self.tr("Mask"))
        self._mask.name_alone(mask_title("none"), self.tr("No mask"))
        self._scale = self._add_choice("scale", self.tr("Scale"))
        self._normalizer = self._add_choice("normalizer", self.tr("Normalise"))
        for normalizer in NORMALIZERS.values():
            concept = CONCEPTS[normalizer.name]
            self._normalizer.add(shown(normalizer.title), normalizer.name, concept)
        self._temperature = TemperatureControl(edits, reason, "spec.temperature", self)
        temperature = self.tr("Temperature")
        self._caption = CompactCaption(temperature, self.tr("T"), self)
        self._caption.setBuddy(self._temperature)
        self._layout.addSpacing(8)
        self._layout.addWidget(self._caption)
        self._add("temperature", temperature, self._temperature)
        self._layout.addStretch()
        self._variant.activated.connect(self._choose_variant)
        self._heads.valueChanged.connect(self._choose_heads)
        self._output_projection.toggled.connect(self._choose_output_projection)
        self._mask.activated.connect(self._choose_mask)
        self._scale.activated.connect(self._choose_scale)
        self._normalizer.activated.connect(self._choose_normalizer)
        self.set_document(edits.document)

    def set_document(self, document: Document) -> None:
        """Show another document's spec from now on."""
        self.release()
        self._document = document
        document.changed.connect(self._on_changed)
        self._show(document)

    def sizeHint(self) -> QSize:
        hint = self._layout.sizeHint()
        shortened = sum(
            max(0, box.sizeHint().width() - box.maximumWidth()) for box in self._boxes()
        )
        given = shortened + self._caption.given
        if self._temperature.slider.isHidden():
            given += self._room_of_slider
        if not self._heads.captioned:
            given += self._heads.spare
        return hint.grownBy(QMargins(0, 0, given, 0))

    def minimumSizeHint(self) -> QSize:
        # The same whatever has given way by now: a toolbar that hides its last button
        # for want of room leaves more to this one, which must not take it for good.
        hint = self._layout.minimumSize()
        spare = self._caption.spare - self._caption.given
        if not self._temperature.slider.isHidden():
            spare += self._room_of_slider
        for box in self._boxes():
            width = min(box.minimumSizeHint().width(), box.maximumWidth())
            spare += max(0, width - self._least_width(box))
        if self._heads.captioned:
            spare += self._heads.spare
        return hint.shrunkBy(QMargins(0, 0, spare, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._give_way()  # a choice or the text size has changed
        return super().event(event)

    def _give_way(self) -> None:
        # What is left out first; tool tips give the full text.
        missing = self.sizeHint().width() - self.width()
        self._temperature.slider.setVisible(missing <= 0)
        if missing > 0:
            missing -= self._room_of_slider
        self._caption.set_short(short=missing > 0)
        if missing > 0:
            missing -= self._caption.spare
        for box in self._boxes():
            wished = box.sizeHint().width()
            width = max(self._least_width(box), wished - max(0, missing))
            box.setMaximumWidth(width)
            missing -= wished - width
        self._heads.set_captioned(captioned=missing <= 0)

    def _boxes(self) -> tuple[ChoiceBox, ...]:
        """Return the boxes in the order in which they lose their captions."""
        return self._variant, self._normalizer, self._scale, self._mask

    def _least_width(self, box: ChoiceBox) -> int:
        # The variant is the longest text of the bar, and may be elided.
        variant = box is self._variant
        return box.minimumSizeHint().width() if variant else box.width_of_choice()

    @property
    def _room_of_slider(self) -> int:
        slider = self._temperature.slider
        return slider.sizeHint().width() + self._layout.spacing()

    def release(self) -> None:
        """Stop listening to the document."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)

    def _add_choice(self, name: str, label: str) -> ChoiceBox:
        box = ChoiceBox(self, label)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._add(name, label, box)
        return box

    def _add(self, name: str, label: str, control: QWidget) -> None:
        control.setToolTip(label)
        control.setObjectName(f"spec.{name}")
        title = label or self.tr("Output projection W_O")
        name_control(control, title)
        control.setWhatsThis(what_is(title, CHOICES[name]))
        self._layout.addWidget(control)

    def _on_changed(self, change: Change) -> None:
        if change.matrix is None:
            self._show(self._document)
        elif change.matrix == MASK:
            self._show_mask(self._document)

    def _show(self, document: Document) -> None:
        spec = document.spec
        controls = (
            self._variant,
            self._heads,
            self._output_projection,
            self._mask,
            self._scale,
            self._normalizer,
        )
        self._temperature.show_spec(spec)
        blockers = [QSignalBlocker(control) for control in controls]
        self._show_variant(spec)
        self._heads.set_possible(possible_heads(document))
        self._heads.setValue(spec.n_heads)
        self._output_projection.setChecked(spec.output_projection)
        reason = no_weights(spec)
        for control, concept in self._of_weights.items():
            control.setEnabled(not reason)
            tip = f"{control.accessibleName()}\n{concept.tip}"
            control.setToolTip(plain_tip(reason or tip))
        self._show_mask(document)
        self._show_scale(spec.scale)
        self._show_normalizer(spec.build_normalizer())
        self._give_way()
        for blocker in blockers:
            blocker.unblock()

    def _show_variant(self, spec: Spec) -> None:
        box, possible = self._variant, possible_variants(spec)
        if [box.itemData(index) for index in range(box.count())] != list(possible):
            box.clear()
            for variant in possible:
                box.add(shown(VARIANT_TITLES[variant]), variant, VARIANTS[variant])
        box.setCurrentIndex(possible.index(spec.variant))
        box.lock(no_other_variant(spec))

    def _show_mask(self, document: Document) -> None:
        preset = preset_of(document)
        with QSignalBlocker(self._mask):
            fill_mask_box(self._mask, preset, mask_text(preset))

    def _show_normalizer(self, normalizer: Normalizer) -> None:
        box, name = self._normalizer, normalizer.name
        if box.count() > len(NORMALIZERS):  # one that is listed only while in use
            box.removeItem(len(NORMALIZERS))
        if name not in NORMALIZERS:
            box.add(shown(normalizer.title), name, CONCEPTS[name])
        box.setCurrentIndex(box.findData(name))

    def _show_scale(self, scale: float | None) -> None:
        self._scale.clear()
        for choice, title in scale_choices(scale).items():
            self._scale.add(title, choice, scale_concept(choice))
        self._scale.setCurrentIndex(list(scale_choices(scale)).index(scale))

    @Slot(int)
    def _choose_variant(self, index: int) -> None:
        variant = self._variant.itemData(index)
        self._choices.set_variant(variant, global_rect(self._variant))
        self._show(self._edits.document)

    @Slot(int)
    def _choose_heads(self, count: int) -> None:
        self._choices.set_heads(count, global_rect(self._heads))
        self._show(self._edits.document)

    @Slot(bool)
    def _choose_output_projection(self, on: bool) -> None:
        rect = global_rect(self._output_projection)
        self._choices.set_output_projection(rect, on=on)
        self._show(self._edits.document)

    @Slot(int)
    def _choose_mask(self, index: int) -> None:
        self._choices.set_mask(self._mask.itemData(index), global_rect(self._mask))
        self._show(self._edits.document)

    @Slot(int)
    def _choose_scale(self, index: int) -> None:
        self._choices.set_scale(self._scale.itemData(index), global_rect(self._scale))
        self._show(self._edits.document)

    @Slot(int)
    def _choose_normalizer(self, index: int) -> None:
        name = self._normalizer.itemData(index)
        self._choices.set_normalizer(name, global_rect(self._normalizer))
        self._show(self._edits.document)
