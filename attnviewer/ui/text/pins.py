"""The note on a pinned number: that it is pinned, and what was computed."""

from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Pins")


def pinned_words(computed: float) -> str:
    """Return what follows a pinned number: ``pinned (computed 3.2)``."""
    return _tr("pinned (computed {number})").format(number=full_number(computed))


def pinned_tip(value: float, computed: float) -> str:
    """Return a pinned number as a sentence: ``Pinned to 5 (computed 3.2)``."""
    return _tr("Pinned to {value} (computed {computed})").format(
        value=full_number(value), computed=full_number(computed)
    )
