"""Formulas of lessons, held to the commands that only typeset."""

import re

from attnviewer.document.derivation import escaped_latex
from attnviewer.teaching.sheets.formula_syntax import is_sound

_COMMAND = re.compile(r"\\(?:([A-Za-z]+)|(.))", re.DOTALL)
_KNOWN = frozenset(
    {"alpha", "approx", "bar", "beta", "cdot", "cos", "dfrac", "dots", "exp", "frac"}
    | {"ge", "geq", "hat", "in", "infty", "lambda", "ldots", "le", "left", "leq", "ln"}
    | {"log", "mathbf", "mathrm", "max", "min", "mu", "neq", "operatorname", "pi"}
    | {"qquad", "quad", "right", "sigma", "sin", "sqrt", "sum", "tanh", "tau", "text"}
    | {"tfrac", "theta", "times", "to", "top"}
)
_KNOWN_SIGNS = frozenset(" |,;!{}%&_")
_ACTIVE = re.compile(r"(?<!\\)[%#&~$]|[^\x20-\uffff]")


def safe_formula(latex: str) -> str | None:
    r"""Return a formula that no LaTeX takes for anything else, or None.

    A text may come from anywhere; ``\write18`` or ``\input`` must not reach a LaTeX
    that runs commands or reads files. Nor may an error in one formula fail a whole
    sheet.

    Parameters
    ----------
    latex : str
        The formula without its ``$``.
    """
    for found in _COMMAND.finditer(latex):
        name, sign = found.groups()
        if name is not None and name not in _KNOWN:
            return None
        if name is None and sign not in _KNOWN_SIGNS:
            return None
    if _ACTIVE.search(latex) or "^^" in latex or not is_sound(latex):
        return None
    return " ".join(latex.split()) or None


def formula_tex(latex: str) -> str:
    """Return a formula for a LaTeX file; one that is not safe as plain text."""
    safe = safe_formula(latex)
    return escaped_latex(latex) if safe is None else f"${safe}$"
