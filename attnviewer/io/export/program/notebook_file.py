"""Jupyter notebooks as files: cells of words and of code."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

Cell: TypeAlias = dict[str, Any]

_PIECE = 2**16  # characters


def notebook_file(cells: Iterable[Cell]) -> Iterator[bytes]:
    """Yield a notebook in nbformat 4.5.

    References
    ----------
    Jupyter, "The Notebook file format", nbformat 4.5.
    """
    content = {
        # Numbered ids, so that the same cells give the same bytes.
        "cells": [
            {"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)
        ],
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    text = ""
    for part in json.JSONEncoder(indent=1).iterencode(content):
        text += part
        if len(text) > _PIECE:
            yield text.encode("ascii")
            text = ""
    yield f"{text}\n".encode("ascii")


def words(*lines: str) -> Cell:
    """Return a cell of Markdown."""
    return {"cell_type": "markdown", "metadata": {}, "source": _source(lines)}


def code(*lines: str) -> Cell:
    """Return a cell of code that was not run."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _source(lines),
    }


def _source(lines: Iterable[str]) -> list[str]:
    *before, last = "\n".join(lines).split("\n")
    return [*(f"{line}\n" for line in before), last]
