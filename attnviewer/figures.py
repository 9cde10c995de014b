"""Figures for papers and sheets of exercises, from Python."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from attnviewer.compute import (
    Combination,
    IncrementalEngine,
    Trace,
    stores_weights,
)
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.progress import Progress
from attnviewer.compute.signatures import short_signature
from attnviewer.document import Document, Labels
from attnviewer.io import write_atomically
from attnviewer.io.export import Computation
from attnviewer.models.layer_computation import layer_computation
from attnviewer.models.layer_documents import link_of

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.recording import RecordedRun
    from attnviewer.teaching.sheets.sheet import Sheet

Drawn: TypeAlias = "Document | Trace | ModelTrace | RecordedRun"
"""The things that can be drawn."""
FROM_PYTHON = "From Python"


class FigureContent(bytes):
    """The content of a figure's file, which notebooks show as the figure."""

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str | bytes]:
        if self.startswith(b"\x89PNG"):
            return {"image/png": bytes(self)}
        if self.startswith(b"%PDF"):
            return {"application/pdf": bytes(self)}
        return {"image/svg+xml": self.decode()}

    def __repr__(self) -> str:
        (media_type,) = self._repr_mimebundle_()
        return f"<Figure: {media_type}, {len(self):,} bytes>"


@short_signature
def figure(
    what: "Drawn | Sequence[Drawn]",
    /,
    step: str | Sequence[str] = "weights",
    view: str | Sequence[str] = "heatmap",
    head: int | Sequence[int] | None = None,
    *,
    layer: int | Sequence[int] | None = None,
    tokens: Iterable[str] | None = None,
    context_tokens: Iterable[str] | None = None,
    compare: "Drawn | None" = None,
    cell: tuple[int, int] | None = None,
    threshold: float | None = None,
    overlay: bool | Sequence[int] = False,
    combine: Combination | None = None,
    width: str | float | None = None,
    caption: bool | str = False,
    font: str = "sans",
    outlines: bool = False,
    dark: bool = False,
    dpi: int = 300,
    path: str | Path | None = None,
    format: str | None = None,
    progress: Progress | None = None,
) -> Path | FigureContent:
    """Draw a figure for a paper, with or without a window.

    Cells are square, every row and column has its label, and the colour bar its title;
    what only the window needs is not in it. Several panels, (a), (b), (c), come from a
    list: of computations, steps, views, heads or layers. They stand side by side where
    all their labels fit, and below each other otherwise.

    Parameters
    ----------
    what : Document, Trace, ModelTrace or RecordedRun, or a sequence of them
        What is drawn.
    step : str or sequence of str
        The step; ``weights`` by default.
    view : str or sequence of str
        ``heatmap``, ``lines``, ``heads``, ``table``, ``difference``, ``how``, or
        ``on_picture`` where the tokens are patches of a picture.
    head : int or sequence of int, optional
        The head, counted from zero; the first by default, but for ``how`` that of
        the weight that the document is about, if it is an example.
    layer : int or sequence of int, optional
        The layer of a model's run or of a recording, counted from zero; the first by
        default.
    tokens : iterable of str, optional
        Names of the queries of a trace or a recording; numbers by default.
    context_tokens : iterable of str, optional
        Names of its keys; those of `tokens` by default.
    compare : Document, Trace, ModelTrace or RecordedRun, optional
        A, which the ``difference`` compares with.
    cell : tuple of two int, optional
        Row and column of a cell to be framed; none by default. Without one, ``how``
        shows the row that the document is about, or the one that tells most.
    threshold : float, optional
        The least weight that has a line; by default half of an even share.
    overlay : bool or sequence of int
        For ``lines``: the heads whose lines are drawn over each other, each in its
        colour; True for all heads.
    combine : str, optional
        ``mean`` or ``max`` of all heads, in ``heatmap``, ``table`` or ``on_picture``.
    width : str or float, optional
        Such as ``"85mm"`` or ``"3.5in"``; a number is in millimetres. By default
        85 mm, a column, or 174 mm, a page, where some label would not fit in a column.
    caption : bool or str
        A caption below: written from the computation, with the weight that stands out
        if one does, or the text itself.
    font : str
        ``sans``, ``serif``, or the name of an installed family.
    outlines : bool
        In SVG: texts as outlines, which need no font and cannot be edited.
    dark : bool
        Light on dark.
    dpi : int
        In PNG: pixels per inch.
    path : str or Path, optional
        The file; an existing one is replaced. By default the content is returned.
    format : str, optional
        ``png``, ``svg`` or ``pdf``; by default that of `path`, or ``svg``.
    progress : callable, optional
        Called with the part of a panel's long step that has been read, from 0 to 1.

    Returns
    -------
    Path or bytes
        The file's path, or the content if there is no path; notebooks show it.

    Raises
    ------
    ValueError, TypeError, IndexError
        If there is no such step, view, head, layer, cell, font or format, or lists
        differ in length.
    FileError
        If the file cannot be written.
    RuntimeError
        If Qt has not been started, and this is not the main thread.

    Examples
    --------
    >>> import attnviewer
    >>> document = attnviewer.load_example("two-heads")
    >>> attnviewer.figure(document, head=1, path="heads.svg")  # doctest: +SKIP
    PosixPath('heads.svg')
    """
    from attnviewer.ui.figures.files import encoded
    from attnviewer.ui.figures.panel import Compared, Panel
    from attnviewer.ui.figures.style import FigureStyle, millimetres_of
    from attnviewer.ui.offscreen.drawing import start_drawing

    columns = _columns(what, step, view, head, layer)
    names = (
        None if tokens is None else tuple(map(str, tokens)),
        None if context_tokens is None else tuple(map(str, context_tokens)),
    )
    millimetres = None if width is None else millimetres_of(width)
    kind = _format(path, format)
    if combine is not None:
        check_name("combine", combine, get_args(Combination))
    start_drawing()
    panels: list[Panel] = []
    # Panels of one layer share its steps.
    computed: dict[tuple[int, int | None], tuple[Computation, str, int | None]] = {}
    for shown, one_step, one_view, one_head, one_layer in columns:
        key = id(shown), one_layer
        if key not in computed:
            computed[key] = _computation(shown, one_layer, names)
        computation, place, number = computed[key]
        about = shown.first_cell if isinstance(shown, Document) else None
        if one_head is None:
            chosen = about.head if about is not None and one_view == "how" else 0
        else:
            chosen = whole_number("head", one_head)
        compared = None
        if compare is not None:
            other, *_ = _computation(compare, one_layer, names)
            compared = Compared.of(other)
        panels.append(
            Panel(
                computation,
                one_step,
                one_view,
                chosen,
                cell,
                compared,
                threshold,
                place=place,
                layer=number,
                combination=combine,
                heads=_overlaid(overlay, one_view, computation.trace),
                focus=(about.query, about.key)
                if about is not None and about.head == chosen
                else None,
                progress=progress,
            )
        )
    style = FigureStyle(millimetres, font, outlines, caption, dark, dpi)
    content = encoded(panels, style, kind)
    if path is None:
        return FigureContent(content)
    write_atomically(path, content)
    return Path(path)


def sheets_pdf(sheets: "Sequence[Sheet]", *, key: bool = False) -> bytes:
    """Return sheets of an exercise as one PDF on A4, with or without a window.

    Parameters
    ----------
    sheets : sequence of Sheet
        At least one, see `attnviewer.teaching.sheets.content.sheet_of`.
    key : bool
        Whether the answers are filled in.

    Raises
    ------
    RuntimeError
        If Qt has not been started, and this is not the main thread.
    """
    from attnviewer.ui.offscreen.drawing import start_drawing
    from attnviewer.ui.sheets.pdf import sheets_pdf as written

    start_drawing()
    return written(sheets, key=key)


def _columns(*given: Any) -> list[tuple[Any, ...]]:
    """Return the arguments of each panel; what is no list is the same for all."""
    lengths = {len(value) for value in given if isinstance(value, list | tuple)}
    if len(lengths) > 1:
        raise ValueError(
            "The lists must be of one length, one entry for each panel. "
            f"Got lengths {', '.join(map(str, sorted(lengths)))} instead."
        )
    count = lengths.pop() if lengths else 1
    spread = [
        value if isinstance(value, list | tuple) else [value] * count for value in given
    ]
    return list(zip(*spread, strict=True))


def _overlaid(
    overlay: bool | Sequence[int], view: str, trace: Trace
) -> tuple[int, ...]:
    """Return the heads whose lines are drawn over each other; () for none."""
    if overlay is False:
        return ()
    if view != "lines":
        raise ValueError(
            f"The 'overlay' must be given with lines. Got it with '{view}' instead."
        )
    if overlay is True:
        return tuple(range(trace.n_query_heads))
    heads = tuple(dict.fromkeys(whole_number("overlay", head) for head in overlay))
    if not heads:
        raise ValueError("The 'overlay' must name at least one head. Got none instead.")
    return heads


def _format(path: str | Path | None, format: str | None) -> str:
    if format is not None:
        return format
    if path is None:
        return "svg"
    return Path(path).suffix.lower().removeprefix(".")


def _computation(
    what: object,
    layer: int | None,
    names: tuple[tuple[str, ...] | None, tuple[str, ...] | None],
) -> tuple[Computation, str, int | None]:
    """Return a computation to draw, where in a model it is from, and which layer."""
    from attnviewer.models import ModelTrace
    from attnviewer.recording import RecordedRun
    from attnviewer.ui.figures.texts import place_words

    if isinstance(what, RecordedRun):
        what, layer = what.attention(0 if layer is None else layer), None
    if layer is not None and not isinstance(what, ModelTrace):
        raise ValueError(
            "The 'layer' must be that of a model's run or a recording. Got one with "
            f"{type(what).__name__} instead."
        )
    if isinstance(what, Trace):
        return Computation(FROM_PYTHON, _labels(what, *names), _single(what)), "", None
    if names != (None, None):
        raise ValueError(
            "The 'tokens' must be given with a trace alone, as documents and runs have "
            "their own. Got them with another."
        )
    if isinstance(what, Document):
        computation, link = _computed(what), link_of(what)
        if link is None:
            return computation, "", None
        place = place_words(link.run.model.name, link.layer, link.head)
        return computation, place, link.layer
    if isinstance(what, ModelTrace):
        number = 0 if layer is None else layer
        place = place_words(what.model.name, number)
        return layer_computation(what, number), place, number
    raise TypeError(
        "What is drawn must be a Document, a Trace, a ModelTrace or a recording. "
        f"Got {type(what).__name__} instead."
    )


def _computed(document: Document) -> Computation:
    """Compute a document as the window does: a long one in single precision.

    That halves the time of its figures, which show blocks of cells.
    """
    inputs = document.inputs_in_place()
    trace = None
    if not stores_weights(document.spec, inputs):
        with suppress(ValueError):  # if its numbers are out of that range
            trace = IncrementalEngine(document.spec, inputs).trace()
    if trace is None:
        trace = document.compute()
    return Computation.by(document, document.labels, trace)


def _labels(
    trace: Trace, tokens: tuple[str, ...] | None, others: tuple[str, ...] | None
) -> Labels:
    """Return the tokens of a trace, which is asked for as many as it has."""
    n_queries, n_keys = trace.shape("weights")[-2:]
    if others is None and n_keys == n_queries:
        others = tokens
    for name, given, count in (
        ("tokens", tokens, n_queries),
        ("context_tokens", others, n_keys),
    ):
        if given is not None and len(given) != count:
            raise ValueError(f"The '{name}' must be {count}. Got {len(given)} instead.")
    return Labels(tokens or (), others or ())


def _single(trace: Trace) -> Trace:
    """Return a trace, which must be of one batch item."""
    *lead, _, _ = trace.shape("weights")
    items = 1
    for count in lead:
        items *= count
    if items != trace.n_query_heads:
        raise ValueError(
            "The trace must be of one batch item. "
            f"Got {items // trace.n_heads('weights')} instead; "
            "attnviewer.document_of(trace, batch=0) is one of them."
        )
    return trace
