"""The combination of folded groups, in words."""

import textwrap

from attnviewer.compute import Folding
from attnviewer.ui.text.concepts import TIP_WIDTH
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("folding")


def folded_words(folding: Folding) -> str:
    """Return how rows and columns of folded groups are combined."""
    return _tr("folded groups: {queries} over queries, {keys} over keys").format(
        **_rules(folding)
    )


def what_groups_count(folding: Folding) -> str:
    """Return what statistics of folded weights take a group for."""
    text = _tr(
        "A folded group counts as one query, the {queries} of its rows, and as one "
        "key, the {keys} of its columns. Distances are in columns as shown; “itself” "
        "is the group’s own column."
    )
    return "\n".join(textwrap.wrap(text.format(**_rules(folding)), TIP_WIDTH))


def _rules(folding: Folding) -> dict[str, str]:
    rules = {"mean": _tr("mean"), "sum": _tr("sum")}
    return {"queries": rules[folding.row_rule], "keys": rules[folding.column_rule]}
