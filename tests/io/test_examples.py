"""The bundled examples: all there, all readable, and true to their notes."""

import json
import re

import numpy as np
import pytest

import attnviewer
from attnviewer.io import ExampleInfo, FileError, example_ids, list_examples, load
from attnviewer.paths import resource

_IDS = [
    "four-words",
    "four-words-rerun",
    "journey",
    "journey-sum",
    "random-vectors",
    "two-heads",
    "narrow-keys",
    "look-back",
]


def _weight(id_: str, query: str, key: str, head: int = 0) -> float:
    document = load(f"example:{id_}")
    weights = document.compute().window("weights", head=head)
    tokens = document.tokens
    return float(weights[tokens.index(query), tokens.index(key)])


def test_examples_come_in_the_order_to_meet_them() -> None:
    assert example_ids() == _IDS
    assert list_examples()[0] == ExampleInfo(
        "four-words", "Four words, weights drawn with seed 42"
    )
    assert all(id_ in _IDS for id_ in (p.stem for p in resource("examples").iterdir()))


@pytest.mark.parametrize("id_", _IDS)
def test_an_example_has_a_title_tokens_and_two_to_four_sentences(id_: str) -> None:
    document = load(f"example:{id_}")
    assert document.title
    assert all(document.tokens)
    sentences = re.findall(r"\.(?= |$)", document.notes)
    assert 2 <= len(sentences) <= 4
    assert np.isfinite(document.compute()["output"]).all()


@pytest.mark.parametrize("id_", _IDS)
def test_an_example_opens_anew_each_time(id_: str) -> None:
    one, two = load(f"example:{id_}"), load(f"example:{id_}")
    assert one is not two
    assert not np.shares_memory(one.matrix("X"), two.matrix("X"))


@pytest.mark.parametrize("id_", _IDS)
def test_an_example_file_holds_nothing_but_printable_text(id_: str) -> None:
    content = json.loads(resource("examples", f"{id_}.json").read_text("utf-8"))
    texts = [content["title"], content["notes"], *content["tokens"]]
    assert all(text.isprintable() for text in texts)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("example:four-word", " Did you mean 'four-words'?"),
        ("example:jurney", " Did you mean 'journey'?"),
        ("example:xyz", ""),
        ("example:", ""),
        ("example:../examples/journey", " Did you mean 'journey'?"),
    ],
)
def test_an_unknown_example_names_the_nearest_and_the_list(source, told) -> None:
    with pytest.raises(FileError) as caught:
        load(source)
    assert str(caught.value).removeprefix(f"{source}: ") in (
        f"There is no such example.{told} 'attnviewer examples' lists them all.",
        "There is no such example. 'attnviewer examples' lists them all.",
    )
    if told and "/" not in source:
        assert told in str(caught.value)


def test_an_empty_source_asks_for_one() -> None:
    with pytest.raises(FileError, match="Name a file, or example:ID for an example"):
        load("")


def test_four_words_is_as_its_notes_say() -> None:
    trace = load("example:four-words").compute()
    for step in ("X", "Q", "K", "V"):
        assert (trace[step][0] + trace[step][1]).tolist() == trace[step][2].tolist()
    weights = trace["weights"]
    assert (weights[:, 2] == weights.max(axis=1)).all()
    assert weights[1, 0] == weights[1, 2]
    assert not trace["V"][3].any()


def test_the_rerun_is_as_its_notes_say() -> None:
    document = load("example:four-words-rerun")
    trace = document.compute()
    # The weights that the notebook prints were drawn by randint(9), the fifth draw.
    (recipe,) = document.recipes
    printed = [numbers.astype(int).tolist() for _, numbers in recipe.draw()][4]
    assert f"W_Q = {printed}, which an earlier run drew by randint(9)" in document.notes
    assert max(map(max, printed)) > 2
    assert (np.array(printed)[0] != trace["Q"][0]).any()  # word 1 is (1, 0, 0)
    assert trace["Q"][0].tolist() == trace["Q"][3].tolist()
    assert not trace["scores"][:, :3].any()
    assert trace["scores"][:, 3].all()
    output = trace["output"]
    assert output[0].tolist() == output[1].tolist() == output[3].tolist()
    assert output[2].tolist() != output[0].tolist()


def test_journey_is_as_its_notes_say() -> None:
    trace = load("example:journey").compute()
    weights = trace["weights"]
    assert np.abs(weights[1] - weights[2]).max() < 0.003
    assert weights.max() < 0.24
    summed = load("example:journey-sum").compute()
    assert (summed["scores"] > 0).all()
    np.testing.assert_allclose(summed["weights"].sum(axis=1), 1.0, atol=1e-15)


def test_random_vectors_is_as_its_notes_say() -> None:
    document = load("example:random-vectors")
    assert all(0 <= int(token) < 100 for token in document.tokens)
    trace = document.compute()
    lengths = np.linalg.norm(trace["X"], axis=1)
    weights = trace["weights"]
    assert lengths.argmin() == 1
    assert lengths.argmax() == 0
    assert np.ptp(weights, axis=1).argmin() == 1
    assert (weights.argmax(axis=1) == 0).all()


def test_head_0_of_two_heads_looks_at_the_previous_token() -> None:
    document = load("example:two-heads")
    weights = document.compute()["weights"]
    assert (weights[0, range(1, 7), range(6)] > 0.9).all()
    assert weights[0, 0, 0] == weights[1, 0, 0] == 1.0


@pytest.mark.parametrize("query", ["slept", "it", "was", "tired"])
def test_head_1_of_two_heads_looks_for_the_noun(query: str) -> None:
    assert _weight("two-heads", query, "cat", head=1) > 0.9
    others = ("The", "because", "it")
    assert all(_weight("two-heads", query, key, head=1) < 0.02 for key in others)


def test_because_asks_for_nothing_and_spreads_evenly_over_what_it_may_see() -> None:
    weights = load("example:two-heads").compute()["weights"]
    assert weights[1, 3].tolist() == [0.25] * 4 + [0.0] * 3


def test_no_query_of_two_heads_sees_a_later_key() -> None:
    weights = load("example:two-heads").compute()["weights"]
    assert not np.triu(weights, k=1).any()


def test_w_o_of_two_heads_swaps_what_the_heads_found() -> None:
    trace = load("example:two-heads").compute()
    heads, output = trace["heads"], trace["output"]
    np.testing.assert_allclose(output[:, :4], heads[1], atol=1e-15)
    np.testing.assert_allclose(output[:, 4:], heads[0], atol=1e-15)


def test_narrow_keys_are_narrower_than_the_embeddings() -> None:
    trace = load("example:narrow-keys").compute()
    assert trace.shape("X")[1] == 4
    assert trace.shape("Q")[1] == trace.shape("K")[1] == 2
    assert trace.shape("V")[1] == trace.shape("output")[1] == 3
    np.testing.assert_allclose(trace["scaled"] * 2**0.5, trace["scores"], rtol=1e-15)


def test_nouns_of_narrow_keys_take_over_their_own_colour() -> None:
    document = load("example:narrow-keys")
    assert _weight("narrow-keys", "apple", "red") > 0.9
    assert _weight("narrow-keys", "pear", "green") > 0.9
    output = document.compute()["output"]
    apple, pear = (document.tokens.index(noun) for noun in ("apple", "pear"))
    assert output[apple, 0] > 0.9 > 0.1 > output[apple, 1]
    assert output[pear, 1] > 0.9 > 0.1 > output[pear, 0]


def test_the_numbers_of_look_back_are_drawn_as_its_notes_say() -> None:
    document = load("example:look-back")
    rng = np.random.default_rng(0)
    for name, deviation in {"X": 1.0, "W_Q": 0.3, "W_K": 0.3, "W_V": 0.3}.items():
        matrix = document.matrix(name)
        drawn = (rng.normal(size=matrix.shape) * deviation).round(2)
        assert matrix.tolist() == drawn.tolist()
    weights = document.compute()["weights"]
    assert weights[range(1, 8), range(7)].mean() < 0.1


def test_look_back_learns_what_its_notes_say() -> None:
    document = load("example:look-back")
    training = attnviewer.train(document, attnviewer.tasks.copy_previous(), lr=0.01)
    after = training.document(100)
    assert (after.compute()["weights"][range(1, 8), range(7)] > 0.9).all()
    assert after.matrix("W_V").tolist() == document.matrix("W_V").tolist()
    assert after.matrix("W_Q").tolist() != document.matrix("W_Q").tolist()


def test_look_back_learns_it_for_any_tokens() -> None:
    document = load("example:look-back")
    task = attnviewer.tasks.copy_previous()
    after = attnviewer.train(document, task, batch=16).document(300)
    means = []
    for seed in range(5):
        matrices = dict(after.matrices)
        matrices["X"] = np.random.default_rng(seed).permutation(after.matrix("X"))
        weights = after.with_matrices(matrices).compute()["weights"]
        means.append(weights[range(1, 8), range(7)].mean())
    assert min(means) > 0.9
