"""Libraries that results can be handed on to, where they are installed."""

from importlib import import_module
from typing import Any


def optional_library(name: str, what: str) -> Any:
    """Return a library.

    Parameters
    ----------
    name : str
        Its name.
    what : str
        What is converted by it, for the message.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(
            f"The {what} needs {name} to be converted. Install it with: "
            f"pip install {name}"
        ) from None
