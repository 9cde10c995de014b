"""Formulas of lessons, held to the commands that only typeset."""

import re

from attnviewer.document.derivation import escaped_latex

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
    that runs commands or reads files.

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
    if _ACTIVE.search(latex) or "^^" in latex or not _is_balanced(latex):
        return None
    return " ".join(latex.split())


def formula_tex(latex: str) -> str:
    """Return a formula for a LaTeX file; one that is not safe as plain text."""
    safe = safe_formula(latex)
    return escaped_latex(latex) if safe is None else f"${safe}$"


def _is_balanced(latex: str) -> bool:
    depth = 0
    for sign in re.sub(r"\\.", "", latex, flags=re.DOTALL):
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0 and not re.search(r"\\$", latex)
