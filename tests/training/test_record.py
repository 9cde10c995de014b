"""A run that is taken over is one edit, with the record of how it was made."""

from copy import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import attnviewer
from attnviewer import tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document, TrainingRecord
from attnviewer.training import Task
from attnviewer.training.optimizers import OPTIMIZERS
from tests.documents import state_of

NAMES = ("X", "W_Q", "W_K", "W_V")
TASKS = (tasks.copy_previous(), tasks.reverse("mse"), tasks.same_token())


def small(seed: int, n: int, heads: int) -> Document:
    rng = np.random.default_rng(seed)
    shapes = {"X": (n, 3), **dict.fromkeys(NAMES[1:], (3, 2 * heads))}
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    matrices["X"][0, 0] = -0.0
    tokens = [str(k % 3) for k in range(n)]
    return Document("Small", tokens, matrices, Spec(n_heads=heads))


@given(
    seed=st.integers(0, 2**32),
    n=st.integers(2, 6),
    heads=st.sampled_from([1, 2]),
    task=st.sampled_from(TASKS),
    optimizer=st.sampled_from(sorted(OPTIMIZERS)),
    free=st.lists(st.sampled_from(NAMES[:3]), min_size=1, unique=True),
    steps=st.integers(1, 6),
    before=st.booleans(),
    data=st.data(),
)
@settings(max_examples=40, deadline=None)
def test_a_run_is_one_edit_that_is_undone_bit_for_bit(
    seed, n, heads, task, optimizer, free, steps, before, data
) -> None:
    document = small(seed, n, heads)
    if before:
        document.apply(train(document, tasks.reverse(), steps=1).edit(1))
    training = train(document, task, free=free, optimizer=optimizer, steps=steps)
    kept = data.draw(st.integers(1, steps), label="kept")
    changes: list[object] = []
    document.changed.connect(changes.append)
    state, record = state_of(document), document.training
    undo = document.apply(training.edit(kept))
    assert len(changes) == 1
    after, new = state_of(document), document.training
    assert new is not None
    assert (new.kept, new.earlier) == (kept, int(before))
    assert (after, new) == (
        state_of(training.document(kept)),
        training.document(kept).training,
    )
    redo = document.apply(undo)
    assert (state_of(document), document.training) == (state, record)
    document.apply(redo)
    assert (state_of(document), document.training) == (after, new)


def test_a_record_holds_the_whole_run() -> None:
    document = attnviewer.load_example("look-back")
    training = train(
        document,
        tasks.copy_previous("mse"),
        free=("W_Q", "W_V"),
        optimizer="momentum",
        lr=0.05,
        steps=9,
        seed=4,
        batch=3,
        weight_decay=0.25,
    )
    record = training.document(6).training
    assert isinstance(record, TrainingRecord)
    assert record.task == "attend to the token before"
    assert record.call == "copy_previous(loss='mse')"
    assert (record.optimizer, record.lr) == ("momentum", 0.05)
    assert dict(record.options) == dict(training.plan.options)
    assert dict(record.options)["weight_decay"] == 0.25
    assert (record.seed, record.batch) == (4, 3)
    assert (record.steps, record.kept) == (9, 6)
    assert record.free == ("W_Q", "W_V")
    assert [name for name, _ in record.trained] == ["W_Q"]  # W_V has no part in it
    assert record.first_loss == training.step(1).loss
    assert record.last_loss == training.step(7).loss
    last = training.document(9).training
    assert last is not None
    assert last.last_loss == training.losses[-1]


@pytest.mark.parametrize(
    "task",
    [
        tasks.match("output", np.eye(4, 3)),
        tasks.match("weights", np.eye(4), loss="cross_entropy"),
        tasks.copy_previous(),
        tasks.same_token("mse"),
        tasks.reverse(),
        tasks.next_token(),
    ],
    ids=lambda task: task.call,
)
def test_the_call_of_a_record_makes_the_task_again(task: Task) -> None:
    document = attnviewer.load_example("four-words")
    known = {name: getattr(tasks, name) for name in tasks.__all__}
    again = eval(task.call, {**known, "target": getattr(task, "target", None)})
    losses = [train(document, t, steps=2).losses for t in (task, again)]
    assert losses[0] == losses[1]
    assert again.call == task.call


def test_the_start_tells_apart_what_a_run_depends_on() -> None:
    document = attnviewer.load_example("four-words")
    moved = copy(document)
    moved.apply(train(document, tasks.reverse(), steps=1).edit(1))

    def start(document: Document, task: Task, **how) -> str:
        record = train(document, task, steps=1, **how).document(1).training
        assert record is not None
        return record.start

    first = start(document, tasks.reverse())
    assert start(copy(document), tasks.reverse(), lr=0.5) == first
    others = [
        start(document, tasks.copy_previous()),
        start(moved, tasks.reverse()),
        start(document, tasks.match("output", np.eye(4, 3))),
        start(document, tasks.match("output", 2 * np.eye(4, 3))),
        start(document, tasks.next_token(), seed=0),
        start(document, tasks.next_token(), seed=1),
    ]
    assert len({first, *others}) == 1 + len(others)


@pytest.mark.parametrize("free", [("W_V",), ("W_V", "readout")])
def test_a_record_keeps_the_readout_as_the_run_left_it(free) -> None:
    document = attnviewer.load_example("four-words")
    given = np.random.default_rng(3).normal(size=(3, 4))
    training = train(document, tasks.next_token(given), free=free, steps=5)
    document.apply(training.edit(4))
    record = document.training
    assert record is not None
    readout = record.readout
    assert readout is not None
    assert np.array_equal(readout, training.matrices(4)["readout"])
    assert np.array_equal(readout, given) == (free == ("W_V",))
    # By hand: with it the document's output has the loss that the record tells of.
    logits = document.compute()["output"][:-1] @ readout  # (3, 4)
    logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert record.last_loss == pytest.approx(-np.mean(np.diag(logits, 1)[:3]))
    assert "readout of 3 × 4 numbers" in record.words(document.matrices)
    with pytest.raises(ValueError, match="read-only"):
        readout[0, 0] = 1.0


def test_other_tasks_leave_no_readout_in_the_record() -> None:
    document = attnviewer.load_example("four-words")
    document.apply(train(document, tasks.next_token(), steps=1).edit(1))
    document.apply(train(document, tasks.reverse(), steps=1).edit(1))
    assert document.training is not None
    assert document.training.readout is None


def test_the_state_before_the_first_step_was_not_trained() -> None:
    document = attnviewer.load_example("look-back")
    training = train(document, tasks.copy_previous(), steps=3)
    assert training.document(0).training is None
    document.apply(training.edit(2))
    again = train(document, tasks.copy_previous(), steps=3)
    assert again.document(0).training == document.training
