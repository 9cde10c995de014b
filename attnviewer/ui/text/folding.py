"""How the numbers of folded groups are combined, in words."""

from attnviewer.compute import Folding
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("folding")


def folded_words(folding: Folding) -> str:
    """Return how rows and columns of folded groups are combined."""
    rules = {"mean": _tr("mean"), "sum": _tr("sum")}
    return _tr("folded groups: {queries} over queries, {keys} over keys").format(
        queries=rules[folding.row_rule], keys=rules[folding.column_rule]
    )
