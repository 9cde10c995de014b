"""The plan of a training: the arguments of `train`, checked."""

from dataclasses import dataclass

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.training.learner import Learner
from attnviewer.training.optimizers import OPTIMIZERS
from attnviewer.training.parameters import Parameters
from attnviewer.training.sequences import Sequences
from attnviewer.training.slope import LossOf
from attnviewer.training.tasks import READOUT, Goal, Setting, Task


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A training run before its first step.

    Parameters
    ----------
    document : Document
        The document at the beginning; it must not change.
    task : Task
        What is learned.
    setting : Setting
        What the task knows of the document.
    goal : Goal
        The task on the document.
    loss_of : LossOf
        Its loss.
    free : tuple of str
        The names of the matrices that may change.
    optimizer : str
        A name of `OPTIMIZERS`.
    lr : float
        The learning rate.
    options : dict of str to float
        All further options of the optimiser.
    steps : int
        The number of steps.
    """

    document: Document
    task: Task
    setting: Setting
    goal: Goal
    loss_of: LossOf
    free: tuple[str, ...]
    optimizer: str
    lr: float
    options: dict[str, float]
    steps: int

    @property
    def title(self) -> str:
        """Task and optimiser in a few words."""
        return f"{self.task.title}, {OPTIMIZERS[self.optimizer].title}"

    @property
    def sequences(self) -> Sequences:
        """The tokens of each step."""
        return self.setting.sequences

    @property
    def start(self) -> dict[str, Array]:
        """The matrices at the beginning, of which those in `loss_of.trained` change."""
        names = [name for name in self.free if name != READOUT]
        matrices = {name: self.document.matrix(name) for name in names}
        if self.goal.readout is not None:
            matrices[READOUT] = self.goal.readout
        return matrices

    def parameters(self) -> Parameters:
        """Return the numbers that are trained, at the beginning."""
        start = self.start
        return Parameters({name: start[name] for name in self.loss_of.trained})

    def new_learner(self) -> Learner:
        """Return a learner that takes the steps of the run from the first."""
        parameters = self.parameters()
        kind = OPTIMIZERS[self.optimizer]
        optimizer = kind(parameters.vector.size, self.lr, self.options)
        return Learner(self.loss_of, parameters, optimizer)

    def matrices(self, numbers: Array) -> dict[str, Array]:
        """Return copies of all matrices of `start`, given the numbers of those trained.

        Parameters
        ----------
        numbers : ndarray, shape (numbers,)
            In the order of `parameters`.
        """
        parameters = self.parameters()
        parameters.vector[...] = numbers
        copies = {name: array.copy() for name, array in self.start.items()}
        return {**copies, **parameters.matrices}
