"""Captions, as people write them."""

import numpy as np
import pytest

from attnviewer import attention, load_example, multi_head_attention
from attnviewer.document import Labels
from attnviewer.io.export import Computation
from attnviewer.ui.figures.caption import caption_of
from attnviewer.ui.figures.composing import wrapped
from attnviewer.ui.figures.panel import Compared, Panel
from attnviewer.ui.figures.style import CAPTION
from attnviewer.ui.figures.typeface import typeface
from tests.ui.figures.measuring import computation

ONE = (np.eye(3),) * 3


def traced(trace):
    return Computation("Traced", Labels((), ()), trace)


@pytest.mark.parametrize(
    ("what", "panel", "caption"),
    [
        (
            computation(3, heads=(8,), causal=True),
            {},
            "Attention weights of head 0 of 8, causal mask, scaled dot product. "
            "Masked cells are grey.",
        ),
        (
            computation(3, heads=(8,)),
            {"view": "heads"},
            "Attention weights of all 8 heads, no mask, scaled dot product.",
        ),
        (
            computation(1, causal=True),
            {},
            "Attention weights, causal mask, scaled dot product.",
        ),
        (computation(3), {"step": "Q"}, "Queries Q."),
        (computation(3), {"step": "scores"}, "Scores, dot product."),
        (
            computation(3, scale=0.25),
            {},
            "Attention weights, no mask, dot product times 0.25.",
        ),
        (
            computation(3, score="cosine", normalizer="sparsemax"),
            {},
            "Attention weights, no mask, cosine, sparsemax.",
        ),
        (
            computation(3, window=(1, 0), temperature=2.0),
            {"view": "table"},
            "Attention weights, window of 1 key before and 0 after, scaled dot "
            "product, temperature 2.",
        ),
        (
            computation(3),
            {"place": "layer 3 of all-MiniLM-L6-v2"},
            "Attention weights in layer 3 of all-MiniLM-L6-v2, no mask, scaled dot "
            "product.",
        ),
        (
            computation(2),
            {"view": "lines", "threshold": 0.3},
            "Attention weights, no mask, scaled dot product. Queries are on the left, "
            "keys on the right. The width of a line shows the weight; weights below "
            "0.3 are not drawn.",
        ),
        (
            computation(2, heads=(4,)),
            {"view": "lines", "threshold": 0.3, "heads": (0, 1, 3)},
            "Attention weights of heads 0, 1 and 3 of 4, no mask, scaled dot product. "
            "Queries are on the left, keys on the right. The width of a line shows the "
            "weight; weights below 0.3 are not drawn. Each head has its own colour.",
        ),
        (
            computation(2, heads=(4,)),
            {"combination": "mean"},
            "Attention weights, mean over all 4 heads, no mask, scaled dot product.",
        ),
        (
            computation(2, heads=(4,)),
            {"combination": "max", "heads": (1, 3)},
            "Attention weights, maximum over heads 1 and 3 of 4, no mask, scaled dot "
            "product.",
        ),
        (
            computation(2),
            {"cell": (1, 0)},
            "Attention weights, no mask, scaled dot product. The number of query "
            "“quick” and key “the” is framed.",
        ),
        (
            computation(2),
            {"view": "how", "cell": (1, 0)},
            "Attention weights, no mask, scaled dot product. The number of query "
            "“quick” and key “the” is framed.",
        ),
    ],
)
def test_a_caption_says_step_head_mask_and_score(what, panel, caption):
    assert caption_of([Panel(what, **panel)]) == caption


def test_tokens_are_named_as_they_are_labelled():
    tokens = ("\x1bcat\n", " ")
    panel = Panel(computation(2, labels=(tokens, tokens)), cell=(0, 1))
    assert caption_of([panel]).endswith("query “�cat⏎” and key “␣” is framed.")


def test_keys_shared_by_heads_are_counted_as_heads_of_their_own():
    x, w, w_kv = np.eye(4), np.eye(4), np.eye(4)[:, :2]
    trace = multi_head_attention(x, w, w_kv, w_kv, n_heads=4, n_kv_heads=2)
    panel = Panel(traced(trace), "K" if trace.n_heads("K") == 2 else "split K", head=3)
    assert " of head 1 of 2" in caption_of([panel])


def test_a_difference_names_both_sides():
    before, after = (
        Computation.of(load_example(id)) for id in ("four-words", "four-words-rerun")
    )
    panel = Panel(after, view="difference", compared=Compared.of(before))
    assert caption_of([panel]) == (
        "Difference B − A of attention weights, no mask, scaled dot product. "
        f"A: {before.title}. B: {after.title}."
    )


def test_a_difference_of_two_computations_without_names_of_their_own_names_none():
    one, other = (traced(attention(*ONE)) for _ in range(2))
    panel = Panel(one, view="difference", compared=Compared.of(other))
    assert " A: " not in caption_of([panel])


def test_several_panels_have_their_letters():
    panels = [Panel(traced(attention(*ONE)), step) for step in ("Q", "K")]
    assert caption_of(panels) == "(a) Queries Q. (b) Keys K."


def test_what_holds_for_several_panels_is_said_once():
    what = computation(3, causal=True)
    panels = [Panel(what, step) for step in ("masked", "weights", "output")]
    text = caption_of(panels)
    assert text.count("Masked cells are grey.") == 1
    assert text.endswith(
        "(c) Output, causal mask, scaled dot product. Masked cells are grey."
    )


def test_lines_of_a_caption_fit_its_width_and_lose_no_word():
    text = caption_of([Panel(computation(3, heads=(8,), causal=True))])
    face = typeface("serif")
    lines = list(wrapped(text, 120.0, face))
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(face.width(line, CAPTION) <= 120 for line in lines)


def test_a_word_that_is_wider_than_the_caption_is_broken():
    word, face = "abcdefghij" * 12, typeface("serif")
    lines = list(wrapped(f"The query “{word}” attends", 120.0, face))
    assert lines[0] == "The query"
    assert "".join(lines).endswith("” attends")
    assert "".join(lines).count(word) == 1
    assert all(face.width(line, CAPTION) <= 120 for line in lines)
    assert list(wrapped("abc", 0.5, face)) == ["a", "b", "c"]
