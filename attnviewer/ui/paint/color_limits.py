"""The choices about a step's colours, in words."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.state.looks.filters import AtLeast, Filter
from attnviewer.ui.state.looks.look import Look, Policy
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Colours")

_TITLES: dict[Policy, object] = {
    "automatic": QT_TRANSLATE_NOOP("Colours", "automatic"),
    "unit": QT_TRANSLATE_NOOP("Colours", "0 to 1"),
    "extremes": QT_TRANSLATE_NOOP("Colours", "smallest to largest"),
    "symmetric": QT_TRANSLATE_NOOP("Colours", "symmetric around 0"),
    "percentile": QT_TRANSLATE_NOOP("Colours", "percentiles"),
    "typed": QT_TRANSLATE_NOOP("Colours", "typed"),
}
_SHORT: dict[Policy, object] = _TITLES | {
    "automatic": "",
    "unit": "0–1",
    "extremes": QT_TRANSLATE_NOOP("Colours", "min–max"),
    "symmetric": "±",
}


def policy_title(policy: Policy) -> str:
    """Return the title of a policy."""
    return _tr(str(_TITLES[policy]))


def policy_text(look: Look) -> str:
    """Describe where the limits come from in a word or two; "" if automatic."""
    if look.kept is not None:
        limits = _tr("kept")
    elif look.policy == "percentile":
        beyond = significant_number(look.percentile, 3)
        within = significant_number(100 - look.percentile, 4)
        limits = f"{beyond}–{within} %"
    else:
        short = str(_SHORT[look.policy])
        limits = short and _tr(short)
    parts = [
        limits,
        _tr("log") if look.log else "",
        _tr("per head") if look.per_head else "",
    ]
    return " · ".join(part for part in parts if part)


def filter_text(filter_: Filter, *, signed: bool) -> str:
    """Describe which cells are shown: ``≥ 0.10``."""
    if isinstance(filter_, AtLeast):
        number = significant_number(filter_.threshold, 4)
        return f"|x| ≥ {number}" if signed else f"≥ {number}"
    if filter_.count == 1:
        return _tr("the largest of each row")
    return _tr("the {count} largest of each row").format(count=filter_.count)
