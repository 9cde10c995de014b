"""Sheets as LaTeX."""

import re

from attnviewer.teaching.sheets.tex import sheets_tex
from tests.teaching.sheets.sheets import HOSTILE, sheets_of

KNOWN = frozenset(
    {"documentclass", "usepackage", "setlength", "textwidth", "oddsidemargin", "fi"}
    | {"textheight", "topmargin", "parindent", "parskip", "tabcolsep", "arraystretch"}
    | {"renewcommand", "newcommand", "blank", "framebox", "rule", "filled", "unasked"}
    | {"makebox", "tick", "square", "ticked", "boxtimes", "ifdefined", "text", "begin"}
    | {"DeclareUnicodeCharacter", "end", "setcounter", "section", "subsection", "hfill"}
    | {"item", "small", "hline", "qquad", "emph", "textbf", "texttt", "top", "sqrt"}
    | {"surd", "nopagebreak", "clearpage", "leftmargin", "infty", "textbackslash"}
    | {"textasciitilde", "textasciicircum", "cdot", "mathrm"}
)


def _written(*students: str, key: bool = False, **others: str) -> str:
    return b"".join(sheets_tex(sheets_of(*students, **others), key=key)).decode()


def test_only_known_commands_are_written() -> None:
    written = _written("ada", tokens=f'"{HOSTILE}", cat, sat')
    assert set(re.findall(r"\\([A-Za-z]+)", written)) <= KNOWN


def test_a_hostile_token_is_only_shown() -> None:
    written = _written("ada", tokens=rf"{HOSTILE}, \\ $x$ %, #1 & ^^5c")
    assert r"\textbackslash{}input\{/etc/passwd\}" in written
    assert "\\input" not in written
    assert "^^" not in written


def test_groups_and_environments_are_closed() -> None:
    written = _written("ada", "ben", tokens=f"{HOSTILE}, }}, {{")
    bare = re.sub(r"\\[^A-Za-z]", "", written)
    assert bare.count("{") == bare.count("}")
    open_ones: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones


def test_a_sheet_has_blanks_and_its_key_the_numbers() -> None:
    sheet, key = _written("ada"), _written("ada", key=True)
    assert sheet.partition("\\begin{document}")[2].count("\\blank") == 9 + 3
    body = key.partition("\\begin{document}")[2]
    assert "\\blank" not in body
    assert len(re.findall(r"\\filled\{\$", body)) == 9 + 3
    assert body.count("\\ticked]") == 2 + 1 + 1


def test_the_key_has_the_numbers_of_the_sheet() -> None:
    def given(text: str) -> list[str]:
        return re.findall(r"^\{\\small [^}]*\}.*\d.*$", text, re.MULTILINE)

    shown = [line for line in given(_written("ada")) if "blank" not in line]
    assert shown
    assert set(shown) <= set(given(_written("ada", key=True)))


def test_each_sheet_begins_on_a_page_of_its_own() -> None:
    assert _written("ada", "ben", "cy").count("\\clearpage") == 2


def test_spaces_beside_formulas_stay() -> None:
    written = _written("ada")
    assert (
        r"Work out $Q K^\top$ and scale it by $1/\sqrt{d_k}$; \textbf{every}" in written
    )
