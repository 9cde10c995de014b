"""Names of tokens as lines of text, as spreadsheets and people write them."""

import pytest

from attnviewer.document.text.lines import lines_text, parse_lines


def test_lines_are_read_as_they_are():
    assert parse_lines("the\r\n cat \r\n1,5\r\n") == ("the", " cat ", "1,5")
    assert parse_lines("one") == ("one",)
    with pytest.raises(ValueError, match="Line 2 of the text is empty"):
        parse_lines("a\n\nb")
    with pytest.raises(ValueError, match="Line 1 of the text is empty"):
        parse_lines("")


def test_cells_beside_each_other_are_no_lines_but_a_token_may_be_a_tab():
    with pytest.raises(ValueError, match=r"Line 2 .* one cell, such as “cat 1 2”"):
        parse_lines("the\ncat\t1\t2")
    assert parse_lines("a\n\t\n b\t") == ("a", "\t", " b\t")


# As LibreOffice and Excel put cells with line breaks on the clipboard.
CELLS = 'the\n"two\nlines"\n"say ""yes""\r\nagain"\n"a\tb"\nend\n'


def test_a_cell_in_quotes_is_one_line():
    lines = ("the", "two\nlines", 'say "yes"\r\nagain', "a\tb", "end")
    assert parse_lines(CELLS) == lines
    assert lines_text(lines) == CELLS.removesuffix("\n")


def test_quotation_marks_that_enclose_no_breaks_are_verbatim():
    speech = ("She", "said", '"', "yes", '"', ".", '"cat"', '""', '"""')
    assert parse_lines("\n".join(speech)) == speech
    assert lines_text(speech) == "\n".join(speech)


@pytest.mark.parametrize(
    "tokens",
    [
        ("\n",),
        ("\n\n", "a", "\r\n"),
        ('"', '"'),
        ('""""', '"', "\n", '"a\nb"'),
        ("\t\n",),
    ],
)
def test_tokens_are_read_as_they_were_written(tokens):
    assert parse_lines(lines_text(tokens)) == tokens
