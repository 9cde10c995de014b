"""BLAS computes in one thread, and large products are cut into blocks for several."""

import subprocess
import sys
from threading import Barrier, Thread, current_thread
from threading import enumerate as enumerate_threads
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from attnviewer import Pin, attention, multi_head_attention
from attnviewer.compute import threads
from attnviewer.compute.cost import SCORE_COST
from attnviewer.compute.stages import project
from attnviewer.compute.stages.project import split_heads
from attnviewer.compute.threads import (
    SHARED_OUT,
    end_idle_threads,
    in_this_thread,
    in_threads,
    one_blas_thread,
    parts,
    product,
)


def blas_threads() -> list[int]:
    """Return how many threads each OpenBLAS of the process has."""
    loaded = ThreadpoolController().select(internal_api="openblas")
    return [library.num_threads for library in loaded.lib_controllers]


@pytest.fixture(autouse=True)
def three_threads():
    """Let BLAS have three threads, however many cores there are."""
    if not blas_threads():
        pytest.skip("NumPy computes with another library than OpenBLAS.")
    with threadpool_limits(3, user_api="blas"):
        yield


def test_blas_has_one_thread_inside_and_as_many_as_before_afterwards() -> None:
    with one_blas_thread():
        assert set(blas_threads()) == {1}
        with one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {1}
    assert set(blas_threads()) == {3}


def test_blas_has_its_threads_again_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        _ = 1 / 0
    assert set(blas_threads()) == {3}


def test_the_last_of_several_threads_that_leaves_gives_blas_its_threads_back() -> None:
    first_is_in, second_is_in, first_is_out = Barrier(2), Barrier(2), Barrier(2)
    seen: list[list[int]] = []

    def second() -> None:
        first_is_in.wait(10)
        with one_blas_thread():
            second_is_in.wait(10)
            first_is_out.wait(10)
            seen.append(blas_threads())

    other = Thread(target=second)
    other.start()
    with one_blas_thread():
        first_is_in.wait(10)
        second_is_in.wait(10)
    first_is_out.wait(10)
    other.join()
    assert [set(counts) for counts in seen] == [{1}]
    assert set(blas_threads()) == {3}


def test_little_work_leaves_blas_alone() -> None:
    with one_blas_thread(SHARED_OUT - 1):
        assert set(blas_threads()) == {3}


def test_a_small_document_does_not_look_for_the_library() -> None:
    code = (
        "import sys; from attnviewer import attention; import numpy as np;"
        "x = np.eye(4); attention(x, x, x)['weights'];"
        "sys.exit('threadpoolctl' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_blocks_are_worked_on_in_as_many_threads_as_blas_had() -> None:
    together = Barrier(3)
    threads = set()

    def work(_block: int) -> None:
        together.wait(10)  # which only three threads at a time pass
        threads.add(current_thread())

    with one_blas_thread():
        in_threads(work, range(6))
    assert len(threads) == 3
    assert current_thread() in threads


def test_outside_blocks_are_worked_on_one_after_the_other() -> None:
    order = []
    in_threads(lambda block: order.append((block, current_thread())), range(4))
    assert order == [(block, current_thread()) for block in range(4)]


def test_an_error_in_a_block_is_raised_and_blocks_not_begun_are_left_out() -> None:
    begun = []
    together = Barrier(3)

    def work(block: int) -> None:
        begun.append(block)
        if block < 3:
            together.wait(10)
            raise MemoryError

    with one_blas_thread(), pytest.raises(MemoryError):
        in_threads(work, range(1000))
    assert len(begun) < 1000


def test_threads_keep_quiet_of_what_their_caller_is_not_to_hear_of() -> None:
    huge = np.full(1, 1e308)
    together = Barrier(3)

    def work(_block: int) -> None:
        together.wait(10)
        _ = huge * 10

    with one_blas_thread(), np.errstate(all="ignore"):
        in_threads(work, range(3))
    with (
        one_blas_thread(),
        np.errstate(all="raise"),
        pytest.raises(FloatingPointError),
    ):
        in_threads(work, range(3))


def test_threads_wait_for_the_next_blocks_and_end_when_none_come(monkeypatch) -> None:
    monkeypatch.setattr(threads, "_PATIENCE", 0.05)
    together = Barrier(3)
    used: list[set[Thread]] = [set(), set()]

    def work(own: set[Thread]) -> None:
        together.wait(10)
        own.add(current_thread())

    for own in used:
        with one_blas_thread():
            in_threads(work, [own] * 3)
    waiting = used[0] - {current_thread()}
    assert len(used[0]) == 3
    assert used[0] == used[1]
    for thread in waiting:
        thread.join(10)
    assert not waiting.intersection(enumerate_threads())


def test_threads_that_wait_end_at_once_where_that_is_asked_for() -> None:
    used: set[Thread] = set()
    together = Barrier(3)

    def work(_block: int) -> None:
        together.wait(10)
        used.add(current_thread())

    with one_blas_thread():
        in_threads(work, range(3))
    end_idle_threads()
    assert not (used - {current_thread()}).intersection(enumerate_threads())


def test_waiting_threads_do_not_hold_what_they_worked_on() -> None:
    class Block:
        pass

    together, blocks = Barrier(3), [Block() for _ in range(3)]
    held = WeakSet(blocks)
    with one_blas_thread():
        in_threads(lambda _block: together.wait(10), blocks)
        del blocks
        in_threads(lambda _block: together.wait(10), range(3))
        assert not held


def test_threads_of_blocks_end_if_blas_gets_its_threads_back_meanwhile() -> None:
    inside, outside = Barrier(4), Barrier(4)
    used: set[Thread] = set()

    def work(_block: int) -> None:
        used.add(current_thread())
        inside.wait(10)
        outside.wait(10)

    other = Thread(target=in_threads, args=(work, range(3)))
    with one_blas_thread():
        other.start()
        inside.wait(10)
    outside.wait(10)
    other.join()
    assert len(used) == 3
    end_idle_threads()
    assert not used.intersection(enumerate_threads())


def test_a_thread_that_wakes_too_late_is_not_waited_for(monkeypatch) -> None:
    late, done = [], []
    monkeypatch.setattr(
        threads._Worker, "submit", lambda _worker, task: late.append(task)
    )

    def attempt() -> None:
        with one_blas_thread():
            in_threads(done.append, range(6))

    caller = Thread(target=attempt, daemon=True)
    caller.start()
    caller.join(10)
    assert not caller.is_alive()
    for task in late:
        task()
    assert done == list(range(6))


def test_projections_of_the_inputs_share_their_threads(monkeypatch) -> None:
    shared: list[int] = []
    work = in_threads

    def watched(multiply, blocks) -> None:
        shared.append(len(blocks))
        work(multiply, blocks)

    monkeypatch.setattr(project, "in_threads", watched)
    rng = np.random.default_rng(0)
    x = rng.integers(-9, 10, (2, 64, 256)).astype(float)
    weights = rng.integers(-9, 10, (4, 256, 256)).astype(float)
    biases = {"b_q": np.arange(256.0), "b_v": np.ones((1, 256))}
    for source in (x, x[0]):
        shared.clear()
        trace = multi_head_attention(source, *weights, n_heads=8, **biases)
        assert shared[0] > 3
        assert len(shared) == 2  # the other is that of W_O
        for letter, weight in zip("QKV", weights, strict=False):
            exact = np.einsum("...nd,de->...ne", source, weight)
            exact += biases.get(f"b_{letter.lower()}", 0)
            np.testing.assert_array_equal(trace[letter], split_heads(exact, 8))


def test_a_large_product_is_the_sum_of_products_whatever_its_blocks() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.integers(-9, 10, (700, 400)), rng.integers(-9, 10, (400, 301))
    exact = np.einsum("ik,kj->ij", left, right)  # integers: no rounding
    with one_blas_thread():
        assert len(parts(700, left.size * 301)) > 1
        found = product(left.astype(float), right.astype(float))
        room = np.empty((301, 700)).T
        inside = product(left.astype(float), right.astype(float), out=room)
    np.testing.assert_array_equal(found, exact)
    assert inside is room
    np.testing.assert_array_equal(room, exact)


def test_few_rows_share_the_columns_of_a_large_product() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.integers(-9, 10, (40, 900)), rng.integers(-9, 10, (900, 1901))
    found = product(left.astype(float), right.astype(float))
    np.testing.assert_array_equal(found, np.einsum("ik,kj->ij", left, right))


def test_parts_cover_all_rows_once() -> None:
    with one_blas_thread():
        for count in (0, 1, 2, 3, 4, 7, 100):
            covered = [
                row for part in parts(count, 2**40) for row in range(count)[part]
            ]
            assert covered == list(range(count))


def test_attention_of_many_heads_is_that_of_each_head_alone() -> None:
    rng = np.random.default_rng(1)
    q, k, v = (rng.standard_normal((3, 600, 8)) for _ in range(3))
    trace = attention(q, k, v, causal=True)
    for head in range(3):
        scores = q[head] @ k[head].T / np.sqrt(8)
        scores[~np.tri(600, dtype=bool)] = -np.inf
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(trace["weights"][head], weights, atol=1e-14)
        np.testing.assert_allclose(trace["output"][head], weights @ v[head], atol=1e-13)
    assert set(blas_threads()) == {3}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": True},
        {"window": (3, 40), "query_offset": [0, 7]},
        {"causal": True, "key_lengths": [100, 31], "softcap": 2.0},
        {"length_scale": "ssmax", "causal": True, "temperature": 3.0},
        {"normalizer": "entmax15"},
        {"normalizer": "sigmoid", "causal": True},
        {"bias": np.random.default_rng(2).standard_normal((4, 1, 160))},
        {"mask": np.random.default_rng(3).random((160, 160)) < 0.2},
        {"pins": (Pin("scores", (70, 71), 5, value=3.0, head=1),), "causal": True},
        {"pins": (Pin("weights", 100, (5, 80), value=0.5, head=2),)},
    ],
)
def test_threads_that_share_the_rows_of_all_heads_give_what_one_thread_does(
    options: dict[str, Any],
) -> None:
    rng = np.random.default_rng(1)
    q = rng.standard_normal((2, 4, 160, 8))
    k, v = rng.standard_normal((2, 2, 2, 160, 8))  # each for two heads
    with one_blas_thread():
        assert len(parts(160, SCORE_COST * 2 * 4 * 160 * 160)) == 3
    shared = attention(q, k, v, **options)
    with in_this_thread():
        alone = attention(q, k, v, **options)
    for step in ("weights", "output"):
        np.testing.assert_allclose(shared[step], alone[step], atol=1e-14)


@pytest.mark.parametrize("shapes", [((1, 32), (32, 16_000)), ((64, 32), (32, 256))])
def test_blas_distributes_no_product_of_half_a_million_multiply_adds(
    monkeypatch, shapes
) -> None:
    left, right = map(np.ones, shapes)
    seen: list[int] = []
    matmul = np.matmul

    def watched(*arrays, out=None):
        seen.extend(blas_threads())
        return matmul(*arrays, out=out)

    monkeypatch.setattr(np, "matmul", watched)
    assert (product(left, right) == left.shape[1]).all()
    assert set(seen) == {1}
