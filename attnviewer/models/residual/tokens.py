"""Checks of positions in a sentence."""

from attnviewer.compute.arguments import whole_number
from attnviewer.models.outputs import Outputs


def position_of(run: Outputs, name: str, position: int) -> int:
    """Return the position of a token, counted from zero.

    Parameters
    ----------
    run : ModelTrace
        The run.
    name : str
        The parameter's name, for the message.
    position : int
        The position; negative ones count from the end.

    Raises
    ------
    TypeError
        If it is not an integer.
    IndexError
        If there is no such token.
    """
    count = len(run.ids)
    number = whole_number(name, position)
    if -count <= number < count:
        return number % count
    raise IndexError(
        f"The '{name}' must be one of {count} tokens, from 0 to {count - 1}. "
        f"Got {number} instead."
    )
