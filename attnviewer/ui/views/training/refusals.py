"""Refusals of a training run, with its fields as the panel names them."""

import re

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.training.texts import LOSSES, OPTIMIZERS, OPTIONS, TASKS, words

_tr = translate_in("Training")

FIELDS = {
    "batch": QT_TRANSLATE_NOOP("Training", "Sequences"),
    "free": QT_TRANSLATE_NOOP("Training", "Train"),
    "loss": QT_TRANSLATE_NOOP("Training", "Loss"),
    "lr": QT_TRANSLATE_NOOP("Training", "Learning rate"),
    "optimizer": QT_TRANSLATE_NOOP("Training", "Optimiser"),
    "seed": QT_TRANSLATE_NOOP("Training", "Seed"),
    "steps": QT_TRANSLATE_NOOP("Training", "Steps"),
    "target": QT_TRANSLATE_NOOP("Training", "Target"),
    **OPTIONS,
}
"""The arguments of `attnviewer.train` and its tasks, as the panel calls them."""
_ARGUMENT = re.compile(r"The '(\w+)'(?: parameter| option)?(?= must\b)")
_TASK = re.compile(r"The task '(\w+)'(?= must\b)")
_NONE = re.compile(r"(?<=must be )none\b")
_VALUE = re.compile(r"'(\w+)'")


def in_panel_words(reason: str) -> str:
    """Return a refusal of `attnviewer.train` with the panel's names in quotes.

    Parameters
    ----------
    reason : str
        “The 'lr' parameter must be …”, or any other text.
    """
    argument = _ARGUMENT.match(reason)
    if argument and argument[1] == "batch":
        reason = _NONE.sub(_quoted(_tr("the document’s")), reason)
    reason = _ARGUMENT.sub(lambda found: _name(found, FIELDS), reason)
    reason = _TASK.sub(lambda found: _name(found, TASKS), reason)
    reason = reason.replace("The 'document' must", _tr("The document must"))
    return _VALUE.sub(lambda found: _name(found, {**LOSSES, **OPTIMIZERS}), reason)


def _name(found: re.Match[str], table: dict[str, object]) -> str:
    """Return the name that a table has for one; a name that it lacks stays as it is."""
    return _quoted(words(table, found[1])) if found[1] in table else found[0]


def _quoted(text: str) -> str:
    return f"“{text}”"
