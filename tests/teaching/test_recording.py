import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import load_example
from attnviewer.compute import Alibi, Pin, Rotary, Sinusoidal, Spec
from attnviewer.document import Document
from attnviewer.document.matrices import same_bits
from attnviewer.document.pins import add_pins
from attnviewer.io.examples import example_ids
from attnviewer.io.session import save_session
from attnviewer.teaching import Situation, lesson_from_text, record_page
from attnviewer.teaching.tasks import NumbersTask
from tests.mistaken import document as two_heads
from tests.mistaken import with_mistake
from tests.teaching.texts import FRONT


def read_back(text: str, folder: Path = Path()) -> tuple[Document, NumbersTask]:
    (page,) = lesson_from_text(FRONT + text, folder / "recorded.md").pages
    assert page.document is not None
    (task,) = page.tasks
    assert isinstance(task, NumbersTask)
    return page.document.open(5, folder), task


def same(one: Document, other: Document) -> bool:
    return (one.spec, one.labels) == (other.spec, other.labels) and all(
        same_bits(one.matrix(name), other.matrix(name)) for name in one.spec.input_names
    )


@pytest.mark.parametrize("id", example_ids())
def test_an_example_reads_back_to_the_same(id: str) -> None:
    example = load_example(id)
    opened, task = read_back(record_page(example, "weights", [(1, 0), (2, 1)]))
    assert same(opened, example)
    assert task.step == "weights"
    assert task.cells(opened) == ((1, 0), (2, 1))
    here = Situation(opened, {}, (task,))
    assert task.check(here, task.solution(here)).right


@pytest.mark.parametrize(
    "changes",
    [
        {"positions": Rotary(base=100.0, interleaved=True), "scale": 0.3},
        {"positions": Alibi(), "n_kv_heads": 1, "output_projection": False},
        {"positions": Sinusoidal(), "softcap": 2.5, "temperature": 0.7},
        {"window": (1, None), "normalizer": "sparsemax", "key_lengths": 4},
        {"positions": None, "causal": False, "query_offset": -1, "scale": 1.0},
    ],
    ids=str,
)
def test_a_variant_reads_back_to_the_same(changes: dict[str, object]) -> None:
    plain = two_heads()
    spec = replace(plain.spec, **changes)  # type: ignore[arg-type]
    matrices = dict(plain.matrices)
    if spec.kv_heads == 1:
        matrices |= {name: matrices[name][:, :2] for name in ("W_K", "W_V")}
    document = Document("Variant", plain.tokens, matrices, spec)
    opened, task = read_back(record_page(document, "scores", [], head=1))
    assert same(opened, document)
    assert (task.head, len(task.cells(opened))) == (1, 25)


def test_a_document_with_a_mistake_reads_back_to_the_same() -> None:
    document = with_mistake("softmax-over-queries")
    opened, _ = read_back(record_page(document, "weights", []))
    assert same(opened, document)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1e300, 1e300), min_size=6, max_size=6),
    st.lists(st.text(max_size=8), min_size=3, max_size=3),
)
def test_any_numbers_and_tokens_read_back_or_are_refused(
    numbers: list[float], tokens: list[str]
) -> None:
    matrices = {"X": np.array(numbers).reshape(3, 2)}
    document = Document("Any", tokens, matrices, Spec(projected=False))
    with contextlib.suppress(ValueError):
        text = record_page(document, "X", [(0, 0)])
        assert same(read_back(text)[0], document)


def test_what_a_text_cannot_hold_is_to_be_a_file(tmp_path: Path) -> None:
    document = two_heads()
    document.apply(add_pins(document, [Pin("weights", 0, 0, 0.5)], "Pin"))
    with pytest.raises(ValueError, match="saved beside the lesson"):
        record_page(document, "weights", [])
    save_session(document, tmp_path / "own.attn")
    text = record_page(
        document, "weights", [(0, 0)], title="Pins\n## ", file="own.attn"
    )
    opened, task = read_back(text, tmp_path)
    assert same(opened, document)
    assert task.solution(Situation(opened, {}, (task,))) == {(0, 0): "0.50"}


def test_a_cell_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Got \(5, 0\) instead"):
        record_page(two_heads(), "weights", [(5, 0)])
    with pytest.raises(ValueError, match="must be below 2"):
        record_page(two_heads(), "weights", [], head=2)
