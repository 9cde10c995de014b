"""The numbers as text."""

from collections.abc import Callable, Mapping
from typing import Any

COLUMNS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "name": ("", str),
    "median_ms": ("median ms", "{:.3f}".format),
    "min_ms": ("min ms", "{:.3f}".format),
    "late_ms": ("95 % ms", "{:.3f}".format),
    "ratio_of_medians": ("of medians", "{:.2f}".format),
    "ratio_of_minima": ("of minima", "{:.2f}".format),
    "touched": ("scores", "{:,}".format),
    "difference": ("difference", "{:.1e}".format),
    "mebibytes": ("MiB", "{:.1f}".format),
    "share": ("share", "{:.2f}".format),
    "goal": ("goal", str),
    "verdict": ("", str),
}
"""The parts of a row that are shown: heading, and how."""


def header(about: Mapping[str, Any]) -> str:
    """Write what was measured on, one thing per line."""
    told = {**about, "settings": _told(about["settings"])}
    width = max(map(len, told))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in told.items())


def _told(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value)


def table(result: Mapping[str, Any]) -> str:
    """Write the rows of a comparison, without columns that no row fills."""
    rows = result["rows"]
    empty = (None, "")
    shown = [k for k in COLUMNS if any(row[k] not in empty for row in rows)]
    lines = [[COLUMNS[key][0] for key in shown]]
    for row in rows:
        lines.append(["" if row[k] in empty else COLUMNS[k][1](row[k]) for k in shown])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    written = [_line(line, widths) for line in lines] if rows else []
    return "\n".join([*written, *(f"  {note}" for note in result["notes"])])


def _line(cells: list[str], widths: list[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    aligned = [first[0].ljust(first[1]), *(c.rjust(w) for c, w in others)]
    return ("  " + "  ".join(aligned)).rstrip()
