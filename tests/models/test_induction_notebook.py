"""The bundled notebook on the bundled model: what its text says is what it computes."""

import ast
import json

import numpy as np
import pytest

from attnviewer.models import Site
from attnviewer.paths import resource

_PATH = resource("notebooks", "find_an_induction_head.ipynb")


@pytest.fixture(scope="module")
def cells() -> list[tuple[str, str]]:
    notebook = json.loads(_PATH.read_text("utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


@pytest.fixture(scope="module")
def after(cells) -> dict[str, object]:
    """Return what its names stand for after all cells ran; displays what they show."""
    names: dict[str, object] = {}
    for kind, source in cells:
        if kind == "code":
            *lines, last = ast.parse(source).body
            exec(compile(ast.Module(lines, []), _PATH.name, "exec"), names)
            assert isinstance(last, ast.Expr), source
            shown = eval(compile(ast.Expression(last.value), _PATH.name, "eval"), names)
            if hasattr(shown, "_repr_html_"):
                assert shown._repr_html_()
    return names


def test_the_text_names_the_heads_that_are_found(cells, after) -> None:
    text = "\n".join(source for kind, source in cells if kind == "markdown")
    assert "most of the logit is gone" in text
    assert "**L1 H2**" in text
    assert "**L0 H3**" in text
    effects = after["under"](after["run"]) - after["ablated"].values  # (layers, heads)
    assert np.argsort(-effects.ravel())[:2].tolist() == [3, 6]  # L0 H3, L1 H2
    assert np.sort(effects.ravel())[:6].max() < 0.2
    assert (after["previous"].layer, after["previous"].head) == (0, 3)
    assert np.unravel_index(after["attribution"].heads.argmax(), effects.shape) == (
        1,
        2,
    )


def test_the_four_heads_of_layer_1_look_at_what_came_next(after) -> None:
    first = after["by_induction"][:4]
    assert {row[:2] for row in first} == {(1, head) for head in range(4)}
    assert [row.induction for row in first] == pytest.approx([5 / 13] * 4, abs=2e-3)
    assert after["run"].next_tokens(1)[0].token == "under"


def test_the_score_is_that_of_a_token_that_meets_the_previous_token_head(after) -> None:
    (largest,) = after["parts"].pairs(1)
    assert (largest.query.kind, str(largest.key)) == ("token", "L0 H3")
    assert largest.value == pytest.approx(after["parts"].score, rel=0.1)


def test_patching_either_head_brings_the_word_back(after) -> None:
    heads, weights = after["patched"].values, after["patched_weights"].values
    assert heads[0, 3] == pytest.approx(1, abs=0.02)
    assert heads[1, 2] > 0.8
    assert weights[0, 3] == pytest.approx(0, abs=0.01)
    assert weights[1, 2] > 0.8
    assert after["rows"][0][5] > 0.99
    assert after["rows"][1][5] < 0.1


def test_the_other_heads_of_layer_1_are_idle_and_look_alike_at_the_repeated_words(
    after,
) -> None:
    run = after["run"]
    zero = {Site("heads", layer=1, head=head): lambda z: 0 * z for head in (0, 1, 3)}
    assert after["under"](run.with_activations(zero)) > 16
    weights = run.attention(1)["weights"]
    differences = np.abs(weights - weights[2]).max(axis=(0, 2))
    assert differences[8:].max() < 0.01
    assert differences[:8].max() > 0.8
