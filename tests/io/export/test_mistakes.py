"""Exports of a computation with a mistake: its numbers, and nothing that is right."""

import json

import numpy as np
import pytest

from attnviewer.io.export import Choice, Computation, export
from tests.mistaken import MISTAKES, by_hand, with_mistake


@pytest.mark.parametrize("mistake", MISTAKES)
def test_numbers_are_those_of_the_mistake(tmp_path, mistake) -> None:
    made = with_mistake(mistake)
    computation, want = Computation.of(made), by_hand(mistake, made.inputs())
    export(computation, tmp_path / "a.npz", "npz")
    with np.load(tmp_path / "a.npz") as found:
        np.testing.assert_allclose(found["weights"], want["weights"], atol=1e-12)
        np.testing.assert_allclose(found["output"], want["output"], atol=1e-12)
    export(computation, tmp_path / "a.json", "json")
    text = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert mistake in json.dumps(text)
    export(
        computation, tmp_path / "a.csv", "csv", Choice(steps=("output",), headers=False)
    )
    lines = (tmp_path / "a.csv").read_text(encoding="utf-8")
    numbers = [
        [float(cell) for cell in line.split(",")]
        for line in lines.splitlines()
        if line and not line.startswith("#")
    ]
    np.testing.assert_allclose(numbers, want["output"], atol=1e-12)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("py", "program"),
        ("ipynb", "program"),
        ("torch", "program"),
        ("tex", "worked steps"),
        ("md", "worked steps"),
    ],
)
def test_what_would_compute_or_derive_the_right_numbers_is_refused(
    tmp_path, name, what
) -> None:
    computation = Computation.of(with_mistake("scale-missing"))
    with pytest.raises(ValueError, match=f"no {what} for a computation with a mistake"):
        export(computation, tmp_path / "a", name)
    assert not list(tmp_path.iterdir())


def test_a_workbook_has_numbers_but_no_formulas(tmp_path) -> None:
    computation = Computation.of(with_mistake("scale-missing"))
    export(computation, tmp_path / "a.xlsx", "xlsx")
    with pytest.raises(ValueError, match="no formulas for a computation with"):
        export(computation, tmp_path / "b.xlsx", "xlsx", Choice(formulas=True))
    assert [path.name for path in tmp_path.iterdir()] == ["a.xlsx"]
