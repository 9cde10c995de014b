"""The words of the training panel."""

from collections.abc import Mapping

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.state.training.choices import WITH_READOUT, TrainingChoices
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Training")

TASKS = {
    "copy_previous": QT_TRANSLATE_NOOP("Training", "Attend to the token before"),
    "same_token": QT_TRANSLATE_NOOP("Training", "Attend to the same token"),
    "reverse": QT_TRANSLATE_NOOP("Training", "Attend in reverse"),
    "repeated": QT_TRANSLATE_NOOP("Training", "Find the repeated token"),
    WITH_READOUT: QT_TRANSLATE_NOOP("Training", "Predict the next token"),
    "match_output": QT_TRANSLATE_NOOP("Training", "Make the output equal numbers"),
    "match_weights": QT_TRANSLATE_NOOP("Training", "Make the weights equal numbers"),
}
"""The tasks, in the order of the list."""
LOSSES = {
    "cross_entropy": QT_TRANSLATE_NOOP("Training", "cross-entropy"),
    "mse": QT_TRANSLATE_NOOP("Training", "mean squared error"),
}
OPTIMIZERS = {
    "sgd": QT_TRANSLATE_NOOP("Training", "gradient descent"),
    "momentum": QT_TRANSLATE_NOOP("Training", "momentum"),
    "adam": QT_TRANSLATE_NOOP("Training", "Adam"),
    "adamw": QT_TRANSLATE_NOOP("Training", "AdamW"),
}
OPTIONS = {
    "momentum": QT_TRANSLATE_NOOP("Training", "Momentum"),
    "beta1": QT_TRANSLATE_NOOP("Training", "β₁"),
    "beta2": QT_TRANSLATE_NOOP("Training", "β₂"),
    "eps": QT_TRANSLATE_NOOP("Training", "ε"),
    "weight_decay": QT_TRANSLATE_NOOP("Training", "Weight decay"),
    "gamma": QT_TRANSLATE_NOOP("Training", "Rate decay γ"),
}
"""The options of optimisers, in the order of their fields."""


def words(table: Mapping[str, object], name: str) -> str:
    """Return one of the tables' entries in the user's language."""
    return _tr(str(table[name]))


def summary(choices: TrainingChoices) -> str:
    """Return what is chosen, in a sentence or two."""
    return _tr("{task}. {optimizer} with learning rate {lr:g} trains {free}.").format(
        task=words(TASKS, choices.task),
        optimizer=capital(words(OPTIMIZERS, choices.optimizer)),
        lr=choices.lr,
        free=", ".join(choices.free) or _tr("nothing"),
    )


def capital(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
