"""A diagnosis as Markdown."""

import re

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.number_text import format_number
from attnviewer.doctor.diagnosis import Diagnosis, Finding
from attnviewer.doctor.first_step import FirstStep
from attnviewer.doctor.wording import headline
from attnviewer.doctor.worked_cell import worked_cells

MOST_ROWS = MOST_COLUMNS = 8
"""The most rows and columns of a table; the others are only counted."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


def as_markdown(diagnosis: Diagnosis) -> str:
    """Return a diagnosis with the numbers of the first step that differs.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    """
    blocks = [f"# {_escaped(headline(diagnosis))}"]
    for finding in diagnosis.findings:
        blocks += _finding(finding)
    for open_ in diagnosis.unexplained:
        blocks += [
            f"## {_escaped(open_.step)} differs",
            f"No mistake of the catalogue explains it. {_escaped(open_.where)}",
        ]
    first = FirstStep.of(diagnosis)
    if first is not None:
        blocks.append(f"## {_escaped(first.title)}")
        blocks += ["Theirs:", _table(first.theirs), "Right:", _table(first.right)]
        if first.difference is not None:
            blocks += ["Difference:", _table(first.difference)]
    for cell in worked_cells(diagnosis):
        blocks.append(f"`{cell.title}`, which is {_escaped(cell.rule)}:")
        sides = (f"- {side.name}: {_escaped(str(side))}" for side in cell.sides)
        blocks.append("\n".join(sides))
    if diagnosis.harmless:
        blocks.append(f"Harmless differences: {_codes(diagnosis.harmless)}.")
    if diagnosis.unseen:
        unseen = _codes(diagnosis.unseen)
        blocks.append(f"Mistakes that these inputs cannot reveal: {unseen}.")
    if diagnosis.notes:
        notes = "\n".join(f"- {_escaped(note)}" for note in diagnosis.notes)
        blocks += ["How it was read:", notes]
    return "\n\n".join(blocks) + "\n"


def _finding(finding: Finding) -> list[str]:
    blocks = [
        f"## {_escaped(finding.title)} (`{finding.id}`)",
        _escaped(finding.explanation),
    ]
    others = [name for name in finding.ids if name != finding.id]
    if others:
        blocks.append(f"The same numbers here: {_codes(others)}.")
    if finding.convention:
        blocks.append("Both ways are in use; see the source.")
    for name, code in (("PyTorch", finding.torch), ("NumPy", finding.numpy)):
        if code is not None:
            lines = f"```diff\n- {code.wrong}\n+ {code.right}\n```"
            blocks += [f"In {name}:", lines]
    if finding.source:
        blocks.append(f"Source: {_escaped(finding.source)}.")
    return blocks


def _table(numbers: Numbers) -> str:
    shown = numbers[:MOST_ROWS, :MOST_COLUMNS]
    columns = range(shown.shape[1])
    lines = [
        f"| | {' | '.join(map(str, columns))} |",
        f"|---|{'---:|' * len(columns)}",
    ]
    for index, row in enumerate(shown.tolist()):
        cells = " | ".join(format_number(float(number), 4) for number in row)
        lines.append(f"| {index} | {cells} |")
    if numbers.shape != shown.shape:
        rows, columns_ = numbers.shape
        lines.append(f"\nOf {rows} rows and {columns_} columns.")
    return "\n".join(lines)


def _codes(ids: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in ids)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
