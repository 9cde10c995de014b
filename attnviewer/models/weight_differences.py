"""Differences of the weights of each head between two checkpoints."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name
from attnviewer.compute.signatures import short_signature
from attnviewer.models.architecture import Architecture
from attnviewer.models.grid import Grid
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.model import Model

HeadWeight: TypeAlias = Literal["W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"]
"""A projection of a head, or a bias; b_O is that of all heads of a layer together."""
Measure: TypeAlias = Literal["norm", "relative", "largest"]
"""How its difference is measured."""
HEAD_WEIGHTS: tuple[HeadWeight, ...] = get_args(HeadWeight)
MEASURES: tuple[Measure, ...] = get_args(Measure)
_TITLES: dict[Measure, str] = {
    "norm": "‖Δ{weight}‖",
    "relative": "‖Δ{weight}‖ / ‖{weight}‖",
    "largest": "largest |Δ{weight}|",
}
_SHAPES = (
    *("kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head"),
    "n_tokens",
)
_MOST_LISTED = 3


@dataclass(frozen=True, slots=True, eq=False)
class WeightDifferences:
    """The difference of every head's weights between two checkpoints.

    Parameters
    ----------
    model, other : str
        The names of the checkpoints.
    weights : tuple of str
        Those of `HEAD_WEIGHTS` that the architecture has.
    values : ndarray of float64, shape (3, len(weights), n_layers, n_heads)
        By `MEASURES` and `weights`. Every head of a layer has the number of its b_O.
    """

    model: str
    other: str
    weights: tuple[HeadWeight, ...]
    values: Array

    @short_signature
    def grid(self, weight: HeadWeight, measure: Measure = "relative") -> Grid:
        """Return the difference of one projection or bias, layers × heads.

        Parameters
        ----------
        weight : str
            ``W_Q``, ``W_K``, ``W_V``, ``W_O``, or ``b_Q``, ``b_K``, ``b_V``, ``b_O``
            where the architecture has it. Heads that share keys and values have the
            same numbers of theirs, and all heads of a layer the same of ``b_O``.
        measure : str
            ``norm`` is ‖W − W′‖ in the Frobenius norm, with W of the model and W′ of
            the other one; ``relative`` is ‖W − W′‖ / ‖W′‖, not a number where W′ is
            zero; ``largest`` is the largest |W − W′| of an entry.

        Raises
        ------
        ValueError
            If there is no such weight or measure.
        """
        check_name("weight", weight, self.weights)
        check_name("measure", measure, MEASURES)
        values = self.values[MEASURES.index(measure), self.weights.index(weight)]
        return self._grid(values, _TITLES[measure].format(weight=weight))

    @short_signature
    def overall(self, measure: Literal["norm", "largest"] = "norm") -> Grid:
        """Return the difference of all weights of a head together, layers × heads.

        Of W_Q, W_K, W_V, W_O and the head's own biases: b_O is of all heads.

        Parameters
        ----------
        measure : str
            ``norm`` is the root of the sum of the squared norms, ``largest`` the
            largest |W − W′| of an entry.

        Raises
        ------
        ValueError
            If there is no such measure.
        """
        check_name("measure", measure, ("norm", "largest"))
        own = [place for place, weight in enumerate(self.weights) if weight != "b_O"]
        each = self.values[MEASURES.index(measure), own]  # (weights, layers, heads)
        is_norm = measure == "norm"
        values = np.sqrt((each**2).sum(axis=0)) if is_norm else each.max(axis=0)
        return self._grid(values, _TITLES[measure].format(weight="W"))

    def _grid(self, values: Array, title: str) -> Grid:
        n_layers, n_heads = values.shape
        return Grid(
            values,
            [f"L{layer}" for layer in range(n_layers)],
            [f"H{head}" for head in range(n_heads)],
            f"{title}, {self.model} − {self.other}",
            axes=("layer", "head"),
        )


@short_signature
def weight_differences(
    model: Model,
    other: Model,
    *,
    progress: Callable[[int], None] | None = None,
) -> WeightDifferences:
    """Return how the weights of every head differ from those of another checkpoint.

    Layers are read one after the other, so that memory is needed for one of each.
    Of an encoder–decoder, the attention of the decoder is compared; that of another
    part is compared by ``model.part("cross")`` and ``other.part("cross")``.

    Parameters
    ----------
    model : Model
        A checkpoint, such as a fine-tuned one.
    other : Model
        What it is compared with, such as the one that it was tuned from.
    progress : callable, optional
        Called with the number of each layer before it is read.

    Raises
    ------
    ValueError
        If the architectures, shapes or tokens differ; see `check_comparable`.
    FileError
        If a file has changed since it was opened.

    Examples
    --------
    >>> from attnviewer import models
    >>> base, tuned = models.load("base"), models.load("tuned")  # doctest: +SKIP
    >>> models.weight_differences(tuned, base).grid("W_Q")  # doctest: +SKIP
    <Grid '‖ΔW_Q‖ / ‖W_Q‖, tuned − base': 12 × 12, layer × head>
    """
    check_comparable(model, other)
    known = model.weights.layer(0, HEAD_WEIGHTS)
    weights = tuple(weight for weight in HEAD_WEIGHTS if weight in known)
    values = np.zeros((len(MEASURES), len(weights), model.n_layers, model.n_heads))
    for layer in range(model.n_layers):
        if progress is not None:
            progress(layer)
        pair = [each.weights.layer(layer, weights) for each in (model, other)]
        for place, weight in enumerate(weights):
            own, theirs = (each[weight] for each in pair)
            if weight == "b_O":
                measured = _measured(own, theirs)
                values[:, place, layer] = np.array(measured)[:, np.newaxis]
                continue
            for head in range(model.n_heads):
                part = HeadSlice.within(model.architecture, head)
                values[:, place, layer, head] = _measured(
                    *(part.select({weight: whole})[weight] for whole in (own, theirs))
                )
    values.flags.writeable = False
    return WeightDifferences(model.name, other.name, weights, values)


def check_comparable(model: Model, other: Model) -> None:
    """Check that two checkpoints have the same architecture, shapes and tokens.

    One may have no tokenizer.

    Raises
    ------
    ValueError
        With what differs.
    """
    own, theirs = model.architecture, other.architecture
    differing = [
        (name, getattr(own, name), getattr(theirs, name))
        for name in _SHAPES
        if getattr(own, name) != getattr(theirs, name)
    ]
    if not differing and _parts(own) != _parts(theirs):
        differing = [("family", own.family, theirs.family)]
    if differing:
        wanted, found = (
            ", ".join(f"{name} {pair[at]}" for name, *pair in differing[:_MOST_LISTED])
            for at in (0, 1)
        )
        raise ValueError(
            f"The 'other' checkpoint must have {wanted}, as {model.name} has. "
            f"Got {found} instead."
        )
    for id, (token, found) in enumerate(_tokens(model, other)):
        if token != found:
            raise ValueError(
                f"The 'other' checkpoint must have the tokens of {model.name}, with "
                f"{token!r} at {id}. Got {found!r} instead."
            )


def _parts(architecture: Architecture) -> tuple[object, ...]:
    """Return the fields of an architecture that say of which parts it consists."""
    norm, activation = architecture.norm, architecture.activation
    return frozenset(architecture.names), norm, activation


def _tokens(model: Model, other: Model) -> Iterator[tuple[str, str]]:
    """Return the tokens that both know, side by side."""
    if model.tokenizer is None or other.tokenizer is None:
        return iter(())
    known = range(min(model.tokenizer.n_tokens, other.tokenizer.n_tokens))
    return zip(model.names(known), other.names(known), strict=True)


def _measured(own: Array, theirs: Array) -> tuple[float, float, float]:
    """Return the norm of a difference, its share of that of `theirs`, the largest."""
    difference = own.astype(np.float64) - theirs
    norm, size = np.linalg.norm(difference), np.linalg.norm(theirs.astype(np.float64))
    relative = norm / size if size else np.nan
    return float(norm), float(relative), float(np.abs(difference).max(initial=0.0))
