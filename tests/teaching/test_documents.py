import hashlib
from pathlib import Path

import numpy as np
import pytest

from attnviewer import load_example
from attnviewer.io.errors import FileError
from attnviewer.io.session import save_session
from attnviewer.teaching.drawing import whole_numbers
from attnviewer.teaching.mistaken import first_wrong_step
from tests.mistaken import document as two_heads
from tests.teaching.texts import opened

DRAWN = "tokens: a, b, c, d", "draw: X W_Q W_K W_V", "options: causal=true"
ANY = "mistake: any of scale-missing, softmax-over-queries, causal-missing"


def test_an_example_is_opened_as_it_is() -> None:
    found, example = opened("example: two-heads"), load_example("two-heads")
    assert found.title == example.title
    assert np.array_equal(found.matrix("X"), example.matrix("X"))


def test_a_file_beside_the_lesson_is_opened(tmp_path: Path) -> None:
    save_session(two_heads(), tmp_path / "own.attn")
    found = opened("file: own.attn", folder=tmp_path)
    assert found.spec == two_heads().spec


def test_a_file_in_another_place_is_not_opened(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    save_session(two_heads(), tmp_path / "own.attn")
    for name in ("../own.attn", "..\\own.attn", str(tmp_path / "own.attn"), "..", "."):
        with pytest.raises(FileError, match="without folders"):
            opened(f"file: {name}", folder=inner)


def test_numbers_and_options_are_as_they_are_written() -> None:
    found = opened(
        "tokens: the, cat",
        "options: heads=2, scale=1/8, softcap=5, window=[1,0], positions=rope",
        "X: 1 0",
        "  ; -2 1/2",
        "W_Q: 1 0 0 0; 0 1 0 0",
        "W_K: 1 0 0 0; 0 1 0 0",
        "W_V: 1 0; 0 1",
        "W_O: 2 0; 0 2",
        "b_Q: 1 1 1 1",
    )
    assert found.tokens == ("the", "cat")
    assert found.matrix("X").tolist() == [[1, 0], [-2, 0.5]]
    assert (found.spec.n_heads, found.spec.scale, found.spec.softcap) == (2, 0.125, 5)
    assert (found.spec.window, found.spec.biases) == ((1, 0), ("b_Q",))
    assert found.spec.output_projection
    assert found.spec.positions is not None


def test_given_queries_a_second_sequence_and_a_mask_are_read() -> None:
    given = opened(
        "tokens: a", "Q: 1 0", "K: 1 0; 0 1", "V: 1; 2", "context-tokens: x, y"
    )
    assert given.labels == (("a",), ("x", "y"))
    assert given.spec.given
    cross = opened(
        "tokens: a, b",
        "context-tokens: x, y, z",
        "X: 1 2; 3 4",
        "context: 1; 2; 3",
        "W_Q: 1; 1",
        "W_K: 1",
        "W_V: 1",
        "mask: 1 0 1; 1 1 1",
    )
    # scores are 3 and 7 times 1, 2, 3; the second key is hidden from the first query
    weights = cross.compute()["weights"]
    assert weights[0, 1] == 0
    assert weights[0, 2] == pytest.approx(np.exp(6) / (1 + np.exp(6)))


def test_without_weights_the_embeddings_are_compared_themselves() -> None:
    found = opened("tokens: a, b", "X: 1 0; 0 2")
    assert found.spec.variant == "simplified"
    assert found.compute()["scores"].tolist() == [[1, 0], [0, 4]]


def test_drawn_numbers_follow_from_the_seed_alone() -> None:
    once, again = opened(*DRAWN, seed=7), opened(*DRAWN, seed=7)
    for name, matrix in once.matrices.items():
        assert np.array_equal(matrix, again.matrix(name))
    contents = {
        tuple(opened(*DRAWN, seed=seed).matrix("X").ravel()) for seed in range(40)
    }
    assert len(contents) == 40
    fixed = [opened(*DRAWN, "seed: 3", seed=seed).matrix("X") for seed in (0, 1)]
    assert np.array_equal(*fixed)


def test_a_drawn_number_is_shake_256_of_its_key() -> None:
    digest = hashlib.shake_256(b"7/0/X").digest(4 * 6)
    numbers = [int.from_bytes(digest[4 * k : 4 * k + 4], "big") for k in range(6)]
    wanted = [number * 5 // 2**32 - 2 for number in numbers]
    assert whole_numbers("7/0/X", (2, 3), -2, 2).ravel().tolist() == wanted


def test_drawn_numbers_are_small_and_without_ties() -> None:
    for seed in range(30):
        found = opened(*DRAWN, "width: 2", "d_k: 4", seed=seed)
        assert found.matrix("X").shape == (4, 2)
        assert found.matrix("W_Q").shape == (2, 4)
        assert set(found.matrix("X").ravel()) <= {0, 1, 2}
        assert set(found.matrix("W_K").ravel()) <= {-1, 0, 1, 2}
        scores = (found.matrix("X") @ found.matrix("W_Q")) @ (
            found.matrix("X") @ found.matrix("W_K")
        ).T
        for k in range(1, 4):
            seen = np.sort(scores[k, : k + 1])
            assert seen[-1] > seen[-2]


def test_a_range_of_ones_own_is_kept_to() -> None:
    found = opened(*DRAWN, "numbers: -5..-1", seed=2)
    assert all(set(m.ravel()) <= set(range(-5, 0)) for m in found.matrices.values())


def test_the_seed_chooses_the_mistake_and_the_title_does_not_tell() -> None:
    made = [opened(*DRAWN, ANY, seed=seed) for seed in range(30)]
    ids = [document.spec.mistakes[0].id for document in made]
    assert set(ids) == {"scale-missing", "softmax-over-queries", "causal-missing"}
    steps = {"scale-missing": "scaled", "softmax-over-queries": "weights"}
    for id, document in zip(ids, made, strict=True):
        assert document.title == "Lesson"
        assert first_wrong_step(document) == steps.get(id, "masked")


def test_the_wrong_steps_are_those_of_numpy() -> None:
    for seed in range(12):
        found = opened(*DRAWN, "mistake: scale-missing", seed=seed)
        x, w_q, w_k = (found.matrix(name) for name in ("X", "W_Q", "W_K"))
        scores = np.where(np.tri(4) > 0, (x @ w_q) @ (x @ w_k).T, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        wanted = powers / powers.sum(axis=1, keepdims=True)
        assert np.allclose(found.compute()["weights"], wanted)


def test_opening_gives_a_document_of_its_own_each_time() -> None:
    one, other = (opened("example: four-words") for _ in range(2))
    assert one is not other
    assert not any(
        np.shares_memory(one.matrix(n), other.matrix(n)) for n in one.matrices
    )
