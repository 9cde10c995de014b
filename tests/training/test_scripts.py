"""Runs as scripts and notebooks, run where there is nothing but the library."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import attnviewer
from attnviewer import tasks
from attnviewer.training import Training
from tests.io.export.running import RUN, run_alone
from tests.training.cases import CASES
from tests.training.documents import training_of

_NAMES = [
    "output-sgd",
    "output-sinks",
    "output-gated",
    "output-gated_heads",
    "output_logits-momentum",
    "weights_logs-adamw",
    "next_token-sgd",
    "decay-adam",
    "decay-momentum",
    "gamma-sgd",
    "gamma-momentum",
    "gamma-adam",
    "gamma-adamw",
    "output-all_of_heads",
    "output-grouped",
    "output-cross_heads",
    "output-learned",
    "output-rotary",
    "output-alibi",
    "output-bias_and_cap",
    "output-softmax1",
    "output-sigmoid",
    "output-sparsemax",
    "output-entmax15",
    "output-sum",
    "output-none",
    "output-cosine",
    "output-general",
    "output-additive",
    "copy_previous-mse-rotary",
    "same_token-cross",
    "batch-same_token",
    "batch-next_token",
    "batch-cross",
]
_STEPS = 25


def _run_of(name: str) -> Training:
    training = training_of(CASES[name], _STEPS)
    assert len(list(training)) == _STEPS
    return training


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scripts")


def _written(folder: Path, library: str) -> dict[str, Path]:
    paths = {name: folder / f"{name}.{library}.py" for name in _NAMES}
    for name, path in paths.items():
        path.write_text(_run_of(name).script(library), encoding="utf-8")
    return paths


def _run_with_torch(paths: list[Path]) -> list[tuple[str | None, str]]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{RUN}", *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(result) for result in json.loads(done.stdout)]


@pytest.fixture(scope="module")
def said_with_numpy(folder: Path) -> dict[str, tuple[str | None, str]]:
    paths = _written(folder, "numpy")
    return dict(zip(paths, run_alone(list(paths.values())), strict=True))


@pytest.mark.parametrize("name", _NAMES)
def test_a_numpy_script_takes_the_same_steps_alone(name, said_with_numpy) -> None:
    error, said = said_with_numpy[name]
    assert error is None, said
    losses = training_of(CASES[name], _STEPS)
    first, last = losses.step(1).loss, losses.step(_STEPS).loss
    assert said == f"loss: {first:.6g} at first, {last:.6g} at last\n"


def _with_a_wrong_loss(folder: Path, library: str) -> Path:
    training = _run_of("output-sgd")
    right = repr(training.step(_STEPS).loss)
    script = training.script(library)
    assert script.count(right) == 1
    path = folder / f"wrong.{library}.py"
    path.write_text(script.replace(right, repr(training.step(_STEPS).loss * 1.0001)))
    return path


def test_torch_scripts_take_the_same_steps_and_notice_a_wrong_loss(
    folder: Path,
) -> None:
    pytest.importorskip("torch")
    paths = _written(folder, "torch")
    wrong = _with_a_wrong_loss(folder, "torch")
    *results, (error, _) = _run_with_torch([*paths.values(), wrong])
    assert len(results) == len(_NAMES)
    assert [said for error, said in results if error] == []
    assert error == "AssertionError"


def test_a_torch_script_uses_torchs_own_optimiser_and_gradients() -> None:
    script = _run_of("decay-adam").script("torch")
    compile(script, "script", "exec")
    assert "torch.optim.Adam(" in script
    assert "betas=(0.8, 0.99)" in script
    assert "loss.backward()" in script
    assert "import numpy" not in script


def test_a_wrong_loss_is_noticed(tmp_path: Path) -> None:
    ((error, _),) = run_alone([_with_a_wrong_loss(tmp_path, "numpy")])
    assert error == "AssertionError"


def test_a_notebook_repeats_the_run_cell_by_cell(tmp_path: Path) -> None:
    training = _run_of("batch-same_token")
    notebook = nbformat.reads(training.notebook(), as_version=4)
    nbformat.validate(notebook)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    path = tmp_path / "cells.py"
    path.write_text("\n\n".join(cells), encoding="utf-8")
    assert run_alone([path])[0][0] is None
    words = "".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert "attend to the same token" in words
    assert "3 random sequences each step" in words


def test_a_script_has_the_steps_that_were_taken_or_all() -> None:
    document = attnviewer.load_example("four-words")
    task = tasks.copy_previous()
    training = attnviewer.train(document, task, steps=40)
    for step in training:
        if step.index == 7:
            break
    assert "range(1, 7 + 1)" in training.script()
    untouched = attnviewer.train(document, task, steps=40)
    assert "range(1, 40 + 1)" in untouched.script()


def test_a_run_without_a_step_has_no_script() -> None:
    document = attnviewer.load_example("four-words")
    training = attnviewer.train(document, tasks.copy_previous(), lr=1e9)
    with pytest.raises(ValueError, match=r"must have at least one step .* W_Q grew"):
        training.script()


def test_an_unknown_library_is_refused() -> None:
    training = _run_of("output-sgd")
    with pytest.raises(ValueError, match="'library' must be one of numpy, torch"):
        training.script("jax")


def test_a_title_cannot_leave_the_docstring(tmp_path: Path) -> None:
    document = attnviewer.load_example("look-back")
    retitled = attnviewer.Document(
        'A """ title \\', document.tokens, document.matrices, document.spec
    )
    training = attnviewer.train(retitled, tasks.reverse(), steps=2)
    path = tmp_path / "titled.py"
    path.write_text(training.script(), encoding="utf-8")
    assert run_alone([path])[0][0] is None
