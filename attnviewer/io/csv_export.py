"""Steps of a computation as CSV files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path

from attnviewer import __version__
from attnviewer.compute import Spec, Trace
from attnviewer.document import Labels, axis_labels
from attnviewer.io.atomic import write_atomically
from attnviewer.io.csv_table import (
    bare_rows,
    csv_pieces,
    guard_text,
    matrix_rows,
)
from attnviewer.io.errors import FileError, system_reason

INDEX_NAME = "index.csv"


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    step: str
    head: int | None


def select_steps(trace: Trace, names: Iterable[str] | None = None) -> list[str]:
    """Return the steps that are meant, in the order given and each once.

    Parameters
    ----------
    trace : Trace
        The computation.
    names : iterable of str, optional
        Names of steps; None stands for all.

    Raises
    ------
    ValueError
        If the computation has no such step; names the nearest, or all.
    """
    if names is None:
        return list(trace)
    chosen = list(dict.fromkeys(names))
    if not chosen:
        raise ValueError("Name at least one step.")
    for name in chosen:
        if name not in trace:
            nearest = get_close_matches(name, list(trace), n=1)
            hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
            raise ValueError(
                f"There is no step '{name}' here.{hint} "
                f"The steps are {', '.join(trace)}."
            )
    return chosen


def export_step(
    trace: Trace,
    labels: Labels,
    step: str,
    path: str | Path,
    *,
    head: int | None = None,
    headers: bool = True,
) -> None:
    """Write one step, or one head of it, as a CSV file.

    Parameters
    ----------
    trace : Trace
        The computation.
    labels : Labels
        The document's tokens.
    step : str
        The step.
    path : str or Path
        The file; an existing one is replaced as a whole.
    head : int, optional
        Which head, counted from zero. A step that has several needs it.
    headers : bool
        With labels: tokens, or numbers from zero for features.

    Raises
    ------
    ValueError
        If there is no such step or head.
    FileError
        If the file cannot be written.
    """
    select_steps(trace, [step])
    n_heads = trace.n_heads(step)
    if head not in ([None, 0] if n_heads == 1 else range(n_heads)):
        raise ValueError(
            f"The 'head' of '{step}' must be from 0 to {n_heads - 1}. "
            f"Got {head} instead."
        )
    # Windows go by heads of queries; one head of keys and values may serve several.
    served = trace.n_heads("weights") // n_heads
    values = trace.window(step, head=(head or 0) * served)  # (rows, columns)
    rows = bare_rows(values)
    if headers:
        axes = trace.stages[step].axes
        names = (
            axis_labels(axis, labels, count)
            for axis, count in zip(axes, values.shape, strict=True)
        )
        rows = matrix_rows(values, *names)
    write_atomically(path, csv_pieces(rows))


def export_all(
    trace: Trace,
    labels: Labels,
    folder: str | Path,
    *,
    steps: Iterable[str] | None = None,
    headers: bool = True,
    title: str = "",
) -> list[Path]:
    """Write steps as one CSV file each, and an index of them.

    Each file is written whole or not at all, and the index comes last: it lists
    only what is there. Other files in the folder stay.

    Parameters
    ----------
    trace : Trace
        The computation.
    labels : Labels
        The document's tokens.
    folder : str or Path
        Where the files go; made if missing.
    steps : iterable of str, optional
        Which steps; None stands for all.
    headers : bool
        With labels: tokens, or numbers from zero for features.
    title : str
        The document's title, for the index.

    Returns
    -------
    list of Path
        The files: one per step, or per head of a step that has several, then the
        index.

    Raises
    ------
    ValueError
        If there is no such step. Nothing is then written.
    FileError
        If a file cannot be written.
    """
    items = list(_items(trace, select_steps(trace, steps)))
    folder = Path(folder)
    _make_folder(folder)
    for item in items:
        path = folder / item.name
        export_step(trace, labels, item.step, path, head=item.head, headers=headers)
    index = [_index_row(trace, item, title, headers) for item in items]
    table = [list(index[0]), *(list(row.values()) for row in index)]
    write_atomically(folder / INDEX_NAME, csv_pieces(table))
    return [folder / name for name in (*(item.name for item in items), INDEX_NAME)]


def _items(trace: Trace, steps: Iterable[str]) -> Iterator[_Item]:
    for step in steps:
        if trace.n_heads(step) == 1:
            yield _Item(f"{step}.csv", step, None)
            continue
        for head in range(trace.n_heads(step)):
            yield _Item(f"{step}.head{head}.csv", step, head)


def _index_row(trace: Trace, item: _Item, title: str, headers: bool) -> dict[str, str]:
    """Return a file's row by column, with the variant in each to stay one table."""
    spec = trace.spec
    rows, columns = (1, *trace.shape(item.step))[-2:]  # a bias is a single row
    return {
        "file": item.name,
        "step": item.step,
        "head": "" if item.head is None else str(item.head),
        "rows": str(rows),
        "columns": str(columns),
        "formula": guard_text(trace.stages[item.step].formula),
        "title": guard_text(title),
        **_spec_columns(spec),
        "headers": _yes_no(headers),
        "attnviewer": __version__,
    }


def _spec_columns(spec: Spec) -> dict[str, str]:
    """Return what was computed: the usual choices, and all others that were made."""
    by_default = "1/sqrt(d_k)" if spec.scaled else "1.0"
    usual = {
        "variant": spec.variant,
        "n_heads": str(spec.n_heads),
        "output_projection": _yes_no(spec.output_projection),
        "scale": by_default if spec.scale is None else repr(float(spec.scale)),
        "causal": _yes_no(spec.causal),
        "normalizer": spec.normalizer,
    }
    others = {}
    for field in fields(spec):
        value = getattr(spec, field.name)
        # Projections and where keys come from are told by the variant's name.
        told = field.name in usual or field.name in ("projected", "given", "context")
        if not told and value != field.default:
            others[field.name] = _choice(value)
    return usual | others


def _choice(value: object) -> str:
    return _yes_no(value) if isinstance(value, bool) else str(value)


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _make_folder(folder: Path) -> None:
    if "\0" in str(folder):
        raise FileError(folder, "The name holds a null character.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(folder, "It is a file, not a folder.") from None
    except OSError as error:
        raise FileError(folder, system_reason(error)) from error
