"""Groups of tokens: found, named by hand, and kept when tokens come, go and move."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, EditError, Replace
from attnviewer.document.found_groups import segments, sentences, speakers, words
from attnviewer.document.grouping import find_groups, group_tokens, take_groups, ungroup
from attnviewer.document.replacement import replacement
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
    rename_token,
    set_sentence,
)
from attnviewer.document.token_groups import TokenGroup
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.resizing import plan_dimensions


def grouped(**parts):
    tokens = ["a", "b", "c", "d", "e"]
    groups = [TokenGroup("ab", 0, 2), TokenGroup("cde", 2, 5)]
    spec = Spec(projected=False)
    return Document("", tokens, {"X": np.eye(5)}, spec, groups=groups, **parts)


def spans(groups):
    return [tuple(group) for group in groups]


def after(edit):
    """Return the groups after an edit, which undo takes back."""
    document = grouped()
    before = document.groups
    inverse = document.apply(edit(document))
    found = spans(document.groups)
    document.apply(inverse)
    assert document.groups == before
    return found


def test_groups_follow_their_tokens():
    row = np.ones((1, 5))
    inside = after(lambda d: insert_tokens(d, "X", 3, ["new"], row, ""))
    assert inside == [("ab", 0, 2), ("cde", 2, 6)]
    between = after(lambda d: insert_tokens(d, "X", 2, ["new"], row, ""))
    assert between == [("ab", 0, 2), ("cde", 3, 6)]
    cut = after(lambda d: remove_tokens(d, "X", 1, 2, ""))
    assert cut == [("ab", 0, 1), ("cde", 1, 3)]
    gone = after(lambda d: remove_tokens(d, "X", 0, 2, ""))
    assert gone == [("cde", 0, 3)]
    torn = after(lambda d: move_tokens(d, "X", 4, 1, 0, ""))
    assert torn == [("ab", 1, 3), ("cde", 3, 5)]
    copied = after(lambda d: duplicate_tokens(d, "X", 0, 2, ""))
    assert copied == [("ab", 0, 2), ("cde", 4, 7)]
    renamed = after(lambda d: rename_token(d, "X", 0, "A", ""))
    assert renamed == [("ab", 0, 2), ("cde", 2, 5)]
    rows = np.ones((3, 5))
    other = after(lambda d: set_sentence(d, "X", ["d", "x", "e"], rows, ""))
    assert other == [("cde", 0, 3)]
    fewer = after(lambda d: plan_dimensions(d, replace(Dimensions.of(d), n=3)).edit(""))
    assert fewer == [("ab", 0, 2), ("cde", 2, 3)]


def test_groups_by_hand_replace_those_that_they_overlap():
    named = after(lambda d: group_tokens(d, 3, 5, "end", ""))
    assert named == [("ab", 0, 2), ("end", 3, 5)]
    assert after(lambda d: ungroup("")) == []
    document = grouped()
    other = grouped()
    other.apply(ungroup(""))
    document.apply(replacement(document, other, ""))
    assert document.groups == ()


def test_tokens_that_begin_alike_take_over_groups_up_to_where_they_differ():
    def of(text, *groups):
        tokens = text.split()
        return Document(
            "",
            tokens,
            {"X": np.zeros((len(tokens), 2))},
            Spec(projected=False),
            groups=groups,
        )

    mine, whole = TokenGroup("mine", 1, 3), TokenGroup("unusual", 3, 6)
    shorter = of("a b c un ##u", mine, TokenGroup("unu", 3, 5))
    longer = of("a b c un ##u ##sual d e", whole, TokenGroup("de", 6, 8))
    take_groups(longer, shorter)
    assert longer.groups == (mine, whole, TokenGroup("de", 6, 8))
    # Back again, a word that is not there yet is what there is of it.
    back = of("a b c un ##u", TokenGroup("unu", 3, 5))
    take_groups(back, longer)
    assert back.groups == shorter.groups
    without = of("a b c un ##u")
    take_groups(back, without)
    assert back.groups == ()
    other = of("z b c un ##u", TokenGroup("unu", 3, 5))
    take_groups(other, shorter)
    assert other.groups == (TokenGroup("unu", 3, 5),)


def test_keys_of_a_second_sequence_have_groups_of_their_own():
    document = Document(
        "",
        ["Hello", "."],
        {"X": np.eye(2), "context": np.eye(3, 2)},
        Spec(projected=False, context=True),
        context_tokens=["token", "##izer", "x"],
    )
    document.apply(group_tokens(document, 0, 2, "greeting", ""))
    document.apply(group_tokens(document, 1, 3, "rest", "", keys=True))
    assert spans(document.groups) == [("greeting", 0, 2)]
    assert spans(document.key_groups) == [("rest", 1, 3)]
    document.apply(find_groups(document, "words", ""))
    assert document.groups == ()
    assert spans(document.key_groups) == [("tokenizer", 0, 2)]
    with pytest.raises(EditError, match="must have a separator"):
        find_groups(document, "segments", "")


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([TokenGroup("x", 0, 6)], "must lie among the 5 tokens"),
        ([TokenGroup("x", 2, 2)], "must lie among the 5 tokens"),
        ([TokenGroup("", 0, 2)], "must have names of 1 to 200 characters"),
        ([TokenGroup("x", 0, 3), TokenGroup("y", 2, 4)], "must not overlap"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups, reason):
    document = grouped()
    with pytest.raises(EditError, match=reason):
        document.apply(Replace("", groups=groups))
    assert len(document.groups) == 2


def test_words_of_every_kind_of_tokenizer():
    bert = [
        "[CLS]",
        "the",
        "token",
        "##izer",
        "un",
        "##believ",
        "##ably",
        "splits",
        "don",
        "'",
        "t",
        "[SEP]",
    ]
    assert spans(words(bert)) == [("tokenizer", 2, 4), ("unbelievably", 4, 7)]
    # The pre-tokenizer of GPT-2 splits letters, digits and punctuation from each other.
    gpt2 = ["Un", "believ", "able", ",", "␣don", "'t", "␣3", "5", "km", ".", '"']
    assert spans(words(gpt2)) == [("Unbelievable", 0, 3), ("35", 6, 8), ('."', 9, 11)]
    raw = ["<s>", "▁token", "izer", "</s>", "▁caf", "<0xC3>", "<0xA9>"]
    assert spans(words(raw)) == [("tokenizer", 1, 3), ("café", 4, 7)]
    assert words(["the", "cat"]) == ()


@pytest.mark.parametrize(
    ("tokens", "named"),
    [
        # Llama 2 spells a line break as a byte; it ends a word.
        (["▁to", "p", "<0x0A>", "bott", "om"], [("top", 0, 2), ("bottom", 3, 5)]),
        # An ellipsis is no letter; what is left of a character that was cut off is one.
        (
            ["▁na", "<0xC3>", "<0xAF>ve", "<0xE2><0x80>", "<0xA6>"],
            [("naïve", 0, 3), ("…", 3, 5)],
        ),
        (
            ["␣<0xE6><0x9D>", "<0xB1><0xE4>", "<0xBA>", "<0xAC>", "<0xE6>"],
            [("東京<0xE6>", 0, 5)],
        ),
        # T5's blank that is a token of its own, as its word_ids say.
        (["▁a", "▁", "blank", "et", ".", "▁"], [("blanket", 1, 4)]),
        (["▁", "⏎", "▁", "▁x"], []),
        # Raw spellings of GPT-2.
        (["Ġli", "ne", "Ċ", "ne", "xt"], [("line", 0, 2), ("next", 3, 5)]),
    ],
)
def test_blanks_line_breaks_and_bytes_belong_to_the_words_of_the_tokenizer(
    tokens, named
):
    assert spans(words(tokens)) == named


def test_sentences_end_with_their_closing_quotes():
    tokens = [
        "[CLS]",
        '"',
        "Stop",
        "!",
        '"',
        "he",
        "said",
        ".",
        "Why",
        "...",
        "now",
        "?",
        "[SEP]",
        "Ok",
        "[SEP]",
    ]
    assert [group[1:] for group in sentences(tokens)] == [
        (1, 5),
        (5, 8),
        (8, 10),
        (10, 12),
        (13, 14),
    ]
    assert sentences(["[CLS]", "[SEP]"]) == ()


def test_segments_lie_between_separators():
    tokens = ["[CLS]", "a", ".", "b", "[SEP]", "c", "d", "[SEP]", "[PAD]"]
    assert spans(segments(tokens)) == [("segment 1", 1, 4), ("segment 2", 5, 7)]
    assert segments(["a", "b"]) == ()


@pytest.mark.parametrize("find", [words, sentences, segments, speakers])
def test_without_tokens_there_are_no_groups(find):
    assert find([]) == ()


@pytest.mark.parametrize("find", [words, segments, speakers])
def test_two_plain_words_show_no_groups(find):
    assert find(["the", "cat"]) == ()


def test_speakers_have_a_name_and_a_colon():
    tokens = ["<s>", "Al", ":", "␣at", "␣3", ":", "␣ok", ".", "␣Bo", "b", ":", "␣no"]
    assert spans(speakers([*tokens, "</s>"])) == [("Al", 1, 8), ("Bob", 8, 12)]
