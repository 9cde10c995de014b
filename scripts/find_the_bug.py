"""Write the lesson "Find the bug": five implementations of attention with a bug each.

``.venv/bin/python scripts/find_the_bug.py`` writes ``resources/find-the-bug/``. Each
function below is what somebody may write with NumPy; the bug is in the line that ends
with an exclamation mark.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Arrays = dict[str, Floats]
FOLDER = Path(__file__).resolve().parent.parent / "resources" / "find-the-bug"
N, D_MODEL, HEADS, D = 6, 8, 2, 4
"""Tokens, and the widths of the model and of a head."""


class Lesson(NamedTuple):
    """An implementation, and what it is meant to be."""

    title: str
    story: str
    spec: str
    implementation: Callable[[Arrays], Arrays]


def softmax(scores: Floats, axis: int = -1) -> Floats:
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    shares: Floats = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def too_sure(given: Arrays) -> Arrays:
    q, k, v = (given["X"] @ given[name] for name in ("W_Q", "W_K", "W_V"))
    weights = softmax(q @ k.T)  # !
    return {"weights": weights, "output": weights @ v}


def columns_of_one(given: Arrays) -> Arrays:
    q, k, v = (given["X"] @ given[name] for name in ("W_Q", "W_K", "W_V"))
    scores = q @ k.T / np.sqrt(np.float32(k.shape[-1]))
    weights = softmax(scores, axis=0)  # !
    return {"scores": scores, "weights": weights, "output": weights @ v}


def glimpse_ahead(given: Arrays) -> Arrays:
    q, k, v = (given["X"] @ given[name] for name in ("W_Q", "W_K", "W_V"))
    scores = q @ k.T / np.sqrt(np.float32(k.shape[-1]))
    later = np.triu(np.ones((N, N), bool), 2)  # !
    weights = softmax(np.where(later, np.float32(-np.inf), scores))
    return {"output": weights @ v}


def mixed_up_heads(given: Arrays) -> Arrays:
    q, k, v = (
        (given["X"] @ given[name]).reshape(N, HEADS, D).swapaxes(0, 1)
        for name in ("W_Q", "W_K", "W_V")
    )
    scores = q @ k.swapaxes(1, 2) / np.sqrt(np.float32(D))
    weights = softmax(scores)
    merged = (weights @ v).reshape(N, HEADS * D)  # !
    return {"weights": weights, "output": merged @ given["W_O"]}


def other_pairs(given: Arrays) -> Arrays:
    def turned(x: Floats) -> Floats:
        frequencies = 10_000.0 ** (-np.arange(0, D, 2) / D)
        angles = np.arange(N)[:, None] * frequencies
        cos, sin = (f(angles).astype(np.float32) for f in (np.cos, np.sin))
        left, right = x[..., 0::2], x[..., 1::2]  # !
        rotated = np.empty_like(x)
        rotated[..., 0::2] = left * cos - right * sin
        rotated[..., 1::2] = left * sin + right * cos
        return rotated

    q, k, v = (
        (given["X"] @ given[name]).reshape(N, HEADS, D).swapaxes(0, 1)
        for name in ("W_Q", "W_K", "W_V")
    )
    scores = turned(q) @ turned(k).swapaxes(1, 2) / np.sqrt(np.float32(D))
    weights = softmax(np.where(np.tri(N, dtype=bool), scores, np.float32(-np.inf)))
    merged = (weights @ v).swapaxes(0, 1).reshape(N, HEADS * D)
    return {"output": merged @ given["W_O"]}


LESSONS = {
    "too-sure": Lesson(
        "Too sure",
        "Most queries listen to hardly more than one key. Wider heads make it worse.",
        "",
        too_sure,
    ),
    "columns-of-one": Lesson(
        "Columns of one",
        "The scores are right. The weights look fine, too, until one adds up a row.",
        "",
        columns_of_one,
    ),
    "glimpse-ahead": Lesson(
        "A glimpse ahead",
        "A language model that learns suspiciously fast. Only its output was kept.",
        "causal=true",
        glimpse_ahead,
    ),
    "mixed-up-heads": Lesson(
        "Mixed-up heads",
        "Two heads, all weights right, and an output that is not.",
        "n_heads=2",
        mixed_up_heads,
    ),
    "other-pairs": Lesson(
        "Other pairs",
        "The weights of a checkpoint in the layout of Llama, and code from elsewhere: "
        "the first token is right, and no other is.",
        "n_heads=2,causal=true,positions=rope",
        other_pairs,
    ),
}


def arrays_of(number: int, lesson: Lesson) -> Arrays:
    """Return the inputs of a lesson, and what its implementation makes of them."""
    draw = np.random.default_rng(number).standard_normal
    shapes = {"X": (N, D_MODEL)}
    shapes |= dict.fromkeys(("W_Q", "W_K", "W_V"), (D_MODEL, HEADS * D))
    if "n_heads" in lesson.spec:
        shapes["W_O"] = (HEADS * D, D_MODEL)
    given = {n: (draw(shape) / 2).astype(np.float32) for n, shape in shapes.items()}
    given["X"] *= 2
    mine = lesson.implementation(given)
    return given | {f"mine_{name}": array for name, array in mine.items()}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    texts = {}
    for number, (id_, lesson) in enumerate(LESSONS.items(), 1):
        path = FOLDER / f"{id_}.npz"
        np.savez_compressed(path, allow_pickle=False, **arrays_of(number, lesson))
        texts[id_] = {
            "title": lesson.title,
            "story": lesson.story,
            "spec": lesson.spec,
        }
    text = json.dumps(texts, indent=2, ensure_ascii=False) + "\n"
    (FOLDER / "lessons.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
