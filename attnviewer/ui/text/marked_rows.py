"""The rows of weights that count in no sum, because they hold NaN or ±∞."""

from attnviewer.ui.text.translation import translate_in

_tr = translate_in("MarkedRows")


def marked_sentence(count: int) -> str:
    """Return how many rows are left out; "" for none."""
    if not count:
        return ""
    if count == 1:
        return _tr("1 row holds NaN or an infinite number, and is left out.")
    text = _tr("{count:,} rows hold NaN or infinite numbers, and are left out.")
    return text.format(count=count)
