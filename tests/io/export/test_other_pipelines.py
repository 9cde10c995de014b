"""Pipelines of stages that the product does not have are exported as its own are."""

import numpy as np
import pytest

from attnviewer.compute import run
from attnviewer.document import Labels
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.export.parts import chosen_matrices
from attnviewer.io.export.program import program
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.stage_code import stage_code
from attnviewer.io.export.xlsx.layout import Layout
from tests.compute.other_pipelines import (
    CHANGES,
    SPEC,
    N,
    have_built,
    oracle,
    random_inputs,
)
from tests.compute.other_stages import Subtract

from .running import run_alone
from .spreadsheet import Spreadsheet

TOKENS = tuple("abcdefg"[:N])


def _computation(inputs) -> Computation:
    return Computation("A title", Labels(TOKENS, TOKENS), run(SPEC, inputs))


@pytest.fixture(params=CHANGES)
def kind(request, monkeypatch) -> str:
    have_built(monkeypatch, request.param)
    return request.param


@pytest.fixture
def computation(kind) -> Computation:
    return _computation(random_inputs())


def test_numbers_are_those_of_numpy(kind, computation, tmp_path) -> None:
    want, step = oracle(kind, random_inputs()), computation.trace.pipeline.weights
    export(computation, tmp_path / "all.npz", "npz")
    with np.load(tmp_path / "all.npz") as steps:
        np.testing.assert_allclose(steps[step], want["mixed by"], atol=1e-14)
        np.testing.assert_allclose(steps["output"], want["output"], atol=1e-13)


@pytest.mark.parametrize("format", ["csv", "json", "md", "tex"])
def test_texts_have_every_step(format, computation, tmp_path) -> None:
    paths = export(computation, tmp_path, format)
    text = "\n".join(path.name + path.read_text(encoding="utf-8") for path in paths)
    for step in computation.trace:
        assert step in text.replace("\\_", "_")


# Those whose explanations name the cells of all numbers.
@pytest.mark.parametrize("kind", ["differential", "held", "linear"], indirect=True)
def test_a_workbook_follows_a_change_by_its_formulas(computation, tmp_path) -> None:
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    inputs = random_inputs()
    # Positive where it was, so that explained formulas have the same form.
    sheets.change("X", 1, 1, inputs["X"][1, 1] * 1.001)
    inputs["X"][1, 1] *= 1.001
    changed = _computation(inputs).trace
    assert not np.array_equal(changed["output"], computation.trace["output"])
    found = chosen_matrices(changed, Choice())
    for (step, head), name in Layout(changed, found, True).sheets.items():
        want = changed[step] if changed[step].ndim == 2 else changed[step][head or 0]
        got = sheets.matrix(name)
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13, err_msg=name)


def test_the_notes_of_a_workbook_name_a_helper_sheet_for_each_normaliser(
    kind, computation, tmp_path
) -> None:
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    (note,) = (
        text
        for text in Spreadsheet(tmp_path / "a.xlsx").texts("About")
        if text.startswith("Numbers can be changed")
    )
    names = [f"'towards {s.name}'" for s in computation.trace.pipeline.normalizing]
    assert ("The sheets" in note) is bool(names)
    assert " and ".join(names) in note


@pytest.mark.parametrize(
    ("kind", "stage"),
    [
        ("gated", "Gate"),
        ("squared", "Squares"),
        ("differential", "Subtract"),
        ("held", "Hold"),
        ("linear", "Unfolded"),
    ],
    indirect=["kind"],
)
def test_a_program_refuses_a_stage_without_code_by_its_name(
    stage, computation, tmp_path
) -> None:
    with pytest.raises(ValueError, match=stage):
        export(computation, tmp_path / "a.py", "py")


def test_a_program_computes_both_maps_of_differential_attention(
    monkeypatch, tmp_path
) -> None:
    def code(stage, steps, library) -> list[str]:
        if not isinstance(stage, Subtract):
            return stage_code(stage, steps, library)
        first, second = map(variable, stage.inputs)
        return [f"{variable(stage.name)} = {first} - {stage.factor} * {second}"]

    monkeypatch.setattr(program, "stage_code", code)
    have_built(monkeypatch, "differential")
    export(_computation(random_inputs()), tmp_path / "a.py", "py")
    ((error, printed),) = run_alone([tmp_path / "a.py"])
    assert error is None, printed
    # Every step is checked by the program itself, as in those of the product.
    text = (tmp_path / "a.py").read_text(encoding="utf-8")
    for step in ("weights 1", "weights 2", "weights", "output"):
        assert f'check("{step}"' in text
