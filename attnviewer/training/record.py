"""A training run as the record that a document keeps of it."""

from collections.abc import Mapping

from attnviewer.compute import Array
from attnviewer.document import TrainingRecord
from attnviewer.document.training_record import digest
from attnviewer.training.plan import Plan
from attnviewer.training.tasks import READOUT


def start_digest(plan: Plan) -> str:
    """Return the digest of the inputs, the target and the readout of a run."""
    goal, document = plan.goal, plan.document
    arrays = [document.matrix(name) for name in document.spec.input_names]
    arrays.append(goal.target(plan.sequences.own))
    if goal.readout is not None:
        arrays.append(goal.readout)
    return digest(arrays)


def record_of(
    plan: Plan,
    kept: int,
    losses: tuple[float, float],
    start: str,
    after: Mapping[str, Array],
) -> TrainingRecord:
    """Return the record of a run that is taken over after a step.

    Parameters
    ----------
    plan : Plan
        The run.
    kept : int
        After which step.
    losses : tuple of two float
        The loss before the first step, and after that one.
    start : str
        The digest of what it began with, see `start_digest`.
    after : mapping of str to ndarray
        The matrices after the step, with the ``readout`` of the task.
    """
    before = plan.document.training
    trained = [name for name in plan.loss_of.trained if name != READOUT]
    return TrainingRecord(
        task=plan.task.title,
        call=plan.task.call,
        optimizer=plan.optimizer,
        lr=plan.lr,
        options=tuple(plan.options.items()),
        seed=plan.sequences.seed,
        batch=plan.sequences.batch,
        steps=plan.steps,
        kept=kept,
        first_loss=losses[0],
        last_loss=losses[1],
        start=start,
        free=plan.free,
        trained=tuple((name, digest([after[name]])) for name in trained),
        earlier=0 if before is None else before.earlier + 1,
        readout=after.get(READOUT),
    )
