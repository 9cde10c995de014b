"""Positions: ALiBi, rotations, and sines."""

from collections.abc import Callable
from functools import partial

import numpy as np

from attnviewer import (
    alibi_bias,
    alibi_slopes,
    rotary_embedding,
    sinusoidal_encoding,
)
from attnviewer.compute.positions import linear_frequencies, llama3_frequencies

from .cases import Case


def slopes(case: Case) -> dict[str, np.ndarray]:
    return {"slopes": alibi_slopes(case.attrs["num_heads"])}


def bloom_bias(case: Case) -> dict[str, np.ndarray]:
    """Return slope·j, the same for every query.

    It is the paper's -slope·(i - j) for the query at 0. For the others the two differ
    by slope·i, the same for all keys of a row, of which the softmax takes no notice.
    """
    n_k = case.inputs["attention_mask"].shape[-1]
    assert case.inputs["attention_mask"].all()  # else positions skip the padding
    return {"bias": alibi_bias(case.attrs["num_heads"], 1, n_k)[None]}


def llama_rope(case: Case) -> dict[str, np.ndarray]:
    inputs = case.inputs
    at = inputs["position_ids"]  # (batch, n)
    turn = _llama_turn(case)
    d = inputs["q"].shape[-1]
    # The pair (1, 0) is turned to the cosine and sine of its angle.
    ones = np.repeat([1.0, 0.0], d // 2).astype(np.float32)
    cos, sin = np.split(turn(np.tile(ones, (*at.shape, 1))[:, None], at)[:, 0], 2, -1)
    cos_1, sin_1 = np.split(turn(ones[None], np.array([1]))[0], 2)
    return {
        "q_rot": turn(inputs["q"], at),
        "k_rot": turn(inputs["k"], at),
        "cos": np.concatenate([cos, cos], axis=-1),
        "sin": np.concatenate([sin, sin], axis=-1),
        # No frequency is above 1, so the angle at position 1 is the frequency.
        "inv_freq": np.arctan2(sin_1, cos_1),
    }


def _llama_turn(case: Case) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return the rotation of vectors at positions."""
    rope = case.attrs["rope"]
    base = rope["rope_theta"]
    if rope["rope_type"] == "default":
        return partial(rotary_embedding, base=base)
    d = case.inputs["q"].shape[-1]
    if rope["rope_type"] == "linear":
        # Longer texts are squeezed into the range of positions that was learned.
        frequencies = linear_frequencies(d, base, factor=rope["factor"])
    else:
        assert rope["rope_type"] == "llama3"
        frequencies = llama3_frequencies(
            d,
            base,
            factor=rope["factor"],
            low_frequency_factor=rope["low_freq_factor"],
            high_frequency_factor=rope["high_freq_factor"],
            trained_length=rope["original_max_position_embeddings"],
        )
    return partial(rotary_embedding, frequencies=frequencies)


def gptj_rope(case: Case) -> dict[str, np.ndarray]:
    turned = rotary_embedding(
        case.inputs["q"],
        case.inputs["position_ids"],
        base=case.attrs["theta"],
        interleaved=True,
    )
    return {"q_rot": turned}


def sinusoidal(case: Case) -> dict[str, np.ndarray]:
    encoding = sinusoidal_encoding(case.attrs["n"], case.attrs["d"])
    if case.attrs["layout"] == "concat":
        # All sines first, then all cosines.
        encoding = np.concatenate([encoding[:, 0::2], encoding[:, 1::2]], axis=-1)
    return {"pe": encoding}
