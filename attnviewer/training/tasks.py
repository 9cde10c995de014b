"""Tasks: targets for the weights or the output of a document."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, BoolArray, Shape, Spec
from attnviewer.compute.signatures import short_signature
from attnviewer.training import patterns
from attnviewer.training.losses import (
    LossFunction,
    cross_entropy,
    cross_entropy_of_logits,
    mean_squared_error,
    one_hot,
)
from attnviewer.training.sequences import Sequences, Tokens

READOUT = "readout"
"""The name of the matrix that turns outputs into logits of tokens."""
Pattern: TypeAlias = Callable[[Tokens, BoolArray], Array]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """The parts of the document that a task reads.

    Parameters
    ----------
    spec : Spec
        The variant.
    weights : str
        The step that the values are mixed by.
    weights_signed : bool
        Whether its numbers may be negative.
    shapes : dict of str to tuple of int
        The shapes of the weights and of the output, by the names of their steps.
    visible : ndarray of bool, shape (n_q, n_k)
        Which keys each query sees in every head; extra keys are left out.
    sequences : Sequences
        The tokens.
    """

    spec: Spec
    weights: str
    weights_signed: bool
    shapes: dict[str, Shape]
    visible: BoolArray
    sequences: Sequences


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """A task on a document.

    Parameters
    ----------
    step : str
        The step whose numbers are compared.
    loss : callable
        Compares them with the target.
    target : callable
        Returns the target of some tokens; it broadcasts to the step's numbers.
    by_tokens : str
        The name of the rule by which the target depends on the tokens; "" if it is the
        same for all.
    readout : ndarray, shape (columns of the output, classes), optional
        Turns the outputs of all tokens but the last into logits, which are then what is
        compared.
    """

    step: str
    loss: LossFunction
    target: Callable[[Tokens], Array]
    by_tokens: str = ""
    readout: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Task(ABC):
    """A task to learn; made by the functions of `attnviewer.tasks`.

    Parameters
    ----------
    title : str
        The task in a few words.
    """

    title: str

    @property
    @abstractmethod
    def call(self) -> str:
        """The call of `attnviewer.tasks` that makes it, with the names of arrays."""

    @abstractmethod
    def on(self, setting: Setting) -> Goal:
        """Return the task on a document.

        Raises
        ------
        ValueError
            If the task makes no sense there.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Match(Task):
    """Given numbers as the target of a step; see `attnviewer.tasks.match`."""

    step: str
    target: Array
    loss: str

    @property
    def call(self) -> str:
        return f"match({self.step!r}, target, loss={self.loss!r})"

    def on(self, setting: Setting) -> Goal:
        step = setting.weights if self.step == "weights" else self.step
        shape = setting.shapes[step]
        shapes = [shape]
        if self.step == "weights" and len(shape) > 2:
            shapes.append(shape[1:])
        if self.target.shape not in shapes:
            raise ValueError(
                f"The 'target' must have shape {' or '.join(map(str, shapes))}, as the "
                f"{self.step} {'have' if self.step == 'weights' else 'has'}. "
                f"Got {self.target.shape} instead."
            )
        loss: LossFunction = mean_squared_error
        if self.loss == "cross_entropy" and self.step == "weights":
            asked = np.any((self.target > 0).reshape(-1, *shape[-2:]), axis=0)
            check_visible(setting, asked[:, : setting.visible.shape[1]])
            check_log_weights(setting)
            loss = cross_entropy
        elif self.loss == "cross_entropy":
            loss = cross_entropy_of_logits
        return Goal(step, loss, self._target)

    def _target(self, tokens: Tokens) -> Array:
        return self.target


@dataclass(frozen=True, slots=True, eq=False)
class Attend(Task):
    """A pattern of attention as the target of the weights.

    Parameters
    ----------
    name : str
        The function of `attnviewer.tasks`.
    pattern : callable
        Returns the pattern of some tokens.
    loss : str
        A name of `LOSSES`.
    by_position : bool
        Whether the pattern counts positions, so that keys must be the same tokens as
        queries.
    by_repetition : bool
        Whether it needs a token that occurs more than once.
    """

    name: str
    pattern: Pattern
    loss: str
    by_position: bool = False
    by_repetition: bool = False

    @property
    def call(self) -> str:
        return f"{self.name}(loss={self.loss!r})"

    def on(self, setting: Setting) -> Goal:
        self._check_tokens(setting)
        own = self.pattern(setting.sequences.own, setting.visible)  # (n_q, n_k)
        if not own.any():
            raise ValueError(
                f"The task '{self.name}' must ask some query for a key. Got a second "
                "sequence in which there is none instead."
            )
        check_visible(setting, own > 0)
        loss: LossFunction = mean_squared_error
        if self.loss == "cross_entropy":
            check_log_weights(setting)
            loss = cross_entropy
        by_tokens = "" if self.by_position else self.name
        return Goal(
            setting.weights,
            loss,
            partial(self._target, setting=setting),
            by_tokens,
        )

    def _check_tokens(self, setting: Setting) -> None:
        own = setting.sequences.own
        if self.by_position and own.queries is not own.keys:
            raise ValueError(
                f"The task '{self.name}' must be of a document whose keys are its own "
                "tokens. Got keys of a second sequence instead."
            )
        if self.by_repetition and np.unique(own.keys).size == own.keys.size:
            raise ValueError(
                f"The task '{self.name}' must be of a document in which some token "
                f"occurs more than once. Got {own.keys.size} different tokens instead."
            )

    def _target(self, tokens: Tokens, setting: Setting) -> Array:
        """Return the pattern as wide as the weights, shape (..., [1,] n_q, n_keys)."""
        wanted = self.pattern(tokens, setting.visible)  # (..., n_q, n_k)
        shape = setting.shapes[setting.weights]
        extra = shape[-1] - wanted.shape[-1]
        if extra:
            padding = [(0, 0)] * (wanted.ndim - 1) + [(0, extra)]
            wanted = np.pad(wanted, padding)
        if wanted.ndim > 2 and len(shape) > 2:
            return wanted[..., np.newaxis, :, :]  # (batch, 1, n_q, n_keys)
        return wanted


@dataclass(frozen=True, slots=True, eq=False)
class NextToken(Task):
    """Each output predicts the next token; see `attnviewer.tasks.next_token`."""

    readout: Array | None

    @property
    def call(self) -> str:
        return "next_token()" if self.readout is None else "next_token(readout)"

    def on(self, setting: Setting) -> Goal:
        width = setting.shapes["output"][-1]
        count = len(setting.sequences.vocabulary)
        if count < 2:
            raise ValueError(
                "The task 'next_token' must be of a document with at least 2 different "
                f"tokens. Got {count} instead."
            )
        readout = self.readout
        if readout is None:
            rng = np.random.default_rng(setting.sequences.seed)
            readout = rng.normal(size=(width, count)) / np.sqrt(width)
        if readout.shape != (width, count):
            raise ValueError(
                f"The 'readout' must have shape {(width, count)}: a row for each "
                "column of the output, and a column for each different token. "
                f"Got {readout.shape} instead."
            )
        return Goal(
            "output",
            cross_entropy_of_logits,
            partial(_next_tokens, count=count),
            "next_token",
            readout,
        )


def _next_tokens(tokens: Tokens, count: int) -> Array:
    return one_hot(tokens.queries[..., 1:], count)


def check_log_weights(setting: Setting) -> None:
    """Check that the weights have logarithms.

    Raises
    ------
    ValueError
        If they may be negative.
    """
    if setting.weights_signed:
        raise ValueError(
            "The 'loss' must be 'mse' where weights may be negative. Got "
            f"'cross_entropy' with {setting.spec.build_normalizer().title} instead."
        )


def check_visible(setting: Setting, asked: BoolArray) -> None:
    """Check that every key that is asked for is visible.

    Parameters
    ----------
    setting : Setting
        The document.
    asked : ndarray of bool, shape (n_q, n_k)
        Where the target is above 0.

    Raises
    ------
    ValueError
        With the first that is hidden.
    """
    hidden = np.argwhere(asked & ~setting.visible)  # (number, 2)
    if len(hidden):
        query, key = hidden[0].tolist()
        raise ValueError(
            "The target must be 0 where a mask or a bias hides the key. Got "
            f"{len(hidden)} hidden keys instead, the first at [{query}, {key}]."
        )


@short_signature
def attending(name: str, loss: str) -> Attend:
    """Return one of the tasks on patterns of attention by its name."""
    title, pattern, by_position, by_repetition = _PATTERNS[name]
    return Attend(title, name, pattern, loss, by_position, by_repetition)


_PATTERNS: dict[str, tuple[str, Pattern, bool, bool]] = {
    "copy_previous": ("attend to the token before", patterns.previous, True, False),
    "same_token": ("attend to the same token", patterns.same, False, False),
    "reverse": ("attend in reverse", patterns.mirrored, True, False),
    "repeated": ("find the repeated token", patterns.repeated, False, True),
}
