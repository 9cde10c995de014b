"""The worked steps as LaTeX and Markdown: whole, escaped, with the right numbers."""

import re
import shutil
import subprocess
from itertools import cycle

import numpy as np
import pytest

from attnviewer import __version__
from attnviewer.compute import Spec, attention
from attnviewer.document import Document, Labels, Region
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export
from tests.documents import four_words
from tests.io.export.computations import EVERY, computation

EVIL = [
    "[CLS]",
    "a_b",
    "#$%&{}~^\\",
    "🙂",
    "élan",
    "注意",
    "\u202eabc",
    "<b>|*x*",
    "`$$",
]


def written(computation: Computation, folder, format: str, choice=None) -> str:
    path = folder / f"steps.{format}"
    export(computation, path, format, choice or Choice())
    return path.read_text(encoding="utf-8")


def evil() -> Computation:
    title = "50% of $A_b$ & {x} # ~ ^ \\ 🙂 <i>\n|"
    spec = Spec(projected=False, causal=True)
    matrices = {"X": np.eye(len(EVIL))}
    return Computation.of(Document(title, EVIL, matrices, spec))


def check_latex(text: str) -> None:
    """Check braces, environments, dollar signs and the columns of arrays."""
    assert text.isprintable() or {c for c in text if not c.isprintable()} == {"\n"}
    depth, dollars = 0, 0
    bare = re.sub(r"\\[\\#$%&_{}]", "", text)
    for sign in re.findall("[{}$]", bare):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        dollars += sign == "$"
        assert depth >= 0
    assert depth == 0
    assert dollars % 2 == 0
    assert not re.search("[#%~]", bare)
    open_: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if kind == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert not open_
    assert text.count("\\[\n") == text.count("\\]\n")
    for columns, body in re.findall(
        r"\\begin\{array\}\{([r|]+)\}\n(.*?)\n\\end", text, re.DOTALL
    ):
        for line in re.sub(r"\\&", "", body).splitlines():
            assert line.count("&") == columns.count("r") - 1


def check_markdown(text: str) -> None:
    """Check that formulas close and that tables are as wide as their headings."""
    blocks = text.strip().split("\n\n")
    for block in blocks:
        if block.startswith("$$"):
            inner = block.removeprefix("$$\n").removesuffix("\n$$")
            assert "\n$$" in block
            assert "$" not in inner.replace(r"\$", "")
            check_latex(inner)
        elif block.startswith("|"):
            widths = {line.count("|") for line in block.splitlines()}
            assert len(widths) == 1
        else:
            assert "$" not in block


# Formats write the same formulas: they take turns.
IN_TURN = [*zip(EVERY, cycle(["tex", "md"])), ("evil", "tex"), ("evil", "md")]


@pytest.mark.parametrize(("name", "format"), IN_TURN)
def test_every_text_is_well_formed_and_tells_every_step(name, format, tmp_path) -> None:
    given = evil() if name == "evil" else computation(name)
    text = written(given, tmp_path, format)
    if format == "tex":
        check_latex(text)
        heading, formulas = "\\subsection*{", "\\begin{align*}"
    else:
        check_markdown(text)
        heading, formulas = "\n## ", "\\begin{aligned}"
    trace = given.trace
    assert text.count(heading) == sum(map(trace.n_heads, trace))
    computed = [step for step, stage in trace.stages.items() if stage.inputs]
    assert text.count(formulas) == len(computed)


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="There is no LaTeX here")
@pytest.mark.parametrize("name", ["example:two-heads", "cross with all", "evil"])
def test_an_article_compiles(name, tmp_path) -> None:
    written(evil() if name == "evil" else computation(name), tmp_path, "tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "steps.tex"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert (tmp_path / "steps.pdf").stat().st_size > 1000
    log = (tmp_path / "steps.log").read_text(errors="replace")
    assert "Missing character" not in log


def test_a_markdown_text_says_what_was_computed_and_shows_its_numbers(tmp_path) -> None:
    document = four_words(causal=True)
    text = written(Computation.of(document), tmp_path, "md")
    lines = text.splitlines()
    assert lines[0] == "# Four words"
    for told in ("variant: self", "scale: 1/sqrt(d\\_k)", "causal: yes"):
        assert f"- {told}" in lines
    assert f"- attnviewer: {__version__}" in lines
    place = lines.index("## scaled")
    assert lines[place + 2 : place + 9] == [
        "$$",
        r"\mathrm{scaled} = \mathrm{scores} / \sqrt{d_{k}}",
        "$$",
        "",
        "|  | word 1 | word 2 | word 3 | word 4 |",
        "| ---: | ---: | ---: | ---: | ---: |",
        # By hand: Q₁ = (2, 0, 2) with K = (2, 2, 2), (0, 2, 1), (2, 4, 3), (0, 1, 1).
        "| word 1 | 4.6188 | 1.1547 | 5.7735 | 1.1547 |",
    ]


def test_the_number_worked_out_is_what_the_query_looks_at_most(tmp_path) -> None:
    text = written(Computation.of(load("example:two-heads")), tmp_path, "md")
    weights = text.partition("## weights, head 0")[2].partition("## weights, head 1")[0]
    # "The" sees itself alone; "cat" is the first that has a choice.
    assert r"\mathrm{weights}^{(0)}_{\text{cat}, \text{The}} &= " in weights
    assert r"&= \frac{e^{4.50 - 4.50}}{e^{4.50 - 4.50} + e^{0 - 4.50}}" in weights
    assert r"&= 0.9890" in weights
    # One level down: the score that it came from.
    assert r"\mathrm{masked}^{(0)}_{\text{cat}, \text{The}} &= 4.5000" in weights


def test_a_head_and_cells_are_shown_alone(tmp_path) -> None:
    given = Computation.of(load("example:two-heads"))
    choice = Choice(("weights",), 1, Region(2, 0, 2, 3))
    text = written(given, tmp_path, "md", choice)
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## weights, head 1"
    ]
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table == [
        "|  | The | cat | slept |",
        "| ---: | ---: | ---: | ---: |",
        "| slept | 0.0109 | 0.9783 | 0.0109 |",
        "| because | 0.2500 | 0.2500 | 0.2500 |",
    ]
    assert r"\mathrm{weights}^{(1)}_{\text{slept}, \text{cat}} &= " in text
    article = written(given, tmp_path, "tex", choice)
    assert (
        "\\begin{array}{r|rrr}\n"
        "   & \\text{The} & \\text{cat} & \\text{slept} \\\\ \\hline\n"
        "  \\text{slept} & 0.0109 & 0.9783 & 0.0109 \\\\\n"
        "  \\text{because} & 0.2500 & 0.2500 & 0.2500\n"
        "\\end{array}"
    ) in article


def test_without_labels_an_article_shows_matrices_alone(tmp_path) -> None:
    choice = Choice(("scores",), headers=False)
    document = four_words(projected=False)
    article = written(Computation.of(document), tmp_path, "tex", choice)
    assert (
        "\\begin{bmatrix}\n  1 & 0 & 1 & 0 \\\\\n  0 & 1 & 1 & 0 \\\\\n"
        "  1 & 1 & 2 & 0 \\\\\n  0 & 0 & 0 & 1\n\\end{bmatrix}"
    ) in article
    assert "\\begin{array}" not in article


def test_a_large_step_is_shown_in_part_without_computing_the_rest(tmp_path) -> None:
    rng = np.random.default_rng(0)
    n = 3000
    queries, keys, values = (rng.normal(size=(n, 4)) for _ in range(3))
    trace = attention(queries, keys, values, causal=True)
    tokens = tuple(f"t{k}" for k in range(n))
    given = Computation("Large", Labels(tokens, tokens), trace)
    text = written(given, tmp_path, "md", Choice(("scores", "weights")))
    assert len(text) < 20_000
    table = [line.split(" | ") for line in text.splitlines() if line[:1] == "|"][:14]
    assert table[0] == ["| ", *tokens[:10], "…", f"t{n - 1} |"]
    assert table[12][:2] == ["| …", "…"]
    assert table[13][0] == f"| t{n - 1}"
    assert table[2][1] == f"{queries[0] @ keys[0]:.4f}".replace("-", "−")
    last = f"{queries[-1] @ keys[-1]:.4f}".replace("-", "−")
    assert table[13][-1] == f"{last} |"
    assert f"In part: of {n} × {n} numbers, dots stand for the others." in text


@pytest.mark.parametrize("format", ["tex", "md"])
def test_a_step_that_there_is_not_is_refused_before_anything_is_written(
    format, tmp_path
) -> None:
    given = Computation.of(load("example:journey"))
    with pytest.raises(ValueError, match="There is no step 'Q' here"):
        export(given, tmp_path / f"a.{format}", format, Choice(("Q",)))
    assert list(tmp_path.iterdir()) == []
