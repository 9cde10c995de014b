"""One number of an implementation worked out twice."""

from dataclasses import replace

import numpy as np
import pytest

import attnviewer
from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.compute.mistakes.catalogue import CATALOGUE
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.html import as_html
from attnviewer.doctor.markdown import as_markdown
from attnviewer.doctor.reading import read_case
from attnviewer.doctor.worked_cell import worked_cells
from tests.doctor.reading.layer import inputs, one, steps

GIVEN = inputs()
RIGHT = one(steps(GIVEN, causal=True))
SEEN = np.tri(5, dtype=bool)


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _diagnosed(**mine):
    return attnviewer.diagnose(GIVEN, mine, n_heads=2, causal=True)


def test_a_weight_is_worked_out_with_the_mistake_and_without() -> None:
    mine = _softmax(np.where(SEEN, RIGHT["scores"], -np.inf))
    made, seen = worked_cells(_diagnosed(weights=mine))
    off = np.abs(mine - RIGHT["weights"])
    head, row, column = (int(k) for k in np.unravel_index(off.argmax(), off.shape))
    place = f"[{head}, {row}, {column}]"
    assert (made.title, seen.title) == (f"scaled{place}", f"weights{place}")
    assert made.theirs.value == pytest.approx(RIGHT["scores"][head, row, column])
    assert made.theirs.formula == f"scores{place}"
    assert made.right.formula.endswith(" / √6")
    assert seen.theirs.value == mine[head, row, column]
    assert seen.right.value == pytest.approx(RIGHT["weights"][head, row, column])
    assert seen.theirs.formula.startswith("e^(")
    assert seen.theirs.formula != seen.right.formula


def test_a_formula_is_only_written_where_it_gives_the_number() -> None:
    """No step before a softmax over queries differs, and the rule is another."""
    powers = np.exp(np.where(SEEN, RIGHT["scaled"], -np.inf))
    mine = powers / powers.sum(axis=-2, keepdims=True)
    (cell,) = worked_cells(_diagnosed(weights=mine))
    assert cell.theirs.formula == ""
    assert cell.right.formula.startswith("e^(")


def test_a_masked_cell_says_why() -> None:
    made, _ = worked_cells(_diagnosed(weights=_softmax(RIGHT["scaled"])))
    assert made.title.startswith("masked[")
    assert made.right.value == -np.inf
    assert str(made.right) == "−∞ (Masked: the key comes after the query.)"


@pytest.mark.usefixtures("few_mistakes")
def test_what_nothing_explains_is_worked_out_right() -> None:
    wrong = RIGHT["weights"].copy()
    wrong[1, 3, 0] = 0.7
    (cell,) = worked_cells(_diagnosed(weights=wrong))
    assert cell.title == "weights[1, 3, 0]"
    assert str(cell.theirs) == "0.7000"
    assert cell.right.formula


def test_what_agrees_has_none() -> None:
    assert worked_cells(_diagnosed(output=RIGHT["output"])) == ()


def test_arrays_of_two_shapes_have_none() -> None:
    given = {name: array for name, array in GIVEN.items() if name != "W_O"}
    mean = RIGHT["heads"].mean(axis=0)
    diagnosis = attnviewer.diagnose(given, {"output": mean}, n_heads=2, causal=True)
    assert worked_cells(diagnosis) == ()


def test_each_form_shows_both_sides() -> None:
    diagnosis = _diagnosed(weights=_softmax(np.where(SEEN, RIGHT["scores"], -np.inf)))
    cells = worked_cells(diagnosis)
    for text in (str(diagnosis), as_html(diagnosis)):
        for cell in cells:
            assert cell.title in text
            assert str(cell.theirs) in text
            assert str(cell.right) in text
    assert f"`{cells[0].title}`" in as_markdown(diagnosis)


def _cases():
    many = inputs(n=4, h=4, kv=2, batch=2)
    plain = {name: array for name, array in many.items() if name != "W_O"}
    meant = {"n_heads": 4, "n_kv_heads": 2, "causal": True}
    yield many, {**meant, "positions": "rope"}
    yield plain, {**meant, "positions": "alibi", "softcap": 5.0}
    yield inputs(d_model=12), {"n_heads": 2, "window": 3, "positions": "sinusoidal"}


@pytest.mark.parametrize(("given", "meant"), [*_cases()])
def test_every_mistake_of_the_catalogue_can_be_worked_out(given, meant) -> None:
    case = read_case(given, {"output": _zeros(given)}, **meant)
    found = diagnose_case(replace(case, thorough=False))
    right = Evaluation(found.plan, found.inputs)
    tried = 0
    for mistake in CATALOGUE:
        for variation in mistake.variations(found.plan):
            wrong = Evaluation(variation.plan, found.inputs)
            try:
                fits = wrong["output"].shape == right["output"].shape
            except UnfitError:
                continue
            if fits and not np.allclose(wrong["output"], right["output"]):
                mine = {"output": wrong["output"]}
                findings = (_Finding("output", variation.plan),)
                cells = worked_cells(replace(found, mine=mine, findings=findings))
                tried += 1
                assert cells[-1].theirs.value != cells[-1].right.value, mistake.id
    assert tried > 20


class _Finding:
    def __init__(self, step, plan):
        self.step, self.plan = step, plan


def _zeros(given):
    """Return an output that no mistake gives."""
    *lead, _ = given["X"].shape
    width = given["W_O"].shape[1] if "W_O" in given else given["W_Q"].shape[1]
    return np.zeros((*lead, width))
