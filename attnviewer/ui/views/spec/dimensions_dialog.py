"""The dialog that changes dimensions, with a preview of the effect."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import MASK, Dimensions, EditError
from attnviewer.document.variants.resizing import (
    Effect,
    Padding,
    ResizePlan,
    may_be_drawn,
    plan_dimensions,
)
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import DIMENSIONS, what_is
from attnviewer.ui.text.matrix_sizes import how_many_columns, how_many_rows
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.column import Column
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tool_tips import plain_tip

_tr = translate_in("Dimensions")

_LARGEST = 99_999
"""More than is possible, so that too large a number can be typed and explained."""
_NUMBER_CHARACTERS = 12
"""Width of a field, with its frame and arrows."""


class DimensionsDialog(EditDialog):
    """Spin boxes for the variant's dimensions; below, every matrix before and after.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes, and whose document it changes.
    parent : QWidget
        The window.
    """

    def __init__(self, edits: EditStack, parent: QWidget) -> None:
        super().__init__(edits, parent)
        self.setObjectName("dimensions")
        self.setWindowTitle(self.tr("Dimensions"))
        self._start = Dimensions.of(edits.document)
        self._shared = self._start.n_heads != self._start.n_kv_heads
        self._spins: dict[str, QSpinBox] = {}
        self._reason = ReasonLabel("dimensions.reason", self, lines=2)
        self._rows: dict[str, tuple[QLabel, QLabel]] = {}
        buttons = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, self)
        self._buttons.accepted.connect(self._submit)
        self._buttons.rejected.connect(self.reject)
        choices = QHBoxLayout()
        choices.setSpacing(36)
        for form in (self._dimensions_form(), self._padding_form()):
            form.setHorizontalSpacing(10)
            form.setVerticalSpacing(6)
            column = QVBoxLayout()
            column.addLayout(form)
            column.addStretch()
            choices.addLayout(column)
        choices.addStretch()
        layout = dialog_column(self)
        layout.setSpacing(14)
        layout.addLayout(choices)
        # Many matrices in large texts are higher than a small screen.
        layout.addWidget(Column("dimensions.effects", self._table()), 1)
        layout.addWidget(self._reason)
        layout.addWidget(self._buttons)
        for spin in (*self._spins.values(), self._seed):
            spin.valueChanged.connect(self._preview)
        self._padding.activated.connect(self._preview)
        self._preview()
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize()))
        first = next(iter(self._spins.values()))
        first.setFocus()
        first.selectAll()

    # ------------------------------------------------------------------- parts

    def _dimensions_form(self) -> QGridLayout:
        document = self._edits.document
        spec = document.spec
        names = ["n", "n_k", "d_model", "d_context"]
        names = [name for name in names if getattr(self._start, name) is not None]
        if spec.variant != "simplified":
            # Given scores belong to queries and keys that are not in the document.
            names += ["d_v"] if "S" in document.matrices else ["d_k", "d_v"]
        if spec.projected:
            names += ["n_heads", "n_kv_heads"]
        captions = {
            "n": self.tr("number of &tokens"),
            "n_k": self.tr("tokens of the &second sequence"),
            "d_model": self.tr("width of an &embedding"),
            "d_context": self.tr("width in the seco&nd sequence"),
            "d_k": self.tr("width of a head's queries and &keys"),
            "d_v": self.tr("width of a head's &values"),
            "n_heads": self.tr("number of &heads"),
            "n_kv_heads": self.tr("n&umber of key/value heads"),
        }
        form = QGridLayout()
        for row, name in enumerate(names):
            spin = self._spin(f"dimensions.{name}", getattr(self._start, name))
            meaning = captions[name].replace("&", "")
            spin.setAccessibleName(f"{name}, {meaning}")
            caption = QLabel(captions[name], self)
            caption.setBuddy(spin)
            caption.setProperty("muted", True)
            for column, widget in enumerate((QLabel(name, self), spin, caption)):
                form.addWidget(widget, row, column)
                widget.setToolTip(plain_tip(DIMENSIONS[name].tip))
                widget.setWhatsThis(what_is(name, DIMENSIONS[name]))
            self._spins[name] = spin
        if "n_heads" in self._spins:
            self._spins["n_heads"].valueChanged.connect(self._on_heads)
            self._spins["n_kv_heads"].valueChanged.connect(self._on_kv_heads)
        return form

    def _padding_form(self) -> QGridLayout:
        self._padding = QComboBox(self)
        self._padding.setObjectName("dimensions.padding")
        self._padding.addItem(self.tr("Zeros"), "zeros")
        self._padding.addItem(self.tr("Random numbers"), "random")
        self._padding.setToolTip(
            self.tr(
                "Random numbers are normally distributed, with variance 1 in sequences "
                "and positions and 1 / rows in weights. Biases are padded with zeros, "
                "and the mask hides none of the new tokens."
            )
        )
        self._padding.setAccessibleName(self.tr("Fill new cells with"))
        self._seed = self._spin("dimensions.seed", 0)
        self._seed.setAccessibleName(self.tr("Seed of the random numbers"))
        form = QGridLayout()
        caption = QLabel(self.tr("&Fill new cells with"), self)
        caption.setBuddy(self._padding)
        form.addWidget(caption, 0, 0)
        form.addWidget(self._padding, 0, 1)
        seed = QLabel(self.tr("See&d"), self)
        seed.setBuddy(self._seed)
        form.addWidget(seed, 1, 0)
        form.addWidget(self._seed, 1, 1)
        return form

    def _spin(self, name: str, value: int) -> QSpinBox:
        spin = number_field(self)
        spin.setObjectName(name)
        spin.setRange(0, _LARGEST)
        spin.setValue(value)
        spin.setFixedWidth(
            self.fontMetrics().horizontalAdvance("0") * _NUMBER_CHARACTERS
        )
        spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return spin

    def _table(self) -> QWidget:
        inside = QWidget(self)
        table = QGridLayout(inside)
        table.setContentsMargins(0, 0, 0, 0)
        table.setHorizontalSpacing(18)
        table.setVerticalSpacing(3)
        heads = (self.tr("Matrix"), self.tr("Shape"), self.tr("What happens to it"))
        for column, text in enumerate(heads):
            head = QLabel(text, self)
            head.setProperty("muted", True)
            table.addWidget(head, 0, column)
        document = self._edits.document
        used = document.spec.input_names
        # In reading order.
        names = dict.fromkeys((*used, *document.matrices))
        for row, name in enumerate(names, 1):
            title = name if name in used else self.tr("{} (not in use)").format(name)
            shape, effect = QLabel(self), QLabel(self)
            effect.setObjectName(f"dimensions.effect.{name}")
            for column, label in enumerate((QLabel(title, self), shape, effect)):
                label.setTextFormat(Qt.TextFormat.PlainText)
                table.addWidget(label, row, column)
            self._rows[name] = shape, effect
        table.setColumnStretch(2, 1)
        table.setColumnMinimumWidth(2, 330)
        table.setRowStretch(table.rowCount(), 1)
        return inside

    # ----------------------------------------------------------------- choices

    @property
    def _wanted(self) -> Dimensions:
        return replace(
            self._start, **{name: spin.value() for name, spin in self._spins.items()}
        )

    def _plan(self) -> ResizePlan:
        padding: Padding = self._padding.currentData()
        document, seed = self._edits.document, self._seed.value()
        return plan_dimensions(document, self._wanted, padding, seed)

    @Slot(int)
    def _on_heads(self, count: int) -> None:
        # Key heads follow while none is shared.
        if not self._shared:
            blocker = QSignalBlocker(self._spins["n_kv_heads"])
            self._spins["n_kv_heads"].setValue(count)
            blocker.unblock()

    @Slot(int)
    def _on_kv_heads(self, count: int) -> None:
        self._shared = count != self._wanted.n_heads

    @Slot()
    def _preview(self) -> None:
        random = self._padding.currentData() == "random"
        self._seed.setEnabled(random)
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            plan = self._plan()
        except EditError as error:
            self._reason.say(str(error))
            ok.setEnabled(False)
            return
        self._reason.say("")
        ok.setEnabled(True)
        for effect in plan.effects:
            self._show_effect(effect, random=random)

    def _show_effect(self, effect: Effect, *, random: bool) -> None:
        shape, happens = self._rows[effect.matrix]
        before, after = ("{}×{}".format(*s) for s in (effect.before, effect.after))
        shape.setText(before if before == after else f"{before} → {after}")
        happens.setText(effect_text(effect, random=random))
        happens.setAccessibleName(f"{effect.matrix}: {shape.text()}, {happens.text()}")
        kind = "lost" if effect.lost else "changed" if effect.changes else "unchanged"
        for label in (shape, happens):
            set_styled(label, "effect", kind)

    @Slot()
    def _submit(self) -> None:
        changed = self._start.differing(self._wanted)
        if not changed:
            self.accept()
            return
        try:
            self.submit(self._plan().edit(self._label(changed)))
        except EditError as error:
            self._reason.say(str(error))
        except MemoryError:
            self._reason.say(self.tr("There is not enough memory for that."))
        else:
            self.accept()

    def _label(self, changed: list[str]) -> str:
        if changed == ["n_heads", "n_kv_heads"] and not self._shared:
            changed = ["n_heads"]
        if len(changed) > 1:
            return self.tr("Change dimensions")
        value = getattr(self._wanted, changed[0])
        return self.tr("Set {name} to {value}").format(name=changed[0], value=value)


def effect_text(effect: Effect, *, random: bool) -> str:
    """Describe the effect on a matrix.

    Parameters
    ----------
    effect : Effect
        The effect.
    random : bool
        Whether new cells hold random numbers; those of biases and masks never do.
    """
    texts = []
    mask = effect.matrix == MASK
    if any(effect.cut):
        cut = _tr("cut: {0}, ").format(_counts(effect.cut))
        if mask and not effect.lost:
            texts.append(cut + _tr("none of their cells hides a key"))
        elif mask and effect.lost == 1:
            texts.append(cut + _tr("1 of their cells hides a key"))
        elif mask:
            lost = _tr("{0} of their cells hide a key").format(effect.lost)
            texts.append(cut + lost)
        elif not effect.lost:
            texts.append(cut + _tr("all zeros"))
        elif effect.lost == 1:
            texts.append(cut + _tr("1 of their numbers is not 0"))
        else:
            lost = _tr("{0} of their numbers are not 0").format(effect.lost)
            texts.append(cut + lost)
    if any(effect.added):
        padded = _tr("padded with {0} of zeros")
        if mask:
            padded = _tr("padded with {0} that hide nothing")
        elif random and may_be_drawn(effect.matrix):
            padded = _tr("padded with {0} of random numbers")
        texts.append(padded.format(_counts(effect.added)))
    return "; ".join(texts) or _tr("unchanged")


def _counts(counts: tuple[int, int]) -> str:
    rows, columns = counts
    texts = [how_many_rows(rows)] if rows else []
    texts += [how_many_columns(columns)] if columns else []
    return _tr(" and ").join(texts)
