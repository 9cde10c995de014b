"""The choices for a training run."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from attnviewer.compute import Array
from attnviewer.document import Document
from attnviewer.document.first_training import FirstTraining
from attnviewer.document.text.blocks import parse_block

# Loaded when the first run begins: it takes longer than the whole panel.
if TYPE_CHECKING:
    from attnviewer.training import Task, Training

LossName = Literal["mse", "cross_entropy"]
MATCHED: dict[str, Literal["output", "weights"]] = {
    "match_output": "output",
    "match_weights": "weights",
}
"""The tasks that have a target of numbers, and the step that it is of."""
WITH_READOUT = "next_token"
"""The task that has a readout, and no choice of losses."""


@dataclass(frozen=True, slots=True)
class TrainingChoices:
    """The user's choices for a training run.

    Parameters
    ----------
    task : str
        A function of `attnviewer.tasks`, or one of `MATCHED`.
    loss : {"mse", "cross_entropy"}
        The loss.
    target : str
        The numbers of a target, as text.
    free : tuple of str
        The matrices that are trained.
    optimizer : str
        The optimiser.
    lr : float
        The learning rate.
    options : tuple of (str, float)
        The further options of the optimiser.
    steps : int
        The number of steps.
    seed : int
        The seed of random numbers.
    batch : int or None
        How many random sequences each step has; None for the document's own tokens.
    """

    task: str = "copy_previous"
    loss: LossName = "cross_entropy"
    target: str = ""
    free: tuple[str, ...] = ("W_Q", "W_K", "W_V")
    optimizer: str = "adam"
    lr: float = 0.01
    options: tuple[tuple[str, float], ...] = ()
    steps: int = 300
    seed: int = 0
    batch: int | None = None

    @classmethod
    def of(cls, first: FirstTraining) -> "TrainingChoices":
        """Return the initial choices for a document."""
        return cls(
            first.task,
            free=first.free,
            optimizer=first.optimizer,
            lr=first.lr,
            steps=first.steps,
        )

    def begin(self, document: Document) -> "Training":
        """Return a new run on a document.

        Raises
        ------
        ValueError
            If it cannot be trained with them.
        """
        from attnviewer.training import train

        return train(
            document,
            self._task(document),
            free=self.free,
            optimizer=self.optimizer,
            lr=self.lr,
            steps=self.steps,
            seed=self.seed,
            batch=self.batch,
            **dict(self.options),
        )

    def _task(self, document: Document) -> "Task":
        from attnviewer import tasks

        if self.task in MATCHED:
            step = MATCHED[self.task]
            return tasks.match(step, self._target(document), self.loss)
        if self.task == WITH_READOUT:
            return tasks.next_token()
        make = {
            "copy_previous": tasks.copy_previous,
            "same_token": tasks.same_token,
            "reverse": tasks.reverse,
            "repeated": tasks.repeated,
        }[self.task]
        return make(self.loss)

    def _target(self, document: Document) -> Array:
        """Return the target, one head above the other where it is of all heads."""
        if not self.target.strip():
            raise ValueError("The target has no numbers yet: type or paste them.")
        values = parse_block(self.target).values  # (rows, columns)
        n_queries, n_heads = len(document.tokens), document.spec.n_heads
        rows, columns = values.shape
        if self.task == "match_weights" and 1 < n_heads == rows / n_queries:
            return values.reshape(n_heads, n_queries, columns)
        return values
