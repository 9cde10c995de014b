"""Code of scores that are sums over columns, from their rule."""

from collections.abc import Mapping, Sequence

from attnviewer.compute.notation import Library, Program
from attnviewer.compute.rules import KEY, QUERY, Entry
from attnviewer.compute.stages import ColumnSum
from attnviewer.io.export.program.names import variable


def scores_code(
    stage: ColumnSum, sides: Sequence[str], widths: Mapping[str, int], library: Library
) -> list[str]:
    """Return the lines that compute the step of a comparison.

    Parameters
    ----------
    stage : ColumnSum
        The stage.
    sides : sequence of two str
        The variables of queries and keys.
    widths : mapping of str to int
        The columns of the queries, and the axes of each weight.
    library : Library
        The library that the code uses.
    """
    queries, keys = sides
    entries = {
        QUERY: f"{queries}[..., :, None, unit]",
        KEY: f"{keys}[..., None, :, unit]",
    }
    for weight in stage.weights:
        lead = "0, " * (widths[weight] - 1)
        entries[Entry(weight)] = f"{weight}[{lead}unit]"
    return [
        f"{variable(stage.name)} = sum(",
        f"    {Program(library, entries).text(stage.term)}",
        f"    for unit in range({widths[stage.inputs[0]]})",
        ")",
    ]
