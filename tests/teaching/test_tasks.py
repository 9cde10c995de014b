from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.compute import Pin, Trace
from attnviewer.document import Document, SetCells, spec_edit
from attnviewer.document.masks import MaskPreset, mask_edit
from attnviewer.document.pins import add_pins
from attnviewer.teaching import Situation, Task, lesson_from_text, mistake_title
from attnviewer.teaching.tasks import ChoiceTask, MistakeTask, WrongStepTask
from attnviewer.teaching.tasks.make import changes
from tests.teaching.texts import FRONT, block, situation, task

CHOICE = task(
    "kind: choice",
    "option: a | $|x| > 1$ is not it.",
    "right: b | Yes.",
    "right: c",
    "option: d",
)


@pytest.mark.parametrize(
    ("answer", "share", "message"),
    [
        ((1, 2), 1, "Yes."),
        ((2,), 0.5, "There is more to choose."),
        ((1, 2, 3), 0.5, "Yes."),
        ((0,), 0, "$|x| > 1$ is not it."),
        ((0, 1, 2, 3), 0, "$|x| > 1$ is not it. Yes."),
        ((), 0, "Nothing is chosen yet."),
        ("bc", 0, "Nothing is chosen yet."),
        ((9, -1, True, "1"), 0, "Nothing is chosen yet."),
        (None, 0, "Nothing is chosen yet."),
    ],
)
def test_a_choice_is_checked_option_by_option(
    answer: object, share: float, message: str
) -> None:
    one, here = situation(CHOICE)
    verdict = one.check(here, answer)
    assert (verdict.share, verdict.message) == (share, message)
    assert verdict.right is (share == 1)


def test_options_of_a_document_are_its_tokens() -> None:
    text = "kind: choice", "options: keys", "answer: largest weights[0, :]"
    one, here = situation(task(*text, "hide: weights"))
    assert isinstance(one, ChoiceTask)
    options = one.options(here.document)
    assert [option.text for option in options] == ["a", "b", "c"]
    assert [option.right for option in options] == [False, False, True]
    assert one.solution(here) == (2,)
    assert one.check(here, [2]).right
    assert one.hide(here.document) == {"weights"}


def test_steps_are_options_too() -> None:
    one, here = situation(task("kind: choice", "options: steps", "answer: scaled"))
    assert isinstance(one, ChoiceTask)
    names = [option.text for option in one.options(here.document)]
    assert names == ["Q", "K", "V", "scores", "scaled", "weights", "output"]
    assert one.check(here, (4,)).right
    assert not one.check(here, (3,)).right


def test_a_document_that_has_ties_later_is_no_error() -> None:
    one, here = situation(
        task("kind: choice", "options: keys", "answer: largest scores[0, :]")
    )
    here.document.apply(SetCells("Set", "X", 0, 0, np.zeros((1, 2))))
    verdict = one.check(here, (2,))
    assert not verdict.right
    assert "one alone" in verdict.message


MAKE = "kind: make", 'until: weights["a", "c"] >= 0.8'


def test_a_document_is_made_until_the_condition_holds() -> None:
    one, here = situation(task(*MAKE))
    before = one.check(here, here.document)
    assert (before.right, before.share) == (False, 0)
    assert before.message == 'Still to come: weights["a", "c"] >= 0.8.'
    after = situation(task(*MAKE))[1].document
    after.apply(SetCells("Set", "W_K", 0, 0, np.array([[3.0, 0], [1, 1]])))
    # K = 3 0; 1 1; 4 1: scores 3, 3, 6, and e^(6/√2) over all is 0.807
    verdict = one.check(here, after)
    assert (verdict.right, verdict.message) == (True, "")


def test_what_must_not_change_is_said_and_not_accepted() -> None:
    one, here = situation(task(*MAKE, "only: W_Q, mask"))
    after = situation(task(*MAKE))[1].document
    after.apply(SetCells("Set", "W_K", 0, 0, np.array([[3.0, 0], [1, 1]])))
    verdict = one.check(here, after)
    assert not verdict.right
    assert verdict.message == "Also changed: W_K. Only W_Q, mask may change here."


def test_pins_are_no_way_to_get_there_unless_they_are_allowed() -> None:
    pin = Pin("weights", 0, 2, 0.9)
    after = situation(task(*MAKE))[1].document
    after.apply(add_pins(after, [pin], "Pin"))
    one, here = situation(task(*MAKE))
    assert one.check(here, after).message.startswith("Also changed: pins.")
    free, here = situation(task(*MAKE, "only: pins"))
    assert free.check(here, after).right


def test_a_mask_is_its_rules_and_its_matrix() -> None:
    text = "kind: make", "until: hidden[0, 2]", "until: visible[2, 0]", "only: mask"
    for kind in ("causal", "window", "block"):
        one, here = situation(task(*text))
        after = situation(task(*text))[1].document
        numbers = {"window": (1, 0), "block": (2,)}.get(kind, ())
        after.apply(mask_edit(after, MaskPreset(kind, numbers), "Mask"))  # type: ignore[arg-type]
        verdict = one.check(here, after)
        hidden = after.compute()["masked"]
        wanted = bool(np.isinf(hidden[0, 2]) and not np.isinf(hidden[2, 0]))
        assert verdict.right is wanted, kind
        assert verdict.share == (1 if wanted else 0.5)


def test_a_chunk_is_a_part_of_the_mask_that_another_one_replaces() -> None:
    text = "kind: make", "until: hidden[0, 2]", "until: visible[2, 0]", "only: mask"
    one, here = situation(task(*text))
    after = situation(task(*text))[1].document
    for document in (here.document, after):
        chunked = replace(document.spec, chunk=2)
        document.apply(spec_edit(document, chunked, "Chunk"))
    after.apply(mask_edit(after, MaskPreset("causal"), "Mask"))
    assert changes(here.document, after) == ["mask"]
    assert one.check(here, after).right


def test_options_may_change_where_they_are_named() -> None:
    text = "kind: make", "until: option softcap = 5"
    after = situation(task(*text))[1].document
    after.apply(spec_edit(after, replace(after.spec, softcap=5.0), "Cap"))
    allowed, here = situation(task(*text, "only: options"))
    assert allowed.check(here, after).right
    refused, here = situation(task(*text, "only: X"))
    assert refused.check(here, after).message.startswith("Also changed: options.")


def test_a_document_that_cannot_be_computed_is_a_wrong_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, here = situation(task(*MAKE))
    after = situation(task(*MAKE))[1].document

    def overflow(_: Document) -> Trace:
        raise OverflowError("Python int too large to convert to C long")

    monkeypatch.setattr(Document, "compute", overflow)
    verdict = one.check(here, after)
    assert (verdict.right, verdict.share) == (False, 0.0)
    assert "too large" in verdict.message


def test_no_document_is_no_answer() -> None:
    one, here = situation(task(*MAKE))
    assert one.check(here, None).message == "The document is not changed yet."
    assert one.solution(here) is None


HUNT = ("tokens: a, b, c", "draw: X W_Q W_K W_V", "options: causal=true")


def hunt(
    mistake: str, *lines: str, seed: int = 0, document: tuple[str, ...] = HUNT
) -> tuple[tuple[Task, ...], Situation]:
    text = FRONT + "## P\n" + block("document", *document, f"mistake: {mistake}")
    text += task("kind: wrong-step") + task("kind: mistake", *lines)
    (page,) = lesson_from_text(text, "hunt.md").pages
    assert page.document is not None
    return page.tasks, Situation(page.document.open(seed), {}, page.tasks)


@pytest.mark.parametrize(
    ("mistake", "step", "early", "late"),
    [
        ("scale-missing", "scaled", "scores", "output"),
        ("softmax-over-queries", "weights", "masked", "output"),
        ("causal-missing", "masked", "Q", "weights"),
        ("q-k-swapped", "Q", None, "scores"),
    ],
)
def test_the_first_wrong_step_is_to_be_found(
    mistake: str, step: str, early: str | None, late: str
) -> None:
    (one, _), here = hunt(mistake)
    assert isinstance(one, WrongStepTask)
    assert one.check(here, step).right
    assert one.solution(here) == step
    assert "an earlier step" in one.check(here, late).message
    if early is not None:
        assert "is right" in one.check(here, early).message
    for other in (early, late, "X", "", None, 3):
        assert not one.check(here, other).right


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "mistake", ["scale-missing", "softmax-over-queries", "causal-missing"]
)
def test_four_others_that_change_the_same_step_are_offered(
    mistake: str, seed: int
) -> None:
    (where, what), here = hunt(mistake, seed=seed)
    assert isinstance(what, MistakeTask)
    options = what.options(here.document)
    assert len(options) == len(set(options)) == 5
    assert options == what.options(here.document)
    assert [id for id in options if what.check(here, id).right] == [mistake]
    step = where.solution(here)
    for id in options:
        said = what.check(here, id).message
        other = f"With that mistake, “{step}” would hold other numbers."
        assert id == mistake or said == other
        assert mistake_title(id)


def test_mistakes_are_offered_as_the_lesson_has_them() -> None:
    ids = "scale-missing, causal-missing, weight-transposed:W_Q"
    (_, what), here = hunt("scale-missing", f"options: {ids}")
    assert isinstance(what, MistakeTask)
    assert what.options(here.document) == tuple(ids.split(", "))
    assert mistake_title("weight-transposed:W_Q") == "W_Q is transposed"
    assert not what.check(here, "causal-missing").right
    for other in ("nothing", "", None, 4):
        assert what.check(here, other).message == "Choose one of the mistakes."


def test_a_mistake_that_begins_alike_but_goes_on_otherwise_is_wrong() -> None:
    (where, what), here = hunt(
        "mask-after-softmax", "options: mask-after-softmax, causal-missing"
    )
    assert where.solution(here) == "masked"
    said = what.check(here, "causal-missing")
    assert not said.right
    assert said.message == "With that mistake, “weights” would hold other numbers."
    assert what.check(here, "mask-after-softmax").right


def test_a_mistake_with_the_same_numbers_is_as_right() -> None:
    two = "tokens: a, b", *HUNT[1:]  # the one key too far is the only one there is
    (_, what), here = hunt("causal-missing", document=two)
    assert what.check(here, "causal-one-too-far").right
    assert isinstance(what, MistakeTask)
    assert "causal-one-too-far" not in what.options(here.document)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), inner)
    ),
    max_leaves=8,
)
KINDS = {
    "numbers": situation(task("kind: numbers", "step: weights")),
    "choice": situation(CHOICE),
    "make": situation(task(*MAKE)),
    "wrong-step": (hunt("scale-missing")[0][0], hunt("scale-missing")[1]),
    "mistake": (hunt("scale-missing")[0][1], hunt("scale-missing")[1]),
}


@settings(max_examples=40, deadline=None)
@given(answer=ANYTHING)
@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_raises_anything(kind: str, answer: object) -> None:
    one, here = KINDS[kind]
    verdict = one.check(here, answer)
    assert 0 <= verdict.share <= 1
    assert verdict.right is (verdict.share == 1)
