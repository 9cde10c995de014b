"""The seed that a student's numbers are drawn from."""

import hashlib
import hmac

SEEDS = 2**64
"""How many seeds there are."""
_LENGTH_BYTES = 8


def seed_of(secret: bytes, exercise: str, student: str) -> int:
    """Return the seed of a student's numbers.

    It is the first 64 bits of HMAC-SHA-256 (RFC 2104) under the course's secret of the
    exercise's id and the student's, each after its length in bytes, so that no two
    pairs of ids give the same message.

    Parameters
    ----------
    secret : bytes
        The course's secret.
    exercise, student : str
        Their ids.
    """
    message = b"".join(_with_length(text.encode()) for text in (exercise, student))
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big")


def derived_seed(seed: int, page: int, attempt: int) -> int:
    """Return the seed of an attempt at drawing the numbers of a page.

    Parameters
    ----------
    seed : int
        The student's seed, below `SEEDS`.
    page, attempt : int
        Both counted from zero.
    """
    message = b"".join(
        number.to_bytes(_LENGTH_BYTES, "big") for number in (seed, page, attempt)
    )
    return int.from_bytes(hashlib.sha256(message).digest()[:8], "big")


def _with_length(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH_BYTES, "big") + data
