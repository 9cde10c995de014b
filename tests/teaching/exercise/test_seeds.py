"""Seeds: who gets which numbers."""

import hashlib
from itertools import product

import pytest

from attnviewer.teaching.exercise.opening import numbers_of, open_pages
from attnviewer.teaching.exercise.seeds import derived_seed, seed_of
from tests.teaching.exercise.course import DRAWN, SECRET, exercise_of


def _hmac_by_hand(key: bytes, message: bytes) -> bytes:
    """Return HMAC-SHA-256 as RFC 2104 writes it down."""
    key = key.ljust(64, b"\0")
    inner, outer = (bytes(b ^ pad for b in key) for pad in (0x36, 0x5C))
    within = hashlib.sha256(inner + message).digest()
    return hashlib.sha256(outer + within).digest()


def test_a_seed_is_the_start_of_an_hmac_over_both_ids_with_their_lengths() -> None:
    message = (
        (5).to_bytes(8, "big") + b"week3" + (6).to_bytes(8, "big") + "Zoë-1".encode()
    )
    expected = int.from_bytes(_hmac_by_hand(SECRET, message)[:8], "big")
    assert seed_of(SECRET, "week3", "Zoë-1") == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("", "ab"), ("ab", "")),
        (("a\0", "b"), ("a", "\0b")),
    ],
)
def test_ids_that_run_together_have_other_seeds(one, other) -> None:
    assert seed_of(SECRET, *one) != seed_of(SECRET, *other)


def test_secret_exercise_and_student_each_change_the_seed() -> None:
    choices = product((b"a" * 32, b"b" * 32), ("week1", "week2"), ("ada", "ben"))
    assert len({seed_of(*choice) for choice in choices}) == 8


def test_attempts_and_pages_have_seeds_of_their_own() -> None:
    choices = product((0, 1, 2**64 - 1), (0, 1), (0, 1))
    assert len({derived_seed(*choice) for choice in choices}) == 12


def test_500_students_have_500_different_exercises_and_each_always_the_same() -> None:
    text = f"""---
title: Queries
---
## Queries
{DRAWN}
```task
kind: numbers
step: Q
```
"""
    lesson = exercise_of(text).lesson

    def numbers(student: int) -> bytes:
        return numbers_of(open_pages(lesson, seed_of(SECRET, "week1", f"s{student}")))

    found = [numbers(student) for student in range(500)]
    assert len(set(found)) == 500
    assert [numbers(student) for student in range(0, 500, 25)] == found[::25]
