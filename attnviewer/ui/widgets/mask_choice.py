"""Masks by name, for combo boxes."""

from PySide6.QtCore import QT_TRANSLATE_NOOP
from PySide6.QtWidgets import QComboBox

from attnviewer.document import MASK, Region
from attnviewer.document.masks import (
    MaskKind,
    MaskPreset,
    default_preset,
    mask_edit,
    preset_of,
)
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import MASKS
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.tool_tips import plain_tip

_tr = translate_in("Masks")

_TITLES: dict[MaskKind, object] = {
    "none": QT_TRANSLATE_NOOP("Masks", "None"),
    "causal": QT_TRANSLATE_NOOP("Masks", "Causal"),
    "window": QT_TRANSLATE_NOOP("Masks", "Window"),
    "padding": QT_TRANSLATE_NOOP("Masks", "Padding"),
    "prefix": QT_TRANSLATE_NOOP("Masks", "Prefix"),
    "block": QT_TRANSLATE_NOOP("Masks", "Block"),
    "painted": QT_TRANSLATE_NOOP("Masks", "Painted"),
    "combined": QT_TRANSLATE_NOOP("Masks", "Combined"),
}
_SHOWN_SIZES = 4


def mask_title(kind: MaskKind) -> str:
    """Return the title of a kind of mask."""
    return _tr(str(_TITLES[kind]))


def mask_text(preset: MaskPreset) -> str:
    """Return the title of a mask with its numbers, such as ``Window 2|0``."""
    title = mask_title(preset.kind)
    if not preset.numbers:
        return title
    if preset.kind == "window":
        everything = _tr("all")
        left, right = (everything if n is None else n for n in preset.numbers)
        return f"{title} {left}|{right}"
    if preset.kind == "padding":
        text = _tr("Padding, {count} real")
        return text.format(count=preset.numbers[0])
    shown = [str(number) for number in preset.numbers[:_SHOWN_SIZES]]
    more = ["…"] if len(preset.numbers) > _SHOWN_SIZES else []
    return f"{title} {', '.join(shown + more)}"


def mask_choices(present: MaskPreset) -> dict[MaskKind, str]:
    """Return the kinds of masks to choose from, with their titles."""
    # Combinations are only listed while one is current.
    kinds = [k for k in _TITLES if k != "combined" or k == present.kind]
    return {k: _tr("Paint…") if k == "painted" else mask_title(k) for k in kinds}


def fill_mask_box(box: QComboBox, present: MaskPreset, present_text: str) -> None:
    """Fill a box with all kinds of masks, the current one chosen.

    Parameters
    ----------
    box : QComboBox
        The box; its items' data are the kinds.
    present : MaskPreset
        The current mask.
    present_text : str
        The text of its item.
    """
    choices = mask_choices(present) | {present.kind: present_text}
    # In place: clearing an editable box would lose what is being typed.
    while box.count() > len(choices):
        box.removeItem(box.count() - 1)
    for index, (kind, text) in enumerate(choices.items()):
        if index < box.count():
            box.setItemText(index, text)
        else:
            box.addItem(text, kind)
        box.setItemData(index, plain_tip(MASKS[kind].tip), TOOL_TIP)
    box.setCurrentIndex(list(choices).index(present.kind))


def choose_mask(edits: EditStack, kind: MaskKind) -> None:
    """Give the document a mask of another kind; nothing if it has one of that kind.

    Raises
    ------
    EditError
        With the reason why it cannot have that.
    """
    if kind != preset_of(edits.document).kind:
        submit_mask(edits, default_preset(edits.document, kind))


def submit_mask(
    edits: EditStack, preset: MaskPreset, gesture: object | None = None
) -> None:
    """Give the document a mask, as `EditStack.submit` does.

    Raises
    ------
    EditError
        With the reason why it cannot have that.
    """
    painted = preset.kind == "painted"
    label = _tr("Set mask to {}").format(mask_text(preset))
    if painted:
        label = _tr("Paint the mask by hand")
    # Choosing the painted mask moves the focus to its cells.
    then = InputSelection(MASK, Region(0, 0, 1, 1)) if painted else None
    edit = mask_edit(edits.document, preset, label)
    edits.submit(edit, gesture=gesture, then=then)
