r"""Formulas as LaTeX with amsmath; texts may hold Unicode."""

import re

from attnviewer.compute import Cell, Expression
from attnviewer.compute.notation import LATEX, number_latex

__all__ = [
    "escaped_latex",
    "expression_latex",
    "formula_latex",
    "name_latex",
    "number_latex",
    "symbols_latex",
    "text_latex",
]

_FUNCTIONS = {"max", "sin", "cos", "tanh", "log"}
_SIGNS = {
    "−": "-",
    "·": r"\cdot ",
    "∞": r"\infty ",
    "ε": r"\varepsilon ",
    "θ": r"\theta ",
    "μ": r"\mu ",
    "σ": r"\sigma ",
    "τ": r"\tau ",
    "Σ": r"\sum ",
    "‖": r"\|",
    "²": "^2",
    "ᵀ": r"^\top ",
}
_SUBSCRIPTS = dict(zip("ᵢⱼₖₚ", "ijkp", strict=True))
_TOKEN = re.compile(
    r"(?P<raised>\^\()|(?P<root>√)|(?P<word>[A-Za-z][A-Za-z_0-9]*)(?P<below>[ᵢⱼₖₚ]*)"
    r"|(?P<number>[0-9]+)|(?P<sub>[ᵢⱼₖₚ]+)|(?P<space> )|(?P<sign>.)"
)
_ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
    # In text mode the oldest fonts have other characters at these codes.
    **{sign: f"${sign}$" for sign in "<>|"},
}


def text_latex(text: str) -> str:
    r"""Return a text as LaTeX, such as ``\text{50\% of A\_b}``."""
    return rf"\text{{{escaped_latex(text)}}}"


def escaped_latex(text: str) -> str:
    r"""Return a text as LaTeX in text mode, such as ``50\% of A\_b``."""
    return "".join(map(_text_sign, text))


def _text_sign(sign: str) -> str:
    if sign in _SUBSCRIPTS:
        return f"$_{_SUBSCRIPTS[sign]}$"
    return f"${_SIGNS[sign].strip()}$" if sign in _SIGNS else _ESCAPED.get(sign, sign)


def name_latex(cell: Cell, row: str, column: str) -> str:
    r"""Return the name of a cell, such as ``\mathrm{weights}_{\text{a}, 2}``.

    Parameters
    ----------
    cell : Cell
        The cell; its head becomes a superscript.
    row, column : str
        The labels of its row and column: tokens, or indices.
    """
    head = f"^{{({cell.index[0]})}}" if len(cell.index) == 3 else ""
    labels = ", ".join(
        label if label.isdecimal() else text_latex(label) for label in (row, column)
    )
    return f"{_step(cell.step)}{head}_{{{labels}}}"


def symbols_latex(symbols: str) -> str:
    r"""Typeset a rule in symbols: ``e^(sᵢⱼ − maxᵢ)`` is ``e^{s_{ij} - \max_{i}}``."""
    written: list[str] = []
    position, before = 0, ""
    while position < len(symbols):
        found = _TOKEN.match(symbols, position)
        assert found is not None
        kind, text = found.lastgroup, found[0]
        position = found.end()
        if kind == "raised":
            end = _closing(symbols, position)
            written.append(f"^{{{symbols_latex(symbols[position:end])}}}")
            position = end + 1
        elif kind == "root":
            bracketed = symbols.startswith("(", position)
            position += bracketed
            find = _closing if bracketed else _end_of_root
            end = find(symbols, position)
            written.append(rf"\sqrt{{{symbols_latex(symbols[position:end])}}}")
            position = end + bracketed
        elif kind in ("below", "number"):
            # Math mode has no spaces, and words must not run into each other.
            written.append("\\ " if before == "word " else "")
            written.append(text if kind == "number" else _word(*found.group(3, 4)))
        elif kind == "sub":
            written.append(f"_{{{_letters(text)}}}")
        else:
            written.append(" " if kind == "space" else _SIGNS.get(text, text))
        if kind == "space":
            before += " "
        else:
            plain = found["word"] not in _FUNCTIONS and kind in ("below", "number")
            before = "word" if plain else ""
    # A command that no letter follows needs no space after it.
    return re.sub(" +", " ", re.sub(" +(?=[_^)])", "", "".join(written))).strip()


_WORDS = re.compile(r"[A-Za-z_]+(?: [A-Za-z_]+){2,}")


def formula_latex(formula: str) -> str:
    r"""Typeset a step's formula; words stay in text mode.

    ``Q Kᵀ`` is ``Q \ K^\top``; of ``scaled, −∞ where the key is padding`` only the part
    before the comma is set as symbols.
    """
    words = _WORDS.match(formula)
    start = words.end() if words else 0
    symbols, comma, remark = formula[start:].partition(", ")
    written = rf"\text{{{escaped_latex(formula[:start])}}}" if start else ""
    written += f" {symbols_latex(symbols)}" if symbols.strip() else ""
    # Infinity is set in math mode: most text fonts lack it.
    for number, part in enumerate(remark.split("−∞") if comma else []):
        before = comma if not number else ""
        infinite = r" -\infty " if number else ""
        text = rf"\text{{{before}{escaped_latex(part)}}}" if before + part else ""
        written += infinite + text
    return written.strip()


def expression_latex(expression: Expression) -> str:
    r"""Typeset an expression with its numbers, such as ``\frac{10}{\sqrt{3}}``.

    A negative number stands in parentheses unless it comes first.
    """
    return LATEX.text(expression)


def _step(name: str) -> str:
    """Typeset a step's name: letters as symbols, ``rotated Q`` as text and symbol."""
    if "+" in name:
        return f"({symbols_latex(name)})"
    # A symbol with a subscript of its own, as W_Q, needs braces to take a second one.
    written = symbols_latex(name)
    return f"{{{written}}}" if written.endswith("}") and "_" in written else written


def _word(word: str, below: str) -> str:
    """Typeset a word with its subscripts."""
    if word in _FUNCTIONS:
        return f"\\{word}" + (f"_{{{_letters(below)}}}" if below else "")
    name, _, index = word.partition("_")
    if len(name) > 1:
        name, index = _upright(word), ""
    elif len(index) > 1:
        index = _upright(index)
    indices = ", ".join(part for part in (index, _letters(below)) if part)
    return f"{name}_{{{indices}}}" if indices else name


def _letters(subscripts: str) -> str:
    return "".join(_SUBSCRIPTS[sign] for sign in subscripts)


def _upright(word: str) -> str:
    escaped = word.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}"


def _closing(symbols: str, start: int) -> int:
    """Return where the parenthesis opened before `start` closes."""
    depth = 1
    for position in range(start, len(symbols)):
        depth += {"(": 1, ")": -1}.get(symbols[position], 0)
        if depth == 0:
            return position
    return len(symbols)


def _end_of_root(symbols: str, start: int) -> int:
    """Return the end of a root's argument that is a sum or one word."""
    if symbols[start : start + 1] == "Σ":
        end = symbols.find(" / ", start)
        return len(symbols) if end < 0 else end
    found = re.compile(r"[A-Za-z_0-9]+").match(symbols, start)
    return start if found is None else found.end()
