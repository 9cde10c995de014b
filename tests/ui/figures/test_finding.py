"""The sentence of a caption that says what stands out in the weights."""

import math

import numpy as np
import pytest

from attnviewer import attention
from attnviewer.document import Labels
from attnviewer.io.export import Computation
from attnviewer.ui.figures.caption import caption_of
from attnviewer.ui.figures.panel import Panel

WORDS = ("The", "cat", "slept", "because", "it", "purred")


def whole(strength, query=4, key=1, labels=WORDS, heads=(), **options):
    """Return even attention, but for one score of a query, which is given."""
    n = len(labels)
    scores = np.zeros((*heads, n, n))
    scores[(*(size - 1 for size in heads), query, key)] = strength
    # Queries that pick the columns of the scores.
    k = np.broadcast_to(np.eye(n), scores.shape)
    trace = attention(scores, k, k, scale=1.0, **options)
    return Computation("Made", Labels(labels, labels), trace)


def sentence(computation, **panel):
    caption = caption_of([Panel(computation, **panel)])
    found = [one for one in caption.split(". ") if " gives " in one]
    return found[0].rstrip(".") if found else ""


def share(strength):
    """Return the weight of one score among five zeros, by the definition."""
    return math.exp(strength) / (math.exp(strength) + 5)


@pytest.mark.parametrize("strength", [2.0, 2.5, 3.0, 4.0])
@pytest.mark.parametrize("view", ["heatmap", "lines", "table"])
def test_the_share_that_is_stated_is_the_softmax_of_the_score(strength, view):
    stated = f"{share(strength):.2f}"
    expected = f"The query “it” gives {stated} of its attention to “cat”"
    assert sentence(whole(strength), view=view) == expected


def test_nothing_is_stated_where_no_key_has_the_majority():
    assert share(1.5) < 0.5 < share(1.7)
    assert not sentence(whole(1.5))
    assert sentence(whole(1.7))
    assert not sentence(whole(0.0))


@pytest.mark.parametrize(
    ("query", "key"), [(4, 0), (4, 4), (4, 3)], ids=["first", "itself", "neighbour"]
)
def test_weights_that_most_heads_have_are_no_finding(query, key):
    assert not sentence(whole(4.0, query, key))


def test_a_selected_weight_is_stated_if_it_has_the_majority():
    even, strong = whole(0.0), whole(4.0, 4, 4)
    assert not sentence(even, cell=(4, 4))
    expected = f"The query “it” gives {share(4.0):.2f} of its attention to “it”"
    assert sentence(strong, cell=(4, 4)) == expected
    assert not sentence(whole(4.0), cell=(0, 1))


def test_all_of_the_attention_is_called_so():
    assert sentence(whole(30.0)) == (
        "The query “it” gives all of its attention to “cat”"
    )


def test_a_token_that_occurs_twice_is_told_by_its_position():
    labels = ("The", "cat", "saw", "the", "other", "cat")
    assert sentence(whole(3.0, 5, 1, labels)) == (
        f"The query “cat” (position 5) gives {share(3.0):.2f} of its attention to "
        "“cat” (position 1)"
    )


def test_tokens_are_named_as_they_are_labelled():
    labels = ("The", "\x1bcat\n", "slept", "because", "it", "purred")
    assert sentence(whole(30.0, labels=labels)) == (
        "The query “it” gives all of its attention to “�cat⏎”"
    )


def test_all_heads_say_which_head_it_is():
    found = sentence(whole(3.0, heads=(3,)), view="heads")
    assert found.startswith("In head 2, the query “it” gives")
    assert not sentence(whole(3.0, heads=(3,)), head=0)


def test_weights_that_are_no_shares_and_other_steps_have_no_finding():
    assert not sentence(whole(3.0), step="scores")
    assert not sentence(whole(3.0), view="how", step="scores")
    assert not sentence(whole(3.0, normalizer="sigmoid"))
    unnamed = Computation("Made", Labels((), ()), whole(3.0).trace)
    assert not sentence(unnamed)


def test_a_finding_is_stated_once_in_a_figure():
    made = whole(3.0, heads=(3,))
    panels = [
        Panel(made, head=2),
        Panel(made, head=2, view="lines"),
        Panel(made, view="heads"),
    ]
    caption = caption_of(panels)
    assert caption.count(" gives ") == 1
    assert "(c) All 3 heads, on the axes of (a)." in caption
