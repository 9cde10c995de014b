"""The derivation of a number, except for steps that are withheld."""

from collections.abc import Callable

from attnviewer.document import Derivation
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.text.tokens import token_label


def derivation_of(
    computed: Computed, shorten: Callable[[str], str] = token_label
) -> Derivation:
    """Return what works the numbers out."""
    return Derivation(
        computed.trace,
        computed.labels,
        shorten,
        withheld=computed.withheld,
        # A mistake would be seen where the right rule gives another number.
        works_out=not computed.veil.mistakes,
    )
