"""A training run as a standalone script or notebook that checks its losses."""

from attnviewer.compute.arguments import check_name
from attnviewer.io.export.markdown_text import markdown_text
from attnviewer.io.export.program.dialect import NUMPY, TORCH, Dialect
from attnviewer.io.export.program.literals import text_code
from attnviewer.io.export.program.notebook_file import code, notebook_file, words
from attnviewer.training.plan import Plan
from attnviewer.training.program.sections import TOLERANCE, Run

DIALECTS: dict[str, Dialect] = {"numpy": NUMPY, "torch": TORCH}
"""The libraries of scripts by name."""
_CHECKED = (
    "The losses are compared with those that attnviewer computed: each may be off by\n"
    f"{TOLERANCE} of itself, unless rounding alone moves them further."
)


def training_script(plan: Plan, losses: list[float], library: str) -> str:
    """Return a script that repeats a run.

    Parameters
    ----------
    plan : Plan
        The run.
    losses : list of float
        The loss before each step that was taken.
    library : str
        A name of `DIALECTS`.

    Raises
    ------
    ValueError
        If there is no such library, or a matrix is too large for a program.
    """
    check_name("library", library, DIALECTS)
    written = Run(plan, losses, DIALECTS[library])
    title, *choices = map(text_code, written.statement)
    about = f"A training run step by step, with {written.dialect.library} alone."
    head = "\n".join([f"{title}\n", f"{about}\n", *choices, f"\n{_CHECKED}"])
    needed, *parts = written.sections()
    texts = [f'"""{head}\n"""\n\n{needed.code}\n']
    texts += [f"# {part.title}.\n{part.code}\n" for part in parts]
    whole = "\n\n".join(texts)
    # A lone surrogate has no UTF-8; in code it is written as \udc80 already.
    return whole.encode("utf-8", "backslashreplace").decode()


def training_notebook(plan: Plan, losses: list[float], library: str) -> str:
    """Return a notebook that repeats a run; the parameters are those of the script."""
    check_name("library", library, DIALECTS)
    written = Run(plan, losses, DIALECTS[library])
    title, *choices = written.statement
    about = f"A training run step by step, with {written.dialect.library} alone."
    needed, *parts = written.sections()
    listed = (f"- {markdown_text(text)}" for text in choices)
    cells = [
        words(f"# {markdown_text(title)}\n", *listed),
        words(f"{about}\n\n{_CHECKED}"),
        code(needed.code),
    ]
    for part in parts:
        cells += [words(f"## {part.title}"), code(part.code)]
    return b"".join(notebook_file(cells)).decode("ascii")
