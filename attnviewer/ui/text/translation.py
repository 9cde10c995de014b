"""Translation of texts outside of QObjects."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication


def translate_in(context: str) -> Callable[[str], str]:
    """Return a function that translates the texts of a context."""
    return partial(QCoreApplication.translate, context)
