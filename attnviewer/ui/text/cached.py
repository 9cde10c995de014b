"""The note on tokens whose keys and values are in the cache of a generation."""

from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Cache")


def cached_words() -> str:
    """Return what a mark on a token means."""
    return _tr("in the cache: computed in an earlier step")


def cached_legend() -> str:
    """Return what the lines in a heatmap mean."""
    return _tr("underlined keys: in the cache, computed in an earlier step")
