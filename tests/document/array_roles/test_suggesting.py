"""What arrays are taken for, by their names and by what fits."""

import pytest

from attnviewer.document.array_roles.pick import HEADS, Pick
from attnviewer.document.array_roles.problems import N_HEADS
from attnviewer.document.array_roles.suggesting import BLOCK, suggest, unclear

BERT = "bert.encoder.layer.{}.attention."


def layer(number, size=8):
    names = {f"self.{n}" for n in ("query", "key", "value")} | {"output.dense"}
    found = {}
    for name in sorted(names):
        found[BERT.format(number) + name + ".weight"] = (size, size)
        found[BERT.format(number) + name + ".bias"] = (size,)
    found[f"bert.encoder.layer.{number}.output.dense.weight"] = (size, 4 * size)
    return found


def roles(shapes, **more):
    picks = suggest(shapes, **more).assignment.picks
    return {role: str(pick) for role, pick in picks.items()}


def doubts(shapes):
    return unclear(suggest(shapes), shapes)


@pytest.mark.parametrize(
    ("shape", "axes"), [((2, 5, 8), "first axis"), ((2, 3, 5, 8), "first 2 axes")]
)
def test_axes_of_which_the_first_index_is_taken_are_told(shape, axes):
    shapes = {"X": shape} | {f"W_{letter}": (8, 8) for letter in "QKV"}
    told = f"Its shape is {shape}. Of the {axes}, index 0 is used."
    assert suggest(shapes).doubts == {"X": told}


def test_exact_names_that_fit_are_clear():
    shapes = {
        "X": (4, 3),
        "W_Q": (3, 3),
        "W_K": (3, 3),
        "W_V": (3, 2),
        "scores": (4, 4),
    }
    assert roles(shapes) == {n: n for n in ("X", "W_Q", "W_K", "W_V")}
    assert doubts(shapes) == {}


def test_what_fits_only_transposed_is_transposed():
    shapes = {"x": (4, 3), "wq": (2, 3), "wk": (2, 3), "wv": (5, 3)}
    assert roles(shapes) == {"X": "x", "W_Q": "wq.T", "W_K": "wk.T", "W_V": "wv.T"}
    assert doubts(shapes) == {}


def test_weights_are_recognised_with_an_underscore_as_their_biases_are():
    shapes = {"x": (4, 3)} | {f"{n}_weight": (3, 3) for n in ("q", "key", "v", "out")}
    shapes |= {"q_bias": (3,)}
    assert roles(shapes) == {
        "X": "x",
        "W_Q": "q_weight",
        "W_K": "key_weight",
        "W_V": "v_weight",
        "W_O": "out_weight",
        "b_Q": "q_bias",
    }


@pytest.mark.parametrize(
    "pattern",
    [
        *("{}_weights", "{} weights", "weights_{}", "weight_{}", "W{}"),
        *("{}_matrix", "{}_weight_matrix"),
    ],
)
def test_weights_are_recognised_by_words_as_people_write_them(pattern):
    names = {n[0].upper(): pattern.format(n) for n in ("query", "key", "value")}
    shapes = {"embeddings": (4, 3)} | dict.fromkeys(names.values(), (3, 2))
    assert roles(shapes) == {"X": "embeddings"} | {
        f"W_{letter}": name for letter, name in names.items()
    }
    assert doubts(shapes) == {}


@pytest.mark.parametrize("pattern", ["{}_states", "{}_layer"])
def test_queries_keys_and_values_are_recognised_by_names_of_transformers(pattern):
    names = {n[0].upper(): pattern.format(n) for n in ("query", "key", "value")}
    assert roles(dict.fromkeys(names.values(), (3, 2))) == names


def test_a_square_weight_of_a_layer_is_transposed_and_told_of():
    shapes = {"emb": (4, 3)}
    shapes |= {f"attn.{n}_proj.weight": (3, 3) for n in "qkv"}
    assert roles(shapes) == {
        "X": "emb",
        "W_Q": "attn.q_proj.weight.T",
        "W_K": "attn.k_proj.weight.T",
        "W_V": "attn.v_proj.weight.T",
    }
    assert doubts(shapes).keys() == {"W_Q", "W_K", "W_V", N_HEADS}


def test_a_fused_weight_of_pytorch_is_taken_in_thirds():
    shapes = {"in_proj_weight": (24, 8), "in_proj_bias": (24,)}
    assert roles(shapes | {"X": (5, 8)}) == {
        "X": "X",
        "W_Q": "in_proj_weight.T:1/3",
        "W_K": "in_proj_weight.T:2/3",
        "W_V": "in_proj_weight.T:3/3",
        "b_Q": "in_proj_bias:1/3",
        "b_K": "in_proj_bias:2/3",
        "b_V": "in_proj_bias:3/3",
    }


def test_a_fused_weight_of_gpt_2_is_not_transposed():
    shapes = {"h.0.attn.c_attn.weight": (6, 18), "h.0.attn.c_proj.weight": (6, 6)}
    shapes |= {"h.0.mlp.c_proj.weight": (24, 6), "wte.weight": (50257, 6)}
    assert roles(shapes) == {
        "W_Q": "h.0.attn.c_attn.weight:1/3",
        "W_K": "h.0.attn.c_attn.weight:2/3",
        "W_V": "h.0.attn.c_attn.weight:3/3",
        "W_O": "h.0.attn.c_proj.weight",
    }
    assert doubts(shapes).keys() == {"X", N_HEADS}


def test_one_of_several_layers_is_taken_as_a_whole():
    shapes = layer(0) | layer(1)
    first, second = BERT.format(0), BERT.format(1)
    suggestion = suggest(shapes)
    assert suggestion.blocks == (first, second)
    assert BLOCK in suggestion.doubts
    assert roles(shapes)["W_O"] == f"{first}output.dense.weight.T"
    assert roles(shapes, block=second) == {
        "W_Q": f"{second}self.query.weight.T",
        "W_K": f"{second}self.key.weight.T",
        "W_V": f"{second}self.value.weight.T",
        "W_O": f"{second}output.dense.weight.T",
        "b_Q": f"{second}self.query.bias",
        "b_K": f"{second}self.key.bias",
        "b_V": f"{second}self.value.bias",
        "b_O": f"{second}output.dense.bias",
    }
    assert BLOCK not in suggest(shapes, block=second).doubts


def test_heads_in_an_axis_of_their_own_are_counted():
    shapes = {"X": (4, 8), "b_Q": (2, 4), "W_O": (2, 4, 8)}
    shapes |= {f"W_{n}": (2, 8, 4) for n in "QKV"}
    suggestion = suggest(shapes)
    picks = suggestion.assignment.picks
    assert picks["W_Q"] == Pick("W_Q", (HEADS, None, None))
    assert picks["b_Q"] == Pick("b_Q", (HEADS, None))
    assert suggestion.assignment.n_heads == 2
    assert doubts(shapes).keys() == {"W_Q", "W_K", "W_V", "W_O"}


def test_heads_between_rows_and_columns_are_found_by_what_fits():
    shapes = {"X": (5, 8), "query/kernel": (8, 2, 4), "key/kernel": (8, 2, 4)}
    shapes |= {"value/kernel": (8, 2, 4), "out/kernel": (2, 4, 8)}
    found = roles(shapes)
    assert found["W_K"] == "key/kernel[:,heads,:]"
    assert found["W_O"] == "out/kernel[heads,:,:]"


def test_layers_and_batches_begin_with_the_first():
    shapes = {"X": (1, 4, 8)} | {f"W_{n}": (12, 2, 8, 4) for n in "QKV"}
    assert roles(shapes)["X"] == "X[0,:,:]"
    assert roles(shapes)["W_Q"] == "W_Q[0,heads,:,:]"
    assert "X" not in doubts(shapes)
    assert "index 0" in doubts({"X": (7, 4, 8)})["X"]


def test_queries_keys_and_values_are_taken_as_given():
    shapes = {"queries": (4, 3), "keys": (6, 3), "values": (6, 2), "mask": (4, 6)}
    assert roles(shapes) == {
        "Q": "queries",
        "K": "keys",
        "V": "values",
        "mask": "mask",
    }
    assert doubts(shapes) == {}


def test_weights_come_before_the_steps_that_they_make():
    shapes = {"X": (4, 3)} | {f"W_{n}": (3, 3) for n in "QKV"}
    shapes |= dict.fromkeys("QKV", (4, 3))
    assert roles(shapes).keys() == {"X", "W_Q", "W_K", "W_V"}


def test_a_single_array_is_taken_for_embeddings():
    assert roles({"some sheet": (4, 3)}) == {"X": "some sheet"}
    assert doubts({"some sheet": (4, 3)}) == {}


@pytest.mark.parametrize(
    "shapes",
    [
        {"one": (4, 3), "two": (3, 3)},
        {"x": (4, 3), "emb": (4, 3)},
        {"sheet": (4, 8)} | {f"W_{n}": (8, 8) for n in "QKV"},
        {f"W_{n}": (8, 8) for n in "QKV"},
    ],
)
def test_what_is_guessed_of_embeddings_is_said(shapes):
    assert doubts(shapes).keys() == {"X"}


def test_what_is_named_and_does_not_fit_is_told():
    shapes = {"X": (4, 3), "W_Q": (5, 5), "W_K": (3, 5), "W_V": (3, 3)}
    assert doubts(shapes) == {"W_Q": "It has 5 rows; X has 3 columns."}
