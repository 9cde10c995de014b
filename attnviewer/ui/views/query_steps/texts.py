"""The texts of the walk: phases, the loop and the matrix form."""

from collections.abc import Mapping

from attnviewer.compute import Move, Phase, QueryWalk, Stage, Trace
from attnviewer.compute.notation import write
from attnviewer.compute.number_text import rounded
from attnviewer.ui.paint.formulas.spans import Span, line_html, spans_of
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import SIGNS, concepts_of, tip
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("walk")

DECIMALS = 4


def phase_title(phase: Phase) -> str:
    """Return the title of a phase: the step, or the part of the normaliser."""
    titles = {
        "maximum": _tr("maximum"),
        "winner": _tr("position"),
        "threshold": _tr("threshold"),
        "exponentials": _tr("exponentials"),
        "sum": _tr("sum"),
    }
    return titles.get(phase.kind, phase.name or phase.step)


def phase_tip(phase: Phase, trace: Trace) -> str:
    """Return the explanation of a phase."""
    parts = {
        "maximum": SIGNS["m"],
        "winner": SIGNS["max"],
        "threshold": SIGNS["τ"],
        "exponentials": SIGNS["e"],
        "sum": SIGNS["Σ"],
    }
    if phase.kind in parts:
        return parts[phase.kind].tip
    return tip(concepts_of(phase.step, trace))


def loop_line(walk: QueryWalk, move: Move, stages: Mapping[str, Stage]) -> str:
    """Return the line of the loop that a move executes."""
    phase = move.phase
    line = walk.loop_line(phase)
    if phase.kind == "mix":
        values = stages[phase.step].inputs[1]
        line = f"{phase.step} = {phase.step} + weights[j] · {values}[j]"
    line = line or f"{phase.step}[j] = {move.symbols}"
    if phase.per_column:
        return f"for j in columns: {line}"
    return f"for j in keys: {line}" if phase.per_key else line


def matrix_line(walk: QueryWalk, phase: Phase, stages: Mapping[str, Stage]) -> str:
    """Return the corresponding line of the matrix form."""
    return walk.matrix_line(phase) or stages[phase.step].equation


def same_for_others(phase: Phase, stages: Mapping[str, Stage]) -> str:
    """Say that every token gets such a vector, if the walk shows one of them."""
    if not phase.per_column or stages[phase.step].axes[0] == "queries":
        return ""
    return _tr("Every other row of {step} is computed in the same way.").format(
        step=phase.step
    )


def move_html(name: str, move: Move, theme: Theme, note: str = "") -> str:
    """Return the number that a move computes, with its operands.

    Parameters
    ----------
    name : str
        The name of the move's cell.
    move : Move
        The move.
    theme : Theme
        The colours of the numbers.
    note : str
        A further remark.
    """
    notes = move.note, note
    phase = move.phase
    if phase.name:
        name = phase.name if move.index is None else f"{phase.name}[{move.index}]"
    lines = [[Span(name, bold=True)]]
    lines += [[Span("= "), *spans_of(write(step), theme)] for step in move.steps]
    index = 0 if phase.kind == "mix" else len(move.loop) - 1
    value = rounded(float(move.loop[index]), DECIMALS)
    lines.append([Span(f"= {value}", bold=True)])
    lines += [[Span(note, theme.muted)] for note in notes if note]
    return " ".join(map(line_html, lines))


def overflow_sentence(walk: QueryWalk) -> str:
    """Say how skipping the subtraction of the maximum affects this query, and why."""
    exponentials = walk.exponentials
    if exponentials is None or exponentials.shifted:
        return ""
    largest = format_number(exponentials.largest, 2)
    ceiling = format_number(exponentials.ceiling, 1)
    kind = str(exponentials.scores.dtype)
    if exponentials.overflow:
        text = _tr(
            "Overflow: e^{largest} is beyond the largest {kind} (about e^{ceiling}) "
            "and becomes ∞; ∞ / ∞ is no number, and every other weight 0. Taking the "
            "row’s maximum off first divides numerator and sum by the same e^m: "
            "nothing changes, but no exponential is above 1."
        )
    elif exponentials.vanished:
        text = _tr(
            "Underflow: every exponential is below the smallest {kind} and becomes 0, "
            "so nothing is left to divide. With the row’s maximum ({largest}) taken "
            "off, the largest exponential is always 1."
        )
    else:
        text = _tr(
            "Same weights here: the largest exponent is {largest}, and "
            "{kind} overflows only above {ceiling}. Make the scores "
            "larger (by a larger scale or larger inputs) to see the "
            "plain formula fail."
        )
    return text.format(largest=largest, ceiling=ceiling, kind=kind)
