"""A sentence on which induction shows: random tokens, repeated."""

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.io import FileError
from attnviewer.models.model import Model
from attnviewer.models.parts import check_one_stack
from attnviewer.models.trace import ModelTrace

_LEFT_OUT = 10
"""One id in so many is left out at either end of the vocabulary."""


def repeated_random_tokens(
    model: Model, count: int = 25, repeats: int = 4, seed: int = 0
) -> ModelTrace:
    """Return a run over random tokens that are repeated.

    Nothing but the repetition tells what comes next. The tokens differ from each other
    and are drawn from the middle eight tenths of the vocabulary: where ids are sorted
    by frequency, as most are, that leaves out the most and the least common ones. A
    token that the tokenizer puts before each text comes first. There are fewer tokens
    where the model has too few positions or tokens.

    Parameters
    ----------
    model : Model
        The model.
    count : int
        How many tokens.
    repeats : int
        How often they come, at least twice.
    seed : int
        Which random tokens.

    Raises
    ------
    ValueError
        If a number is too small, or the model has too few positions.

    References
    ----------
    Olsson et al. 2022, "In-context Learning and Induction Heads", arXiv:2209.11895,
    "Head activation evaluators": 25 tokens, 4 times.
    """
    check_one_stack(model.architecture, "model of the detectors")
    count = whole_number("count", count, 1)
    repeats = whole_number("repeats", repeats, 2)
    seed = whole_number("seed", seed, 0)
    if model.reads_pictures:
        raise ValueError(
            "The 'model' must read tokens, of which random ones are drawn. "
            f"Got {model.name}, which reads images, instead."
        )
    first = _first_token(model)
    limit = model.most_tokens
    if limit is not None:
        count = min(count, (limit - len(first)) // repeats)
    if count < 1:
        raise ValueError(
            f"The 'repeats' must fit into the {limit} positions of {model.name}. "
            f"Got {repeats} instead."
        )
    size = model.architecture.n_tokens
    least = size // _LEFT_OUT
    usual = np.setdiff1d(np.arange(least, size - least), first)
    count = min(count, len(usual))
    drawn = np.random.default_rng(seed).choice(usual, count, replace=False)  # (count,)
    return model.run([*first, *drawn.tolist() * repeats])


def _first_token(model: Model) -> list[int]:
    """Return the token that the tokenizer puts before each text, if any."""
    if model.tokenizer is None:
        return []
    try:
        return list(model.tokenizer.encode("").ids[:1])
    except (ValueError, FileError):
        return []
