"""What was meant is said by options, in Python or as text."""

import re

import numpy as np
import pytest

from attnviewer.compute import Alibi, Rotary, Sinusoidal
from attnviewer.doctor.reading import parse_options, read_case
from tests.doctor.reading.layer import RNG, inputs, steps


def _spec(**options):
    given = inputs()
    return read_case(given, {"output": given["X"]}, **{"n_heads": 2, **options}).spec


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("n_heads=2,causal=true", {"n_heads": 2, "causal": True}),
        (" heads = 2 , causal ", {"heads": 2, "causal": True}),
        ("causal=False,window=3", {"causal": False, "window": 3}),
        ("window=[3,]", {"window": [3, None]}),
        ("window=none", {"window": None}),
        ("scale=1/8,softcap=2.5", {"scale": 0.125, "softcap": 2.5}),
        ("rope_base=5e5,positions=rope", {"rope_base": 5e5, "positions": "rope"}),
        ("key_lengths=[5,7]", {"key_lengths": [5, 7]}),
        (
            "positions=rope[base=500000,interleaved=1],heads=4",
            {"positions": Rotary(base=5e5, interleaved=True), "heads": 4},
        ),
    ],
)
def test_text_becomes_options(text, options) -> None:
    assert parse_options(text) == options


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("headz=1", "Did you mean 'heads'?"),
        ("heads=a", "'n_heads' parameter must be an integer of at least 1. Got 'a'"),
        ("heads=0", "'n_heads' parameter must be an integer of at least 1. Got 0"),
        (
            "window=[3",
            "It must be a list in brackets, as in [1,2]. Got '[3'",
        ),
        ("window=0", "'window' parameter must be an integer of at least 1. Got 0"),
        ("window=[1]", "'window' parameter must be (left, right)"),
        ("causal=maybe", "'causal' parameter must be True or False. Got 'maybe'"),
        ("scale=wide", "'scale' parameter must be a number. Got 'wide'"),
        ("positions=rop", "Did you mean 'rope'?"),
        ("positions=rope[base=x]", "'positions' is not understood."),
        ("normalizer=softmin", "Did you mean 'softmax'?"),
        (
            "positions=rope[sections=1:1]",
            "'positions' must be along one axis here. Got Rotary along 2 axes",
        ),
        ("rope_base=5", "'rope_base' must be given with positions = rope."),
        ("heads=2,heads=3", "'heads' must be given once."),
        ("heads=2,n_heads=2", "'n_heads' must be given once."),
        ("=3", "'spec' must be like n_heads=2,causal=true. Got '=3' in it"),
        ("heads=", "'spec' must be like n_heads=2,causal=true. Got 'heads=' in it"),
    ],
)
def test_text_that_is_wrong_is_refused(text, words) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        parse_options(text)


@pytest.mark.parametrize(
    ("options", "positions"),
    [
        ({"positions": "rope"}, Rotary()),
        ({"positions": "rope", "rope_interleaved": True}, Rotary(interleaved=True)),
        (
            {"positions": "rope", "rope_theta": 5e5, "rotary_dim": 4},
            Rotary(base=5e5, rotary_dim=4),
        ),
        ({"positions": Rotary(base=7.0), "rope_offset": 2}, Rotary(base=7.0, offset=2)),
        ({"positions": "alibi"}, Alibi()),
        ({"positions": "sinusoidal"}, Sinusoidal()),
        ({"positions": None}, None),
    ],
)
def test_positions_have_options_of_their_own(options, positions) -> None:
    assert _spec(**options).positions == positions


@pytest.mark.parametrize(
    ("options", "window"),
    [
        ({"window": 3, "causal": True}, (2, 0)),
        ({"sliding_window": np.int64(1)}, (0, 0)),
        ({"window": (3, 1)}, (3, 1)),
        ({"window": [3, None]}, (3, None)),
        ({"window": None}, None),
    ],
)
def test_a_window_of_one_number_counts_the_own_key(options, window) -> None:
    assert _spec(**options).window == window


def test_names_of_configurations_are_options() -> None:
    names = {"num_attention_heads": 4, "num_key_value_heads": 2}
    given = inputs(h=4, kv=2, d=3)
    more = {"is_causal": True, "attn_logit_softcapping": 50.0}
    spec = read_case(given, {"output": given["X"]}, **names, **more).spec
    assert (spec.n_heads, spec.kv_heads, spec.causal, spec.softcap) == (4, 2, True, 50)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"window": True}, "'window' parameter must be an integer"),
        ({"causal": 1}, "'causal' parameter must be True or False"),
        ({"n_heads": 5}, "'n_heads' must divide the 12 columns of W_Q. Got 5"),
        ({"n_kv_heads": 3}, "must be a multiple of n_kv_heads = 3"),
        ({"dtype": "float32"}, "'option' must be one of"),
        ({"query_offset": [1, 2]}, "'query_offset' parameter must be an integer"),
        ({"rope_interleaved": True}, "must be given with positions = rope"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, words) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        _spec(**options)


# ------------------------------------------------------------------------- masks

ALLOWED = np.tril(np.ones((5, 5), bool)) | (RNG(5).random((5, 5)) < 0.4)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (ALLOWED, ""),
        (ALLOWED.astype(int), ""),
        (ALLOWED.astype(np.float32), ""),
        (ALLOWED[None, None], ""),
        (np.where(ALLOWED, 0.0, -np.inf), "added to the scores: 0 lets"),
        (np.where(ALLOWED, 0.0, -1e9), "added to the scores: 0 lets"),
        (np.where(ALLOWED, 0, -10000)[None], "added to the scores: 0 lets"),
        (
            np.where(ALLOWED, 0, np.finfo(np.float32).min).astype(np.float32),
            "added to the scores: 0 lets",
        ),
    ],
)
@pytest.mark.parametrize("name", ["mask", "attention_mask", "option"])
def test_masks_are_read_in_every_form(mask, words, name) -> None:
    given = inputs()
    right = steps(given, allowed=ALLOWED)
    arrays = given if name == "option" else given | {name: mask}
    options = {"mask": mask} if name == "option" else {}
    weights = right["weights"][0]
    case = read_case(arrays, {"weights": weights}, n_heads=2, **options)
    np.testing.assert_allclose(case.right["weights"], weights, atol=1e-12)
    assert [words in note for note in case.notes] == ([True] if words else [])


def test_a_key_padding_mask_hides_where_it_is_true() -> None:
    given = inputs(batch=2)
    hidden = np.zeros((2, 5), bool)
    hidden[0, 3:] = hidden[1, 4:] = True
    right = steps(given, allowed=~hidden[:, None, None])
    case = read_case(
        given | {"key_padding_mask": hidden}, {"weights": right["weights"]}, n_heads=2
    )
    np.testing.assert_allclose(case.right["weights"], right["weights"], atol=1e-12)
    assert "1 hides a key" in case.notes[0]


@pytest.mark.parametrize("form", [lambda m: m[:, 0, 0], lambda m: m[:, 0] & ALLOWED])
def test_masks_of_batch_items_are_aligned(form) -> None:
    given = inputs(batch=2)
    kept = np.ones((2, 1, 1, 5), bool)
    kept[0, ..., 4] = False
    mask = form(kept)
    allowed = kept if mask.ndim == 2 else kept & ALLOWED
    right = steps(given, allowed=allowed)
    case = read_case(
        given | {"attention_mask": mask}, {"weights": right["weights"]}, n_heads=2
    )
    np.testing.assert_allclose(case.right["weights"], right["weights"], atol=1e-12)


def test_several_masks_hold_together() -> None:
    given = inputs() | {"mask": ALLOWED, "key_padding_mask": np.arange(5) == 0}
    case = read_case(given, {"output": given["X"]}, n_heads=2)
    seen = ALLOWED & (np.arange(5) != 0)
    np.testing.assert_array_equal(case.inputs["mask"], seen)


def test_other_numbers_are_a_bias() -> None:
    given = inputs()
    bias = RNG(6).normal(size=(2, 5, 5))
    case = read_case(given | {"attn_mask": bias}, {"output": given["X"]}, n_heads=2)
    assert case.spec.bias
    assert not case.spec.mask
    np.testing.assert_array_equal(case.inputs["bias"], bias)
    assert "'attn_mask' is read as a bias" in case.notes[0]


def test_a_mask_in_which_1_seems_to_hide_is_told() -> None:
    given = inputs() | {"attn_mask": np.triu(np.ones((5, 5), bool), 1)}
    case = read_case(given, {"output": given["X"]}, n_heads=2)
    np.testing.assert_array_equal(case.inputs["mask"], given["attn_mask"])
    assert "pass 1 - mask" in case.notes[0]
