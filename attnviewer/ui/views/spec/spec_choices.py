"""Choices about the variant, from the bar or the menu, as edits."""

from dataclasses import replace

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, QRect, Slot

from attnviewer.compute import (
    Alibi,
    Disentangled,
    Learned,
    LengthScale,
    Positions,
    QKNorm,
    RelativeBias,
    Rotary,
    Sinusoidal,
    Spec,
    Variant,
)
from attnviewer.compute.length_scale import NAMED as LENGTH_SCALES
from attnviewer.compute.spec import OutputGate
from attnviewer.document import (
    VARIANT_TITLES,
    Document,
    EditError,
    WidthError,
    spec_edit,
    variant_spec,
)
from attnviewer.document.masks import MaskKind
from attnviewer.document.variants.variants import (
    NORMALIZER_CHOICES,
    heads_spec,
    normalizer_spec,
    output_projection_spec,
    positions_spec,
    possible_heads,
)
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.spec.dimensions_dialog import DimensionsDialog
from attnviewer.ui.widgets.mask_choice import choose_mask
from attnviewer.ui.widgets.reason import ReasonBubble

BY_ROOT = "1/√d_k"
POSITIONS: dict[Positions | None, object] = {
    None: QT_TRANSLATE_NOOP("Choices", "None"),
    Sinusoidal(): QT_TRANSLATE_NOOP("Choices", "Sinusoidal, added to X"),
    Learned(): QT_TRANSLATE_NOOP("Choices", "Learned table P, added to X"),
    Rotary(): QT_TRANSLATE_NOOP("Choices", "Rotary (RoPE)"),
    Alibi(): QT_TRANSLATE_NOOP("Choices", "Linear penalty (ALiBi)"),
}
RELATIVE_BIAS = QT_TRANSLATE_NOOP("Choices", "Relative bias in buckets (T5)")
DISENTANGLED = QT_TRANSLATE_NOOP("Choices", "Relative positions R (DeBERTa)")
"""Offered only where it is used: its table must be given."""
NORMS = QKNorm(), QKNorm(kind="layer", shift=True), QKNorm(full_width=True)
NORM_TITLES = {
    "RMS norm": QT_TRANSLATE_NOOP("Choices", "RMS norm"),
    "layer norm": QT_TRANSLATE_NOOP("Choices", "Layer norm"),
    "RMS norm over all heads": QT_TRANSLATE_NOOP("Choices", "RMS norm over all heads"),
    "layer norm over all heads": QT_TRANSLATE_NOOP(
        "Choices", "Layer norm over all heads"
    ),
}
GATES: dict[OutputGate | None, object] = {
    None: QT_TRANSLATE_NOOP("Choices", "None"),
    "elementwise": QT_TRANSLATE_NOOP("Choices", "For each number"),
    "headwise": QT_TRANSLATE_NOOP("Choices", "For each head"),
}
OWN_FREQUENCIES = QT_TRANSLATE_NOOP("Choices", "Rotary (RoPE), own frequencies")
SEVERAL_AXES = QT_TRANSLATE_NOOP("Choices", "Rotary (RoPE), several axes")
TWO_AXES = QT_TRANSLATE_NOOP("Choices", "Rotary (RoPE), rows and columns")
"""Offered where the tokens lie on a grid."""


def shown(title: object) -> str:
    """Return the translation of a title from the layers without Qt."""
    return QCoreApplication.translate("Choices", str(title))


def scale_choices(scale: float | None) -> dict[float | None, str]:
    """Return the scales on offer, including the current one."""
    titles: dict[float | None, str] = {None: BY_ROOT, 1.0: shown("None")}
    titles.setdefault(scale, f"× {significant_number(scale or 0.0, 6)}")
    return titles


def position_choices(
    now: Positions | None, along_grid: Rotary | None = None
) -> dict[Positions | None, str]:
    """Return the positional encodings on offer, including the current one.

    An encoding of the current kind keeps its options, except for custom frequencies and
    several axes, which are listed beside those of one axis that follow from the base.

    Parameters
    ----------
    now : Positions or None
        The current one.
    along_grid : Rotary or None
        That along the rows and columns of the tokens' grid, if they have one.
    """
    titles: dict[Positions | None, str] = {}
    for kind, title in POSITIONS.items():
        present = type(kind) is type(now)
        if present and isinstance(now, Rotary) and (now.frequencies or now.axes):
            titles[replace(now, frequencies=None, axes=None)] = shown(title)
            titles[now] = _own_title(now)
        else:
            titles[now if present else kind] = shown(title)
        if along_grid is not None and isinstance(kind, Rotary):
            titles.setdefault(along_grid, shown(TWO_AXES))
    if isinstance(now, RelativeBias):  # as a model has it
        titles[now] = shown(RELATIVE_BIAS)
    if isinstance(now, Disentangled):
        titles[now] = shown(DISENTANGLED)
    return titles


def _own_title(rotary: Rotary) -> str:
    if rotary.axes is None:
        return shown(OWN_FREQUENCIES)
    return shown(TWO_AXES if rotary.axes.n_axes == 2 else SEVERAL_AXES)


def norm_choices(now: QKNorm | None) -> dict[QKNorm | None, str]:
    """Return the norms of queries and keys on offer, including the current one.

    One of the same title as the current one is left out.
    """
    titles: dict[QKNorm | None, str] = {None: shown("None")}
    for norm in NORMS:
        own = norm if now is None or now.title != norm.title else now
        titles[own] = shown(NORM_TITLES[own.title])
    if now is not None:
        titles.setdefault(now, shown(NORM_TITLES[now.title]))
    return titles


def gate_choices() -> dict[OutputGate | None, str]:
    """Return the gates on the outputs of heads."""
    return {gate: shown(title) for gate, title in GATES.items()}


def length_choices(now: LengthScale | None) -> dict[LengthScale | None, str]:
    """Return the length scales on offer, including the current one."""
    rules = dict.fromkeys((*LENGTH_SCALES.values(), *([now] if now else [])))
    return {None: shown("None"), **{rule: rule.title for rule in rules}}


class SpecChoices(QObject):
    """Submits choices, and shows next to them why one is refused.

    Parameters
    ----------
    edits : EditStack
        Where the edits go.
    reason : ReasonBubble
        Says why a choice was refused.
    parent : QObject
        The Qt parent.
    """

    def __init__(self, edits: EditStack, reason: ReasonBubble, parent: QObject) -> None:
        super().__init__(parent)
        self._edits = edits
        self._reason = reason

    @property
    def document(self) -> Document:
        """The open document."""
        return self._edits.document

    @property
    def spec(self) -> Spec:
        """The document's spec as it is now."""
        return self._edits.document.spec

    def set_variant(self, variant: Variant, rect: QRect) -> None:
        """Convert the document to another variant."""
        label = self.tr("Set variant to {}").format(shown(VARIANT_TITLES[variant]))
        try:
            spec = variant_spec(self._edits.document, variant)
        except EditError as error:
            self._refuse_edit(error, rect)
        else:
            self.submit(spec, label, rect)

    def set_output_projection(self, rect: QRect, *, on: bool) -> None:
        """Add or remove W_O."""
        label = self.tr("Add W_O") if on else self.tr("Remove W_O")
        self.submit(output_projection_spec(self.spec, on=on), label, rect)

    def set_heads(self, count: int, rect: QRect) -> None:
        """Divide the columns among another number of heads."""
        possible = ", ".join(map(str, possible_heads(self._edits.document)))
        hint = self.tr(
            "Possible here: {possible}. Attention ▸ Dimensions… changes the widths."
        ).format(possible=possible)
        try:
            spec = heads_spec(self.spec, count)
        except EditError as error:
            self._refuse_edit(error, rect, hint)
            return
        self.submit(spec, self.tr("Set heads to {}").format(count), rect, hint=hint)

    def set_mask(self, kind: MaskKind, rect: QRect) -> None:
        """Give the document a mask of another kind."""
        try:
            choose_mask(self._edits, kind)
        except EditError as error:
            self.refuse(str(error), rect)
        else:
            self._reason.clear()

    def set_scale(self, scale: float | None, rect: QRect) -> None:
        """Set the factor of the scores."""
        label = self.tr("Set scale to {}").format(scale_choices(scale)[scale])
        self.change(label, rect, scale=scale)

    def set_positions(
        self, positions: Positions | None, label: str, rect: QRect
    ) -> None:
        """Set the positional encoding."""
        try:
            spec = positions_spec(self.spec, positions)
        except ValueError as error:
            self.refuse(str(error), rect)
        else:
            self.submit(spec, label, rect)

    def set_normalizer(self, name: str, rect: QRect) -> None:
        """Set the normaliser."""
        label = self.tr("Normalise by {}").format(shown(NORMALIZER_CHOICES[name].title))
        self.submit(normalizer_spec(self.spec, name), label, rect)

    def change(
        self,
        label: str,
        rect: QRect,
        gesture: object | None = None,
        **choice: object,
    ) -> bool:
        """Give some fields of the spec other values.

        Parameters
        ----------
        label : str
            Its undo text.
        rect : QRect
            The rectangle on the screen where it was chosen.
        gesture : object, optional
            See `EditStack.submit`.
        **choice
            The fields.

        Returns
        -------
        bool
            Whether the choice was accepted.
        """
        try:
            spec = replace(self.spec, **choice)  # type: ignore[arg-type]
        except ValueError as error:
            self.refuse(str(error), rect)
            return False
        return self.submit(spec, label, rect, gesture)

    def submit(
        self,
        spec: Spec,
        label: str,
        rect: QRect,
        gesture: object | None = None,
        *,
        hint: str = "",
    ) -> bool:
        """Give the document another spec.

        The parameters are those of `change`; `hint` names suitable widths, and is
        appended to the document's reason for a refusal.
        """
        document = self._edits.document
        if spec == document.spec:
            return True
        try:
            self._edits.submit(spec_edit(document, spec, label), gesture=gesture)
        except EditError as error:
            self._refuse_edit(error, rect, hint)
            return False
        self._reason.clear()
        return True

    def refuse(self, reason: str, rect: QRect) -> None:
        """Say why a choice was refused."""
        self._reason.say(reason, rect)

    def _refuse_edit(self, error: EditError, rect: QRect, hint: str = "") -> None:
        """Show the reason, and offer the dimensions dialog if that would help."""
        offer = None
        if hint or isinstance(error, WidthError):
            offer = self.tr("Dimensions…"), self._open_dimensions
        self._reason.say(f"{error} {hint}".rstrip(), rect, offer)

    @Slot()
    def _open_dimensions(self) -> None:
        DimensionsDialog(self._edits, self._reason.window()).open()
