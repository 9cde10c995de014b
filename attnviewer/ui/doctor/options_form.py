"""The part of the dialog in which the user chooses the intended variant."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.wheel_filter import WheelFilter

MOST = 2**20
"""The largest head count and window that can be typed."""
OF_ROPE = "rope_base", "rope_interleaved"
"""The options that make sense with RoPE alone."""


class OptionsForm(QWidget):
    """Asks for the variant that an implementation is meant to compute.

    Attributes
    ----------
    changed : Signal
        Another variant is meant.
    """

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("check.options")
        self._fields: dict[str, QSpinBox | QCheckBox | QComboBox | QLineEdit] = {}
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        placeholder = self.tr("from the shapes")
        self._number("n_heads", self.tr("&Heads"), placeholder, 0)
        self._number("n_kv_heads", self.tr("&Key/value heads"), placeholder, 1)
        self._number("window", self.tr("Sliding &window"), self.tr("none"), 2)
        self._choice(0)
        self._text("rope_base", self.tr("RoPE &base"), "10000", 1)
        self._text("softcap", self.tr("&Soft cap"), self.tr("none"), 2)
        self._check("causal", self.tr("Caus&al mask"), 3, 1)
        self._check(
            "rope_interleaved", self.tr("RoPE rotates &neighbouring columns"), 3
        )
        self._text("more", self.tr("&More"), "scale=1/8, rope_dim=4", 4, wide=True)
        self.setFocusProxy(self._fields["n_heads"])
        self._fields["window"].setToolTip(
            self.tr("The number of keys that a query sees, its own included")
        )
        self._fields["more"].setToolTip(
            self.tr(
                "Further options as on the command line, see “attnviewer doctor -h”"
            )
        )
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self._allow()

    def spec(self) -> str:
        """Return the intended variant, as on the command line."""
        chosen = self.state()
        more = chosen.pop("more", "")
        if chosen.get("positions") != "rope":
            chosen = {k: text for k, text in chosen.items() if k not in OF_ROPE}
        parts = [f"{name}={text}" for name, text in chosen.items()]
        return ",".join([*parts, more] if more else parts)

    def state(self) -> dict[str, str]:
        """Return what differs from the defaults, as text by option."""
        texts = {name: _text_of(field) for name, field in self._fields.items()}
        return {name: text for name, text in texts.items() if text}

    def restore(self, state: Mapping[str, str]) -> None:
        """Choose what `state` returned, without a signal."""
        for name, field in self._fields.items():
            blocker = QSignalBlocker(field)
            _set_text(field, state.get(name, ""))
            blocker.unblock()
        self._allow()

    def _number(self, name: str, title: str, none: str, line: int) -> None:
        spin = number_field(self)
        spin.setRange(0, MOST)
        spin.setSpecialValueText(none)
        spin.valueChanged.connect(self._on_changed)
        WheelFilter(spin)
        self._add(name, title, spin, line, 0)

    def _text(
        self, name: str, title: str, hint: str, line: int, wide: bool = False
    ) -> None:
        field = QLineEdit(self)
        field.setPlaceholderText(hint)
        field.textEdited.connect(self._on_changed)
        self._add(name, title, field, line, 0 if wide else 2, 3 if wide else 1)

    def _choice(self, line: int) -> None:
        box = QComboBox(self)
        for title, name in (
            (self.tr("none"), ""),
            (self.tr("RoPE"), "rope"),
            (self.tr("sinusoidal"), "sinusoidal"),
            (self.tr("ALiBi"), "alibi"),
        ):
            box.addItem(title, name)
        box.currentIndexChanged.connect(self._on_changed)
        WheelFilter(box)
        self._add("positions", self.tr("&Positions"), box, line, 2)

    def _check(self, name: str, title: str, line: int, column: int = 3) -> None:
        check = QCheckBox(title, self)
        check.setObjectName(f"check.{name}")
        check.toggled.connect(self._on_changed)
        self._grid.addWidget(check, line, column)
        self._fields[name] = check

    def _add(
        self,
        name: str,
        title: str,
        field: QSpinBox | QComboBox | QLineEdit,
        line: int,
        column: int,
        span: int = 1,
    ) -> None:
        label = QLabel(title, self)
        label.setBuddy(field)
        field.setObjectName(f"check.{name}")
        field.setAccessibleName(title.replace("&", ""))
        self._grid.addWidget(label, line, column)
        self._grid.addWidget(field, line, column + 1, 1, span)
        self._fields[name] = field

    @Slot()
    def _on_changed(self) -> None:
        self._allow()
        self.changed.emit()

    def _allow(self) -> None:
        rope = _text_of(self._fields["positions"]) == "rope"
        for name in OF_ROPE:
            self._fields[name].setEnabled(rope)


def _text_of(field: QSpinBox | QCheckBox | QComboBox | QLineEdit) -> str:
    """Return what a field says; "" for its default."""
    if isinstance(field, QSpinBox):
        return str(field.value()) if field.value() else ""
    if isinstance(field, QCheckBox):
        return "true" if field.isChecked() else ""
    if isinstance(field, QComboBox):
        return str(field.currentData())
    return field.text().strip()


def _set_text(field: QSpinBox | QCheckBox | QComboBox | QLineEdit, text: str) -> None:
    """Set a field to what `_text_of` returned."""
    if isinstance(field, QSpinBox):
        field.setValue(int(text or "0"))
    elif isinstance(field, QCheckBox):
        field.setChecked(text == "true")
    elif isinstance(field, QComboBox):
        field.setCurrentIndex(field.findData(text))
    else:
        field.setText(text)
