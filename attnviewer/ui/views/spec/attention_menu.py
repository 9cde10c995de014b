"""The Attention menu: every choice about the variant, by name."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, QRect, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu

from attnviewer.compute import (
    NORMALIZERS,
    Learned,
    LengthScale,
    Positions,
    QKNorm,
    Sinusoidal,
    Spec,
    Variant,
)
from attnviewer.compute.spec import OutputGate
from attnviewer.document import VARIANT_TITLES, exact_text
from attnviewer.document.masks import MaskKind, preset_of
from attnviewer.document.variants.rotary import rotary_along_grid
from attnviewer.document.variants.variants import (
    NORMALIZER_CHOICES,
    biases_spec,
    kv_heads_spec,
    possible_biases,
    possible_heads,
    possible_kv_heads,
    possible_variants,
)
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import CHOICES, step_concept, value_concept
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.spec.choice_actions import (
    check_only,
    explain,
    offer,
    set_reason,
)
from attnviewer.ui.views.spec.reasons import (
    no_other_variant,
    no_queries,
    no_sum,
    no_weights,
)
from attnviewer.ui.views.spec.spec_choices import (
    SpecChoices,
    gate_choices,
    length_choices,
    norm_choices,
    position_choices,
    scale_choices,
    shown,
)
from attnviewer.ui.widgets.actions import (
    SEPARATOR,
    ActionRow,
    fill_choice,
    fill_menu,
    make_action,
)
from attnviewer.ui.widgets.mask_choice import mask_choices
from attnviewer.ui.widgets.reason import ReasonBubble

ALL_BIASES = ("b_Q", "b_K", "b_V", "b_O")
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
SOFT_CAPS: tuple[float | None, ...] = (None, 5.0, 20.0, 50.0)


_T = TypeVar("_T")


class AttentionMenu(QObject):
    """Builds the menu and keeps its check marks true.

    Attributes
    ----------
    menu : QMenu
        The menu.
    """

    def __init__(
        self,
        window: QMainWindow,
        edits: EditStack,
        reason: ReasonBubble,
        open_dimensions: Callable[[object], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._choices = SpecChoices(edits, reason, self)
        self.menu = QMenu(self.tr("&Attention"), window)
        self.menu.setToolTipsVisible(True)
        self._variants = self._submenu("variant", self.tr("&Variant"))
        self._heads = self._submenu("heads", self.tr("Number o&f heads"))
        self._masks = self._submenu("mask", self.tr("&Mask"))
        self._kv_heads = self._submenu("kv_heads", self.tr("&Key/value heads"))
        self._biases = self._submenu("biases", self.tr("&Biases"))
        self._positions = self._submenu("positions", self.tr("&Positions"))
        self._norms = self._submenu("qk_norm", self.tr("&QK norm (queries and keys)"))
        self._gates = self._submenu("output_gate", self.tr("Output &gate"))
        self._scales = self._submenu("scale", self.tr("&Scale"))
        self._lengths = self._submenu("length_scale", self.tr("&Length scale"))
        self._caps = self._submenu("softcap", self.tr("Soft &cap"))
        self._normalizers = self._submenu("normalizer", self.tr("&Normalise"))
        self._temperatures = self._submenu("temperature", self.tr("&Temperature"))
        self._w_o = self._check("output_projection", self.tr("&Output projection W_O"))
        self._bias = self._check("bias", self.tr("&Added bias"))
        text, keys = self.tr("&Dimensions…"), "Ctrl+Shift+M"
        row = ActionRow("dimensions", text, open_dimensions, keys)
        dimensions = make_action(self.menu, row)
        explain(dimensions, CHOICES["dimensions"])
        fill_menu(
            self.menu,
            [
                self._variants,
                dimensions,
                self._heads,
                self._kv_heads,
                SEPARATOR,
                self._w_o,
                self._gates,
                self._biases,
                self._norms,
                self._positions,
                self._bias,
                SEPARATOR,
                self._masks,
                self._scales,
                self._lengths,
                self._caps,
                self._normalizers,
                self._temperatures,
            ],
        )
        # The choices themselves are made when the menu is first opened.
        self.menu.aboutToShow.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Show the document's spec."""
        spec = self._choices.spec
        variants = {name: VARIANT_TITLES[name] for name in possible_variants(spec)}
        self._refill("variant", self._variants, variants, self._choose_variant)
        check_only(self._variants, spec.variant)
        offer(self._variants.menuAction(), no_other_variant(spec))
        normalizers = {n.name: n.title for n in NORMALIZER_CHOICES.values()}
        self._refill(
            "normalizer", self._normalizers, normalizers, self._choose_normalizer
        )
        check_only(self._normalizers, spec.build_normalizer().name)
        document = self._choices.document
        positions = position_choices(spec.positions, rotary_along_grid(document))
        self._refill("positions", self._positions, positions, self._choose_positions)
        check_only(self._positions, spec.positions)
        for action in self._positions.actions():
            added = isinstance(action.data(), Sinusoidal | Learned)
            offer(action, no_sum(spec) if added else "")
        norms = norm_choices(spec.qk_norm)
        self._refill("qk_norm", self._norms, norms, self._choose_norm)
        check_only(self._norms, spec.qk_norm)
        offer(self._norms.menuAction(), no_queries(spec))
        gates = gate_choices()
        self._refill("output_gate", self._gates, gates, self._choose_gate)
        check_only(self._gates, spec.output_gate)
        offer(self._gates.menuAction(), no_weights(spec))
        scales = scale_choices(spec.scale)
        self._refill("scale", self._scales, scales, self._choose_scale)
        check_only(self._scales, spec.scale)
        lengths = length_choices(spec.length_scale)
        self._refill("length_scale", self._lengths, lengths, self._choose_length)
        check_only(self._lengths, spec.length_scale)
        self._refill("softcap", self._caps, _cap_titles(spec), self._choose_softcap)
        check_only(self._caps, spec.softcap)
        temperatures = {t: exact_text(t) for t in {*TEMPERATURES, spec.temperature}}
        self._refill(
            "temperature",
            self._temperatures,
            dict(sorted(temperatures.items())),
            self._choose_temperature,
        )
        check_only(self._temperatures, spec.temperature)
        cancels = NORMALIZERS[spec.normalizer].cancels_temperature
        reason = self.tr("This normaliser gives the same weights at every temperature.")
        offer(self._temperatures.menuAction(), reason if cancels else "")
        heads = {count: str(count) for count in possible_heads(document)}
        self._refill("heads", self._heads, heads, self._choose_heads)
        check_only(self._heads, spec.n_heads)
        offer(self._heads.menuAction(), no_weights(spec))
        masks = mask_choices(preset := preset_of(document))
        self._refill("mask", self._masks, masks, self._choose_mask)
        check_only(self._masks, preset.kind)
        counts = {count: str(count) for count in possible_kv_heads(spec)}
        self._refill("kv_heads", self._kv_heads, counts, self._choose_kv_heads)
        check_only(self._kv_heads, spec.kv_heads)
        self._kv_heads.setEnabled(spec.n_heads > 1)
        reason = no_weights(spec)
        set_reason(self._kv_heads.menuAction(), reason)
        self._w_o.setChecked(spec.output_projection)
        offer(self._w_o, no_weights(spec))
        offer(self._biases.menuAction(), no_weights(spec))
        self._bias.setChecked(spec.bias)
        if self._biases.isEmpty():
            self._fill_biases()
        possible = possible_biases(spec)
        for action in self._biases.actions():
            name = action.data()
            if name in ALL_BIASES:
                action.setChecked(name in spec.biases)
                action.setEnabled(name in possible)
            elif name == "all":
                action.setChecked(bool(possible) and set(possible) <= set(spec.biases))
                action.setEnabled(bool(possible))

    # ----------------------------------------------------------------- choices

    def _choose_variant(self, variant: Variant) -> None:
        self._choices.set_variant(variant, self._anchor())

    def _choose_heads(self, count: int) -> None:
        self._choices.set_heads(count, self._anchor())

    def _choose_mask(self, kind: MaskKind) -> None:
        self._choices.set_mask(kind, self._anchor())

    def _choose_kv_heads(self, count: int) -> None:
        label = self.tr("Set key/value heads to {}").format(count)
        self._submit(kv_heads_spec(self._choices.spec, count), label)

    def _choose_output_projection(self, _data: object) -> None:
        on = not self._choices.spec.output_projection
        self._choices.set_output_projection(self._anchor(), on=on)

    def _choose_bias(self, name: str) -> None:
        spec = self._choices.spec
        chosen = set(spec.biases) ^ {name}
        text = self.tr("Add {}") if name in chosen else self.tr("Remove {}")
        self._submit(biases_spec(spec, chosen), text.format(name))

    def _choose_all_biases(self, _data: object) -> None:
        spec = self._choices.spec
        missing = set(possible_biases(spec)) - set(spec.biases)
        label = self.tr("Add all biases") if missing else self.tr("Remove all biases")
        self._submit(biases_spec(spec, set(ALL_BIASES) if missing else set()), label)

    def _choose_positions(self, positions: Positions | None) -> None:
        title = position_choices(positions)[positions]
        label = self.tr("Set positions to {}").format(title)
        self._choices.set_positions(positions, label, self._anchor())

    def _choose_norm(self, norm: QKNorm | None) -> None:
        title = norm_choices(norm)[norm]
        label = self.tr("Set QK norm to {}").format(title)
        self._choices.change(label, self._anchor(), qk_norm=norm)

    def _choose_gate(self, gate: OutputGate | None) -> None:
        label = self.tr("Set output gate to {}").format(gate_choices()[gate])
        self._choices.change(label, self._anchor(), output_gate=gate)

    def _choose_added(self, _data: object) -> None:
        on = not self._choices.spec.bias
        label = (
            self.tr("Add a bias to the scores")
            if on
            else self.tr("Remove the bias of the scores")
        )
        self._choices.change(label, self._anchor(), bias=on)

    def _choose_scale(self, scale: float | None) -> None:
        self._choices.set_scale(scale, self._anchor())

    def _choose_length(self, rule: LengthScale | None) -> None:
        label = self.tr("Set length scale to {}").format(length_choices(rule)[rule])
        self._choices.change(label, self._anchor(), length_scale=rule)

    def _choose_softcap(self, cap: float | None) -> None:
        label = (
            self.tr("Remove the soft cap")
            if cap is None
            else self.tr("Set soft cap to {}").format(significant_number(cap, 6))
        )
        self._choices.change(label, self._anchor(), softcap=cap)

    def _choose_temperature(self, temperature: float) -> None:
        label = self.tr("Set temperature to {}").format(exact_text(temperature))
        self._choices.change(label, self._anchor(), temperature=temperature)

    def _choose_normalizer(self, name: str) -> None:
        self._choices.set_normalizer(name, self._anchor())

    def _submit(self, spec: Spec, label: str) -> None:
        self._choices.submit(spec, label, self._anchor())

    def _anchor(self) -> QRect:
        """Return the rectangle of the menu's title on the screen."""
        bar = self._window.menuBar()
        title = bar.actionGeometry(self.menu.menuAction())
        return title.translated(bar.mapToGlobal(QPoint(0, 0)))

    # ------------------------------------------------------------------- parts

    def _submenu(self, name: str, title: str) -> QMenu:
        menu = QMenu(title, self._window)
        menu.setToolTipsVisible(True)
        menu.setObjectName(f"menu.{name}")
        explain(menu.menuAction(), CHOICES[name])
        return menu

    def _check(self, name: str, text: str) -> QAction:
        callback = {
            "output_projection": self._choose_output_projection,
            "bias": self._choose_added,
        }[name]
        action = make_action(self.menu, ActionRow(name, text, callback))
        action.setCheckable(True)
        explain(action, CHOICES[name])
        return action

    def _fill_biases(self) -> None:
        rows = [
            ActionRow(f"bias.{name}", name, self._choose_bias, data=name)
            for name in ALL_BIASES
        ]
        every = ActionRow(
            "bias.all", self.tr("&All"), self._choose_all_biases, data="all"
        )
        fill_menu(self._biases, [*rows, SEPARATOR, every])
        for action in self._biases.actions():
            action.setCheckable(not action.isSeparator())
            if action.data() in ALL_BIASES:
                explain(action, step_concept(action.data()))
            elif action.data() == "all":
                explain(action, CHOICES["biases"])

    def _fill(
        self,
        name: str,
        menu: QMenu,
        titles: Mapping[_T, object],
        callback: Callable[[_T], None],
    ) -> None:
        rows = [
            ActionRow(f"{name}.{number}", shown(title), callback, data=data)
            for number, (data, title) in enumerate(titles.items())
        ]
        fill_choice(menu, rows)
        for action in menu.actions():
            explain(action, value_concept(name, action.data()))

    def _refill(
        self,
        name: str,
        menu: QMenu,
        titles: Mapping[_T, object],
        callback: Callable[[_T], None],
    ) -> None:
        """Refill a submenu if its choices, which depend on the document, differ."""
        if [action.data() for action in menu.actions()] != list(titles):
            menu.clear()
            for group in menu.findChildren(QActionGroup):
                group.deleteLater()
            self._fill(name, menu, titles, callback)


def _cap_titles(spec: Spec) -> dict[float | None, str]:
    return {
        cap: shown("None") if cap is None else significant_number(cap, 6)
        for cap in dict.fromkeys((*SOFT_CAPS, spec.softcap))
    }
