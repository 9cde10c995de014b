"""A diagnosis as text."""

from attnviewer.doctor.diagnosis import Diagnosis, Finding
from attnviewer.doctor.worked_cell import worked_cells


def as_text(diagnosis: Diagnosis) -> str:
    """Return a diagnosis as lines of plain text."""
    lines = [headline(diagnosis)]
    for finding in diagnosis.findings:
        lines += ["", *_lines(finding)]
    for open_ in diagnosis.unexplained:
        lines += [
            "",
            f"'{open_.step}' differs, and no mistake of the catalogue explains it. "
            f"{open_.where}",
        ]
    for cell in worked_cells(diagnosis):
        sides = [f"  {side.name:6} {side}" for side in cell.sides]
        lines += ["", f"{cell.title}, which is {cell.rule}:", *sides]
    if diagnosis.harmless:
        lines += ["", f"Harmless differences: {', '.join(diagnosis.harmless)}."]
    if diagnosis.unseen:
        unseen = ", ".join(diagnosis.unseen)
        lines += ["", f"Mistakes that these inputs cannot reveal: {unseen}."]
    lines += ["", *diagnosis.notes] if diagnosis.notes else []
    return "\n".join(lines)


def headline(diagnosis: Diagnosis) -> str:
    """Return the result in one sentence."""
    steps = ", ".join(diagnosis.compared)
    if diagnosis.agrees:
        return f"Agrees to within {diagnosis.precision} rounding (compared: {steps})."
    start = f"First difference at '{diagnosis.first_different}'"
    if not diagnosis.findings:
        return f"{start}."
    step = diagnosis.first_different
    found = [f.title for f in diagnosis.findings if f.step == step]
    found = found or [diagnosis.findings[0].title]
    rest = len(diagnosis.findings) - len(found)
    more = f", and {rest} more" if rest else ""
    return f"{start}: {'. '.join(found)}{more}."


def _lines(finding: Finding) -> list[str]:
    lines = [f"{finding.title} [{finding.id}]", f"  {finding.explanation}"]
    others = [name for name in finding.ids if name != finding.id]
    if others:
        lines.append(f"  The same numbers here: {', '.join(others)}.")
    if finding.convention:
        lines.append("  Both ways are in use; see the source.")
    for name, code in (("PyTorch", finding.torch), ("NumPy", finding.numpy)):
        if code is not None:
            lines += [f"  {name}: {code.wrong}", f"  {' ' * len(name)}→ {code.right}"]
    if finding.source:
        lines.append(f"  Source: {finding.source}.")
    return lines
