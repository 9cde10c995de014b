"""Checks of positions in a sentence."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arguments import whole_number


def token_position(position: int, count: int, name: str = "position") -> int:
    """Return the position of a token, counted from zero.

    Parameters
    ----------
    position : int
        The position; negative ones count from the end.
    count : int
        The number of tokens.
    name : str
        The parameter's name, for the message.

    Raises
    ------
    TypeError
        If it is not an integer.
    IndexError
        If there is no such token.
    """
    number = whole_number(name, position)
    if -count <= number < count:
        return number % count
    raise IndexError(
        f"The '{name}' must be one of {count} tokens, from 0 to {count - 1}. "
        f"Got {number} instead."
    )


def token_positions(
    positions: int | Sequence[int] | None, count: int
) -> tuple[int, ...]:
    """Return positions of tokens in ascending order, each once; None is all of them.

    Parameters
    ----------
    positions : int or sequence of int, optional
        The positions; negative ones count from the end.
    count : int
        The number of tokens.

    Raises
    ------
    TypeError
        If they are not integers.
    IndexError
        If there is no such token.
    """
    if positions is None:
        return tuple(range(count))
    given = np.atleast_1d(np.asarray(positions)).tolist()
    found = {token_position(position, count, "positions") for position in given}
    return tuple(sorted(found))
