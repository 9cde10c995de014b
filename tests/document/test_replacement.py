"""One document in place of another: bit for bit, and back."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, Draw, Recipe, Replace, spec_edit, variant_spec
from attnviewer.document.drawing.distributions import Normal
from attnviewer.document.replacement import replacement
from tests.documents import four_words, state_of


def _cross() -> Document:
    """Return a document that differs from the four words in everything."""
    generator = np.random.default_rng(0)
    shapes = {"X": (2, 5), "context": (3, 4), "W_Q": (5, 2), "W_K": (4, 2)}
    return Document(
        "Two sentences",
        ["I", "see"],
        {name: generator.normal(size=shape) for name, shape in shapes.items()}
        | {"W_V": np.full((4, 1), -0.0), "mask": np.eye(2, 3, dtype=bool)},
        Spec(context=True, mask=True, temperature=0.5),
        context_tokens=["ich", "sehe", "."],
        recipes=[Recipe(7, (Draw((2, 2), Normal(), "X"),))],
        notes="Not the same notes",
    )


def _drawn() -> Document:
    document = four_words()
    recipe = Recipe(3, (Draw((3, 3), Normal(), "W_Q"),))
    ((_, drawn),) = recipe.draw()
    document.apply(Replace("Draw", matrices={"W_Q": drawn}, recipes=(recipe,)))
    return document


def _with_variants_behind() -> Document:
    document = four_words()
    for variant in ("multi_head", "cross"):
        spec = variant_spec(document, variant)
        document.apply(spec_edit(document, spec, variant))
    return document


MAKERS = [four_words, _cross, _drawn, _with_variants_behind]


def _all_of(document: Document) -> tuple[object, ...]:
    left = [
        (
            was.spec,
            {n: tuple(m.tobytes() for m in both) for n, both in was.matrices.items()},
        )
        for was in document.past_variants
    ]
    return *state_of(document), left


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("make_other", MAKERS)
def test_a_document_becomes_another_bit_for_bit_and_returns(make, make_other) -> None:
    document, other = make(), make_other()
    before, wanted = _all_of(document), _all_of(other)
    inverse = document.apply(replacement(document, other, "Reload"))
    assert _all_of(document) == wanted
    again = document.apply(inverse)
    assert _all_of(document) == before
    document.apply(again)
    assert _all_of(document) == wanted == _all_of(other)
    assert document.title == other.title
    assert inverse.label == again.label == "Reload"


def test_only_matrices_that_differ_in_a_bit_are_taken_over() -> None:
    document, other = four_words(), four_words()
    numbers = np.array(other.matrix("W_V"))
    numbers[2, 0] = -0.0
    other.apply(Replace("", matrices={"W_V": numbers}))
    assert list(replacement(document, other, "").matrices) == ["W_V"]


def test_later_edits_of_the_other_do_not_reach_it() -> None:
    document, other = four_words(), _drawn()
    edit = replacement(document, other, "Reload")
    wanted = state_of(other)
    other.apply(Replace("", tokens=("a", "b", "c", "d")))
    other.apply(replacement(other, _cross(), ""))
    document.apply(edit)
    assert state_of(document) == wanted
