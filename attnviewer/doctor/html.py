"""A diagnosis as HTML, for Jupyter and for a page of its own."""

from html import escape

from attnviewer.compute.html import table_html
from attnviewer.doctor.diagnosis import Diagnosis, Finding
from attnviewer.doctor.first_step import FirstStep
from attnviewer.doctor.wording import headline
from attnviewer.doctor.worked_cell import WorkedCell, worked_cells

_SIGNS = {True: "✓", False: "×"}
_ASIDE = "display:inline-block;vertical-align:top;margin:0 1.5em 1em 0"


def as_html(diagnosis: Diagnosis) -> str:
    """Return a diagnosis with the numbers of the first step that differs.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    """
    pieces = [
        f"<p><b>{_SIGNS[diagnosis.agrees]} {escape(headline(diagnosis))}</b></p>",
        *map(_finding, diagnosis.findings),
    ]
    pieces += [
        f"<p><b>{escape(open_.step)}</b> differs, and no mistake of the catalogue "
        f"explains it. {escape(open_.where)}</p>"
        for open_ in diagnosis.unexplained
    ]
    first = FirstStep.of(diagnosis)
    if first is not None:
        pieces.append(_tables(first))
    pieces += [_worked(cell) for cell in worked_cells(diagnosis)]
    for words, ids in (
        ("Harmless differences", diagnosis.harmless),
        ("Mistakes that these inputs cannot reveal", diagnosis.unseen),
    ):
        if ids:
            pieces.append(f"<p><small>{words}: {escape(', '.join(ids))}.</small></p>")
    notes = "".join(f"<li>{escape(note)}</li>" for note in diagnosis.notes)
    if notes:
        pieces.append(f"<small>How it was read:<ul>{notes}</ul></small>")
    return f"<div>{''.join(pieces)}</div>"


def _finding(finding: Finding) -> str:
    pieces = [
        f"<p><b>{escape(finding.title)}</b> <code>{escape(finding.id)}</code><br>"
        f"{escape(finding.explanation)}</p>"
    ]
    others = [name for name in finding.ids if name != finding.id]
    if others:
        pieces.append(f"<p>The same numbers here: {escape(', '.join(others))}.</p>")
    if finding.convention:
        pieces.append("<p>Both ways are in use; see the source.</p>")
    for name, code in (("PyTorch", finding.torch), ("NumPy", finding.numpy)):
        if code is not None:
            pieces.append(
                f"<pre># {name}\n- {escape(code.wrong)}\n+ {escape(code.right)}</pre>"
            )
    if finding.source:
        pieces.append(f"<p><small>Source: {escape(finding.source)}.</small></p>")
    return "".join(pieces)


def _tables(first: FirstStep) -> str:
    shown = [("theirs", first.theirs), ("right", first.right)]
    if first.difference is not None:
        shown.append(("difference", first.difference))
    tables = "".join(
        f'<div style="{_ASIDE}"><small>{name}</small>{table_html(numbers)}</div>'
        for name, numbers in shown
    )
    return f"<p><b>{escape(first.title)}</b></p><div>{tables}</div>"


def _worked(cell: WorkedCell) -> str:
    """Return a cell with theirs and the right one side by side."""
    sides = "".join(
        f'<div style="{_ASIDE}"><small>{side.name}</small><br>{escape(str(side))}</div>'
        for side in cell.sides
    )
    return (
        f"<p><b>{escape(cell.title)}</b>, which is {escape(cell.rule)}</p>"
        f"<div>{sides}</div>"
    )
