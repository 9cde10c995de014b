"""Translation of texts that no object of Qt's says."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication


def translate_in(context: str) -> Callable[[str], str]:
    """Return what translates the texts of a context."""
    return partial(QCoreApplication.translate, context)
