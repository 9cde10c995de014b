"""Pinned cells are held while the rest is trained."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import Pin, tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document
from tests.io.export.running import run_alone

_PINS = {
    "set": Pin("scores", 1, 2, 3.0, how="set"),
    "add": Pin("Q", slice(0, 2), 1, -0.5, how="add"),
    "scale": Pin("output", [0, 2], slice(None), 2.0, how="scale"),
    "of-a-head": Pin("weights", 0, 1, 0.25, head=1),
    "share": Pin("weights", 2, 0, 0.5, rest="share"),
    "heads": Pin("heads", 1, 0, 1.5, head=0, how="scale"),
}


def _document(*pins: Pin) -> Document:
    rng = np.random.default_rng(4)
    matrices = {name: rng.normal(size=(4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
    matrices["W_O"] = rng.normal(size=(4, 4))
    spec = Spec(n_heads=2, output_projection=True, pins=pins)
    return Document("Pinned", "abcd", matrices, spec)


@pytest.mark.parametrize("name", _PINS)
def test_gradients_stop_pass_and_scale_at_pins(name: str, tmp_path: Path) -> None:
    """The script's own gradients are the oracle."""
    document = _document(_PINS[name])
    task = tasks.match("output", np.eye(4))
    training, free = (
        train(each, task, steps=20, optimizer="sgd", lr=0.01)
        for each in (document, _document())
    )
    assert len(list(training)) == len(list(free)) == 20
    assert training.losses != free.losses
    path = tmp_path / "pinned.py"
    path.write_text(training.script(), encoding="utf-8")
    ((error, said),) = run_alone([path])
    assert error is None, said


def test_several_pins_act_together(tmp_path: Path) -> None:
    task = tasks.match("output", np.eye(4))
    training = train(_document(*_PINS.values()), task, steps=20)
    path = tmp_path / "pinned.py"
    path.write_text(training.script(), encoding="utf-8")
    ((error, said),) = run_alone([path])
    assert error is None, said


def test_a_pinned_cell_keeps_its_number_all_along() -> None:
    pin = Pin("weights", 0, 1, 0.25, head=1)
    training = train(_document(pin), tasks.reverse("mse"), steps=30, lr=0.05)
    after = training.document(30)
    assert after.pins == (pin,)
    assert after.compute()["weights"][1, 0, 1] == 0.25


def test_random_sequences_are_refused_where_cells_are_pinned() -> None:
    pin = Pin("weights", 0, 1, 0.25)
    with pytest.raises(ValueError, match=r"where cells are pinned, .* Got 3 instead"):
        train(_document(pin), tasks.reverse(), batch=3)
