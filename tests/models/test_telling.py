"""What a real model opens on, for sentences of different kinds."""

import pytest

from attnviewer import models
from attnviewer.models.heads import ModelHeads
from attnviewer.models.telling import telling_head

FOUND = {
    "The animal didn't cross the street because it was too tired.": (
        "L3 H1: it → animal, 0.68"
    ),
    "The trophy doesn't fit in the suitcase because it is too big.": (
        "L5 H4: too → trophy, 0.65"
    ),
    "The keys to the old wooden cabinet are on the table.": "L3 H1: are → keys, 0.81",
    "Although the dogs near the house bark, the cat sleeps.": (
        "L5 H4: dogs → cat, 0.66"
    ),
    "“I will come back,” said the old man, and he closed the door.": (
        "L5 H9: back → closed, 0.63"
    ),
    "for i in range(10): print(i * 2)": "L2 H9: i → i, 0.73",
    "def add(a, b): return a + b": "L5 H9: + → add, 0.81",
    "We need apples, pears, plums, bread, butter and milk.": (
        "L0 H4: bread → butter, 0.63"
    ),
    "The cat saw the cat that the cat had seen.": "L2 H9: cat → cat, 0.77",
    "Time flies like an arrow; fruit flies like a banana.": "L5 H2: flies → time, 0.79",
    "What is the capital of France?": "L3 H1: what → capital, 0.97",
    # Foreign words are in pieces: those of “weil” and “Katze”.
    "Der Hund hat die Katze nicht gesehen, weil sie hinter dem Baum saß.": (
        "L5 H5: wei → katz, 0.62"
    ),
    "Hello world": "",
}


@pytest.fixture(scope="module")
def model(minilm):
    return models.load(minilm)


def told(model, sentence):
    run = model.run(sentence)
    heads = ModelHeads(run)
    best = None
    for layer in range(model.n_layers):
        heads.compute(layer)
        best = telling_head(heads, layer, best)
    if best is None:
        return ""
    (query, key, weight), tokens = best.cell, heads.tokens
    return f"{best.location.name}: {tokens[query]} → {tokens[key]}, {weight:.2f}"


@pytest.mark.parametrize(("sentence", "found"), FOUND.items())
def test_a_sentence_opens_on_a_strong_weight_between_distant_words(
    model, sentence, found
) -> None:
    assert told(model, sentence) == found
