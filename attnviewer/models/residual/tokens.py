"""Checks of positions in a sentence, and of tokens of the vocabulary."""

from attnviewer.compute.arguments import whole_number
from attnviewer.models.model import Model
from attnviewer.models.trace import ModelTrace


def position_of(run: ModelTrace, name: str, position: int) -> int:
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


def id_in(model: Model, name: str, token: str | int) -> int:
    """Return the id of a token of the vocabulary.

    Parameters
    ----------
    model : Model
        The model.
    name : str
        The parameter's name, for the message.
    token : str or int
        The token as the vocabulary spells it, or its id.

    Raises
    ------
    TypeError, ValueError
        If there is no such token.
    """
    if isinstance(token, str):
        return model.id_of(token)
    number, count = whole_number(name, token), model.architecture.n_tokens
    if 0 <= number < count:
        return number
    raise ValueError(
        f"The '{name}' must be an id from 0 to {count - 1}. Got {number} instead."
    )
