"""Whatever the arrays are, they are read or refused in a sentence."""

import numpy as np
from hypothesis import given as any_of
from hypothesis import settings
from hypothesis import strategies as st

from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import inputs, steps

INPUTS = [
    *("X", "W_Q", "W_K", "W_O", "b_Q", "b_O", "mask", "Q", "K", "V", "context", "P"),
    *("in_proj_weight", "q_proj.weight", "qkv", "key_padding_mask", "attn_mask"),
    *("extra_keys", "extra_values", "values", "bias", "weights", "scores", "other"),
]
STEPS = [
    *("Q", "K", "V", "Q_rotated", "scores", "scaled", "masked", "weights", "heads"),
    *("concatenated", "output", "attn_output", "context_layer", "attention_scores"),
    *("query_states", "biased", "nonsense"),
]
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "n_heads": st.sampled_from([1, 2, 3]),
        "n_kv_heads": st.sampled_from([1, 2]),
        "causal": st.booleans(),
        "window": st.sampled_from([1, 3, (1, 0), (None, 2)]),
        "positions": st.sampled_from(["rope", "alibi", "sinusoidal"]),
        "key_lengths": st.sampled_from([2, [1, 2], 9]),
        "query_offset": st.sampled_from([1, [0, 1]]),
        "batch_first": st.booleans(),
        "W_O": st.booleans(),
    },
)
SHAPES = st.lists(st.sampled_from([1, 2, 4, 5, 6, 12]), max_size=5)
NUMBERS = st.sampled_from([0.0, 1.0, -1e9, 1e300, np.nan, -np.inf, 0.5])
TURNS = st.sampled_from([(0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2), (1, 0, 2, 3)])


@st.composite
def _arrays(draw, names):
    found = {}
    for name in draw(st.lists(st.sampled_from(names), max_size=2)):
        shape = draw(SHAPES)
        found[name] = np.random.default_rng(len(found)).normal(size=shape)
        if found[name].size:
            found[name].flat[0] = draw(NUMBERS)
    return found


@settings(max_examples=120)
@any_of(
    _arrays(INPUTS),
    _arrays(STEPS),
    st.sampled_from(["embedded", "given", "nothing"]),
    st.sampled_from([None, 1, 2]),
    st.lists(st.sampled_from(STEPS), max_size=2),
    TURNS,
    OPTIONS,
)
def test_arrays_are_read_or_refused(odd, mine, kind, batch, right, turn, options):
    layer = inputs(n=4, batch=batch)
    found = steps(layer)
    base = layer if kind == "embedded" else {n: found[n] for n in "QKV"}
    for name in right:
        array = found.get(name, found["weights"])
        mine[name] = array.transpose(turn) if array.ndim == 4 else array
    refusal = ""
    try:
        case = read_case({} if kind == "nothing" else base | odd, mine, **options)
    except ValueError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith("The '")
        assert "Got " in refusal
    else:
        assert case.mine
        assert set(case.mine) <= set(case.plan.steps)
