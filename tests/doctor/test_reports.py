"""A diagnosis as HTML and as Markdown shows the first step that differs."""

import numpy as np
import pytest

from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.first_step import FirstStep
from attnviewer.doctor.html import as_html
from attnviewer.doctor.markdown import as_markdown
from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import inputs, one, steps

GIVEN = inputs()
RIGHT = one(steps(GIVEN, causal=True))


def _diagnosed(**mine):
    return diagnose_case(read_case(GIVEN, mine, n_heads=2, causal=True))


@pytest.mark.usefixtures("few_mistakes")
def test_the_head_that_differs_most_is_shown() -> None:
    wrong = RIGHT["weights"].copy()
    wrong[1, 3, 2] += 0.25
    shown = FirstStep.of(_diagnosed(weights=wrong))
    assert shown is not None
    assert shown.title == "weights, head 1"
    np.testing.assert_array_equal(shown.theirs, wrong[1])
    np.testing.assert_allclose(shown.right, RIGHT["weights"][1])
    expected = np.zeros((5, 5))
    expected[3, 2] = 0.25
    np.testing.assert_allclose(shown.difference, expected, atol=1e-12)


@pytest.mark.usefixtures("few_mistakes")
def test_rounding_is_no_difference() -> None:
    wrong = RIGHT["weights"].astype(np.float32)
    wrong[0, 4, 0] = 0.5
    shown = FirstStep.of(_diagnosed(weights=wrong))
    assert np.count_nonzero(shown.difference) == 1


@pytest.mark.usefixtures("few_mistakes")
def test_batch_items_have_numbers() -> None:
    given = inputs(batch=3)
    wrong = steps(given)["weights"].copy()
    wrong[2, 0, 1] = 0.2
    case = read_case(given, {"weights": wrong}, n_heads=2)
    shown = FirstStep.of(diagnose_case(case))
    assert shown.title == "weights, batch item 2, head 0"


def test_arrays_of_two_shapes_have_no_difference() -> None:
    given = {n: a for n, a in GIVEN.items() if n != "W_O"}
    mean = RIGHT["heads"].mean(axis=0)
    diagnosis = diagnose_case(
        read_case(given, {"output": mean}, n_heads=2, causal=True)
    )
    shown = FirstStep.of(diagnosis)
    assert shown.difference is None
    assert (shown.theirs.shape, shown.right.shape) == ((5, 6), (5, 12))
    assert "heads-averaged" in as_markdown(diagnosis)
    assert "<small>difference</small>" not in as_html(diagnosis)


def test_what_agrees_shows_no_numbers() -> None:
    diagnosis = _diagnosed(output=RIGHT["output"])
    assert FirstStep.of(diagnosis) is None
    assert "<table" not in as_html(diagnosis)
    assert "|---" not in as_markdown(diagnosis)


@pytest.mark.parametrize("form", [as_html, as_markdown])
def test_both_forms_say_the_same(form) -> None:
    masked = np.where(np.isinf(RIGHT["masked"]), -np.inf, RIGHT["scores"])
    powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
    mine = powers / powers.sum(axis=-1, keepdims=True)
    diagnosis = _diagnosed(attn_weights=mine)
    text = form(diagnosis)
    finding = diagnosis.findings[0]
    assert finding.id == "scale-missing"
    for words in (finding.id, finding.title, finding.torch.right, "How it was read"):
        assert words in text
    assert f"{mine[0, 3, 1]:.4f}" in text


def test_jupyter_shows_the_html() -> None:
    diagnosis = _diagnosed(output=RIGHT["output"])
    assert diagnosis._repr_html_() == as_html(diagnosis)


def test_markdown_takes_names_as_text() -> None:
    given = GIVEN | {"*bold* <b>": np.ones(2)}
    case = read_case(given, {"output": RIGHT["output"]}, n_heads=2, causal=True)
    text = as_markdown(diagnose_case(case))
    assert r"\*bold\* \<b\>" in text


@pytest.mark.usefixtures("few_mistakes")
def test_long_tables_tell_what_is_left_out() -> None:
    given = inputs(n=20)
    wrong = steps(given)["weights"] * 1.5
    case = read_case(given, {"weights": wrong}, n_heads=2)
    assert "Of 20 rows and 20 columns." in as_markdown(diagnose_case(case))
