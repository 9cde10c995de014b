"""The frequencies of models that were extended to longer texts after training.

Either all pairs rotate more slowly (linear), or only those that rotate so slowly that
they completed few or no rotations in training (Llama 3, YaRN).
"""

import math

import numpy as np

from attnviewer.compute.arguments import positive_number, whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.positions.frequencies import base_frequencies


def linear_frequencies(
    rotary_dim: int, base: float, *, factor: float
) -> tuple[float, ...]:
    """Return frequencies that are all divided by a factor.

    The same as dividing the positions by it (position interpolation).

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number.
    base : float
        Of the frequencies that are scaled, see `base_frequencies`.
    factor : float
        How many times slower the pairs rotate.

    Returns
    -------
    tuple of float
        D / 2 numbers, in radians per position.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not even or a number is not positive.

    References
    ----------
    Chen et al. 2023, "Extending Context Window of Large Language Models via
    Positional Interpolation", section 2.3.
    """
    factor = positive_number("factor", factor)
    return _numbers(base_frequencies(rotary_dim, base) / factor)


def llama3_frequencies(
    rotary_dim: int,
    base: float,
    *,
    factor: float,
    low_frequency_factor: float,
    high_frequency_factor: float,
    trained_length: int,
) -> tuple[float, ...]:
    """Return the frequencies of Llama 3.1 and later.

    Pairs that rotate more than `high_frequency_factor` times within the trained length
    are unchanged, those that rotate less than `low_frequency_factor` times are divided
    by the factor, and those between are interpolated.

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number.
    base : float
        Of the frequencies that are scaled, see `base_frequencies`; 500,000 in Llama 3.
    factor : float
        How many times slower the slow pairs rotate; 8 in Llama 3.1, 32 in Llama 3.2.
    low_frequency_factor, high_frequency_factor : float
        Rotations within the trained length, the second more than the first; 1 and 4.
    trained_length : int
        How many positions the model was first trained on; 8,192.

    Returns
    -------
    tuple of float
        D / 2 numbers, in radians per position.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not even, a number is not positive, or the two factors of
        frequencies are not in order.

    References
    ----------
    Meta's reference code for Llama 3.1, ``apply_scaling`` in
    ``models/llama3/reference_impl/model.py`` of the repository llama-models.
    """
    factor = positive_number("factor", factor)
    low = positive_number("low_frequency_factor", low_frequency_factor)
    high = positive_number("high_frequency_factor", high_frequency_factor)
    if high <= low:
        raise ValueError(
            "The 'high_frequency_factor' parameter must be more than "
            f"low_frequency_factor = {low}. Got {high} instead."
        )
    length = whole_number("trained_length", trained_length, 1)
    frequencies = base_frequencies(rotary_dim, base)  # (D / 2,)
    turns = length * frequencies / math.tau  # (D / 2,)
    kept = np.clip((turns - low) / (high - low), 0, 1)  # (D / 2,)
    return _numbers(_mixed(frequencies, factor, kept))


def yarn_frequencies(
    rotary_dim: int,
    base: float,
    *,
    factor: float,
    trained_length: int,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    truncate: bool = True,
) -> tuple[float, ...]:
    """Return the frequencies of YaRN ("NTK by parts").

    Pairs that rotate more than `beta_fast` times within the trained length stay as they
    are, those that rotate less than `beta_slow` times are divided by the factor, and
    those between are interpolated linearly. The scheme also makes
    scores larger: see `yarn_attention_factor`.

    Parameters
    ----------
    rotary_dim : int
        D, how many columns rotate, an even number.
    base : float
        Of the frequencies that are scaled, more than 1; see `base_frequencies`.
    factor : float
        How many times slower the slow pairs rotate.
    trained_length : int
        How many positions the model was first trained on.
    beta_fast, beta_slow : float
        Rotations within the trained length, the first not less than the second.
    truncate : bool
        Whether the ends of what lies between are whole pairs, as in the authors' code.

    Returns
    -------
    tuple of float
        D / 2 numbers, in radians per position.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not even, a number is not positive, the base not above 1, or
        `beta_fast` less than `beta_slow`.

    References
    ----------
    Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language
    Models", section 3.2, and the authors' code.
    """
    factor = positive_number("factor", factor)
    fast = positive_number("beta_fast", beta_fast)
    slow = positive_number("beta_slow", beta_slow)
    if fast < slow:
        raise ValueError(
            f"The 'beta_fast' parameter must be at least beta_slow = {slow}. "
            f"Got {fast} instead."
        )
    length = whole_number("trained_length", trained_length, 1)
    frequencies = base_frequencies(rotary_dim, base)  # (D / 2,)
    if base <= 1:
        raise ValueError(
            f"The 'base' parameter must be more than 1. Got {base} instead."
        )
    # Which pair, as a fraction, rotates so many times within the trained length.
    first, last = (
        rotary_dim * math.log(length / (beta * math.tau)) / (2 * math.log(base))
        for beta in (fast, slow)
    )
    if truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, rotary_dim - 1)
    if first == last:
        last += 0.001  # a step, as in the authors' code
    slower = np.clip((np.arange(rotary_dim // 2) - first) / (last - first), 0, 1)
    return _numbers(_mixed(frequencies, factor, 1 - slower))


def yarn_attention_factor(
    factor: float,
    *,
    mscale: float | None = None,
    mscale_all_dim: float | None = None,
) -> float:
    """Return what YaRN multiplies cosines and sines by: 0.1 · ln(factor) + 1.

    Both queries and keys are multiplied, so the products of the columns that rotate
    grow by its square. Where all columns rotate, that is a scale of the scores: its
    square / √d_k.

    Parameters
    ----------
    factor : float
        The factor of `yarn_frequencies`; up to 1 the result is 1.
    mscale, mscale_all_dim : float, optional
        If both are given and not 0, the factor is
        (0.1 · mscale · ln(factor) + 1) / (0.1 · mscale_all_dim · ln(factor) + 1).

    Returns
    -------
    float
        The factor.

    Raises
    ------
    TypeError, ValueError
        If a number is not positive.

    References
    ----------
    Peng et al. 2023, section 3.4, equation 22; DeepSeek-AI 2024, "DeepSeek-V2", for its
    two parameters.
    """
    growth = 0.1 * math.log(max(positive_number("factor", factor), 1.0))
    if not (mscale and mscale_all_dim):
        return growth + 1
    own = positive_number("mscale", mscale)
    common = positive_number("mscale_all_dim", mscale_all_dim)
    return (growth * own + 1) / (growth * common + 1)


def _mixed(frequencies: Array, factor: float, kept: Array) -> Array:
    """Return frequencies, interpolated between kept and divided by a factor."""
    mixed: Array = kept * frequencies + (1 - kept) * frequencies / factor
    return mixed


def _numbers(frequencies: Array) -> tuple[float, ...]:
    return tuple(frequencies.tolist())
