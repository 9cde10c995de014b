"""A page of a lesson from a document: *Record a task*."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from attnviewer.compute import Alibi, Rotary, Sinusoidal, Spec
from attnviewer.document import Document, exact_text
from attnviewer.document.matrices import same_bits
from attnviewer.io.errors import FileError
from attnviewer.teaching.documents import MATRICES
from attnviewer.teaching.reading import lesson_from_text
from attnviewer.teaching.steps import matrix_of

_FRONT = "---\ntitle: Recorded\n---\n"
_SCHEMES = {Rotary: "rope", Alibi: "alibi", Sinusoidal: "sinusoidal"}


class FileNeededError(ValueError):
    """The text of a lesson cannot hold the document, which has to be a file."""


def record_page(
    document: Document,
    step: str,
    cells: Sequence[tuple[int, int]],
    *,
    head: int = 0,
    title: str = "A task",
    file: str = "",
) -> str:
    """Return the text of a page that asks for numbers of a document.

    Parameters
    ----------
    document : Document
        The document.
    step : str
        The step that is asked for.
    cells : sequence of (int, int)
        Its cells, (row, column); none for all of them.
    head : int
        The head.
    title : str
        The heading.
    file : str
        The name under which the document is saved beside the lesson; "" to write its
        numbers into the text.

    Returns
    -------
    str
        Markdown with a `document` and a `task` block, to be put into a lesson. It
        reads back to the same.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    FileNeededError
        If the text cannot hold the document.
    """
    matrix = matrix_of(document.compute(), step, head)
    for row, column in cells:
        if not (0 <= row < matrix.shape[0] and 0 <= column < matrix.shape[1]):
            raise ValueError(
                f"The 'cells' must lie inside '{step}' {matrix.shape}. "
                f"Got ({row}, {column}) instead."
            )
    lines = [f"## {' '.join(title.split()) or 'A task'}", "", "```document"]
    lines += [f"file: {file}"] if file else _document(document)
    lines += ["```", "", f"Compute the numbers of *{step}* that are asked for.", ""]
    lines += ["```task", "kind: numbers", f"step: {step}"]
    lines += [f"head: {head}"] if head else []
    lines += [f"cells: {_cells(cells)}", "```"]
    text = "\n".join(lines) + "\n"
    if not file:
        _check(text, document)
    return text


def _document(document: Document) -> Iterator[str]:
    yield f"tokens: {', '.join(document.tokens)}"
    if document.context_tokens:
        yield f"context-tokens: {', '.join(document.context_tokens)}"
    options = ", ".join(_options(document.spec))
    if options:
        yield f"options: {options}"
    used = document.spec.input_names
    for name in MATRICES:
        if name in used:
            rows = document.matrix(name).astype(float).tolist()
            yield f"{name}: {'; '.join(' '.join(map(exact_text, r)) for r in rows)}"
    if document.spec.mistakes:
        yield f"mistake: {document.spec.mistakes[0].id}"


def _options(spec: Spec) -> Iterator[str]:
    plain = Spec()
    for name in ("n_heads", "n_kv_heads", "scale", "softcap", "temperature"):
        if getattr(spec, name) != getattr(plain, name):
            yield f"{name}={exact_text(float(getattr(spec, name)))}"
    if spec.causal:
        yield "causal=true"
    if spec.window is not None:
        sides = ",".join("" if side is None else str(side) for side in spec.window)
        yield f"window=[{sides}]"
    for name in ("normalizer", "score", "query_offset", "key_lengths"):
        if getattr(spec, name) != getattr(plain, name):
            yield f"{name}={getattr(spec, name)}"
    if isinstance(spec.positions, Rotary | Alibi | Sinusoidal):
        own = type(spec.positions)()
        changed = [
            f"{f.name}={_written(value)}"
            for f in fields(own)
            if (value := getattr(spec.positions, f.name)) != getattr(own, f.name)
        ]
        brackets = f"[{','.join(changed)}]" if changed else ""
        yield f"positions={_SCHEMES[type(spec.positions)]}{brackets}"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return exact_text(value) if isinstance(value, float) else str(value)


def _cells(cells: Sequence[tuple[int, int]]) -> str:
    return "; ".join(f"{row}, {column}" for row, column in cells) or "all"


def _check(text: str, document: Document) -> None:
    """Check that a page reads back to the document that it came from."""
    try:
        (page,) = lesson_from_text(_FRONT + text, Path("recorded.md")).pages
    except FileError as error:
        raise FileNeededError(_too_much(error.reason)) from None
    assert page.document is not None
    opened = page.document.open()
    same = opened.spec == document.spec and opened.labels == document.labels
    same = same and all(
        same_bits(opened.matrix(name), document.matrix(name))
        for name in document.spec.input_names
    )
    if not same:
        raise FileNeededError(
            _too_much("It has options that a lesson's text cannot hold.")
        )


def _too_much(reason: str) -> str:
    return f"The document must be saved beside the lesson, as a file. {reason}"
