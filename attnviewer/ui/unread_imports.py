"""How modules are imported while the window is open."""

import builtins
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing_unread() -> Iterator[None]:
    """Import modules without PySide reading the source of each.

    It searches them all for ``PySide6``, for the sake of its ``__feature__`` switches,
    which nothing here uses: that takes a tenth of the time until there is a heatmap.
    """
    reading = builtins.__import__
    builtins.__import__ = getattr(builtins, "__orig_import__", reading)
    try:
        yield
    finally:
        builtins.__import__ = reading
