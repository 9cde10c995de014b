"""The training that a document is about."""

from typing import NamedTuple


class FirstTraining(NamedTuple):
    """The training that is offered when the document is opened.

    Parameters
    ----------
    task : str
        The name of a function of `attnviewer.tasks` that needs no argument.
    free : tuple of str
        The matrices that are trained.
    optimizer : str
        The optimiser.
    lr : float
        The learning rate.
    steps : int
        The number of steps.
    """

    task: str
    free: tuple[str, ...]
    optimizer: str = "adam"
    lr: float = 0.01
    steps: int = 300
