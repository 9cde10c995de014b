"""Starts a training run, once everything about it was checked."""

from collections.abc import Iterable
from copy import copy

import numpy as np

from attnviewer.compute.arguments import check_name, positive_number, whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.document import MASK, Document
from attnviewer.training.optimizers import OPTIMIZERS, checked_options
from attnviewer.training.plan import Plan
from attnviewer.training.sequences import Sequences
from attnviewer.training.slope import LossOf
from attnviewer.training.tasks import READOUT, Goal, Setting, Task
from attnviewer.training.training import Training

MOST_SCORES = 2**22
"""The most scores of a step, over all heads and the batch: of one head and the
document's own tokens, 2,048 tokens."""


@short_signature
def train(
    document: Document,
    task: Task,
    *,
    free: Iterable[str] = ("W_Q", "W_K", "W_V"),
    optimizer: str = "adam",
    lr: float = 0.01,
    steps: int = 300,
    seed: int = 0,
    batch: int | None = None,
    **optimizer_options: object,
) -> Training:
    """Train matrices of a document for a task, by gradient descent.

    The formulas are those of ``torch.optim`` with its default options, and the losses
    average over all numbers that are compared, or over the rows; a run equals PyTorch's
    in double precision. Adam takes steps even if a gradient is 0 up to rounding,
    as that on b_K is under softmax: there the last digits of a library decide.

    Parameters
    ----------
    document : Document
        The document; it does not change.
    task : Task
        What is learned: what a function of `attnviewer.tasks` returns.
    free : iterable of str
        The matrices that may change: any inputs of the variant except the mask, and
        ``readout`` where the task has one. Those that the loss does not depend on stay
        as they are.
    optimizer : {"sgd", "momentum", "adam", "adamw"}
        The optimiser.
    lr : float
        The learning rate.
    steps : int
        How many steps the run has.
    seed : int
        What random sequences, and a readout that is not given, are drawn with.
    batch : int, optional
        How many random sequences each step has, as long as the document and made of
        its tokens, drawn uniformly; an embedding is that of the token's first
        occurrence. By default, the document's own tokens in every step.
    **optimizer_options : float
        ``gamma``, by which the learning rate is multiplied after each step, 1 by
        default; ``weight_decay``; ``momentum`` of momentum; ``betas``, or ``beta1`` and
        ``beta2``, and ``eps`` of Adam and AdamW.

    Returns
    -------
    Training
        The run, of which no step was taken yet.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If a matrix, the optimiser or an option is not known; if the task does not fit
        the document; if nothing that is free can be learned, because the loss does
        not depend on it or hardmax lets no gradient pass; or if there are more than
        2²² scores, as of one head and more than 2,048 tokens.

    Examples
    --------
    >>> import attnviewer
    >>> document = attnviewer.load_example("look-back")
    >>> training = attnviewer.train(document, attnviewer.tasks.copy_previous())
    >>> after = training.document(300).compute()["weights"]
    >>> bool((after[range(1, 8), range(7)] > 0.9).all())
    True
    """
    if not isinstance(document, Document):
        raise TypeError(
            "The 'document' must be a Document, such as load_example('look-back'). "
            f"Got {type(document).__name__} instead."
        )
    if not isinstance(task, Task):
        raise TypeError(
            "The 'task' must be one of attnviewer.tasks, such as "
            f"tasks.copy_previous(). Got {type(task).__name__} instead."
        )
    _check_mistakes(document)
    check_name("optimizer", optimizer, OPTIMIZERS)
    options = checked_options(optimizer, optimizer_options)
    rate = positive_number("lr", lr)
    count = whole_number("steps", steps, 1)
    _check_batch(document, batch)
    start = copy(document)
    _check_size(start, batch or 1)
    sequences = Sequences(start, batch, whole_number("seed", seed, 0))
    setting = _setting(start, sequences)
    goal = task.on(setting)
    names = _free_names(start, goal, free)
    matrices = {name: start.matrix(name) for name in start.spec.input_names}
    loss_of = LossOf(start.spec, matrices, goal, names, sequences)
    _check_learnable(setting, goal, names, loss_of)
    return Training(
        Plan(
            start, task, setting, goal, loss_of, names, optimizer, rate, options, count
        )
    )


def _check_mistakes(document: Document) -> None:
    for slip in document.spec.mistakes:
        raise ValueError(
            "The 'document' must compute without mistakes to be trained, as there is "
            f"no gradient through them. Got '{slip.id}' instead."
        )


def _check_batch(document: Document, batch: int | None) -> None:
    if batch is None:
        return
    whole_number("batch", batch, 1)
    if document.spec.given:
        raise ValueError(
            "The 'batch' must be none where queries, keys and values are given: there "
            f"are no embeddings of tokens to look up. Got {batch} instead."
        )
    if any(pin.enabled for pin in document.pins):
        raise ValueError(
            "The 'batch' must be none where cells are pinned, which are those of the "
            f"document's own tokens. Got {batch} instead."
        )


def _check_size(document: Document, batch: int) -> None:
    n_queries, n_keys = map(len, document.labels)
    n_scores = batch * document.spec.n_heads * n_queries * n_keys
    if n_scores > MOST_SCORES:
        raise ValueError(
            f"The document must have at most {MOST_SCORES} scores to be trained, over "
            f"all heads and the batch: {int(MOST_SCORES**0.5)} tokens with one head. "
            f"Got {n_scores} instead."
        )


def _setting(document: Document, sequences: Sequences) -> Setting:
    trace = document.compute()
    n_queries, n_keys = map(len, document.labels)
    pipeline = trace.pipeline
    last = (pipeline.comparison, *pipeline.on_scores)[-1]
    scores = trace[last.name]  # (..., n_q, n_keys)
    hidden = np.isneginf(scores).reshape(-1, *scores.shape[-2:])  # (h, n_q, n_keys)
    seen = ~np.any(hidden, axis=0)  # (n_q, n_keys)
    weights = pipeline.weights
    return Setting(
        document.spec,
        weights,
        trace.stages[weights].signed,
        {name: trace.shape(name) for name in (weights, "output")},
        seen[:n_queries, :n_keys],
        sequences,
    )


def _free_names(document: Document, goal: Goal, free: Iterable[str]) -> tuple[str, ...]:
    known = [name for name in document.spec.input_names if name != MASK]
    if goal.readout is not None:
        known.append(READOUT)
    names = (free,) if isinstance(free, str) else tuple(dict.fromkeys(free))
    if not names:
        raise ValueError(
            f"The 'free' must name at least one of {', '.join(known)}. Got none "
            "instead."
        )
    for name in names:
        if name == MASK:
            raise ValueError(
                "The 'free' must name matrices of numbers, which can change by little. "
                "Got 'mask' instead."
            )
        check_name("free", name, known)
    return names


def _check_learnable(
    setting: Setting, goal: Goal, names: tuple[str, ...], loss_of: LossOf
) -> None:
    """Check that the gradient of the loss on some free matrix is not always 0."""
    if not loss_of.trained:
        of_weights = goal.step == setting.weights
        raise ValueError(
            "The 'free' must name a matrix on which the "
            f"{'weights' if of_weights else goal.step} of the task "
            f"depend{'' if of_weights else 's'}. "
            f"Got {', '.join(names)} instead."
        )
    for normalize in loss_of.normalizing:
        stuck = loss_of.trained_before(normalize.name)
        if stuck and not normalize.normalizer.has_gradient:
            raise ValueError(
                "The 'free' must name no matrix that acts through the weights where "
                f"the normaliser is {normalize.normalizer.title}, whose gradient is 0. "
                f"Got {', '.join(stuck)} instead."
            )
