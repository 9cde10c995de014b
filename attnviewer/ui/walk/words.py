"""What the walk says in words: its phases, the loop and the matrix form."""

from collections.abc import Mapping

from attnviewer.compute import Move, Phase, QueryWalk, Spec, Stage
from attnviewer.compute.notation import write
from attnviewer.document import rounded
from attnviewer.ui.concepts import SIGNS, concepts_of, tip
from attnviewer.ui.formulas.spans import Span, line_html, spans_of
from attnviewer.ui.numbers import format_number
from attnviewer.ui.theme import Theme
from attnviewer.ui.translation import translate_in

_tr = translate_in("walk")

DECIMALS = 4
_LOOPS = {
    "maximum": "m = max({source})",
    "exponentials": "e[j] = exp({source}[j] − m)",
    "sum": "total = Σⱼ e[j]",
    "weights": "weights[j] = e[j] / total",
    "mix": "{step} = {step} + weights[j] · {values}[j]",
}
_MATRICES = {
    "maximum": "m = max over each row of {source}",
    "exponentials": "E = exp({source} − m)",
    "sum": "total = sum of each row of E",
    "weights": "weights = E / total",
}


def phase_title(phase: Phase) -> str:
    """Return what a phase is called: the step, or the part of softmax."""
    titles = {
        "maximum": _tr("maximum"),
        "exponentials": _tr("exponentials"),
        "sum": _tr("sum"),
    }
    return titles.get(phase.kind, phase.step)


def phase_tip(phase: Phase, spec: Spec) -> str:
    """Return what a phase is for, in plain words."""
    parts = {
        "maximum": SIGNS["m"],
        "exponentials": SIGNS["e"],
        "sum": SIGNS["Σ"],
    }
    if phase.kind in parts:
        return parts[phase.kind].tip
    return tip(concepts_of(phase.step, spec))


def loop_line(walk: QueryWalk, move: Move, stages: Mapping[str, Stage]) -> str:
    """Return the line of the loop that a move is."""
    phase = move.phase
    if move.symbols:
        line = f"{phase.step}[j] = {move.symbols}"
    else:
        line = _filled(_LOOPS[phase.kind], walk, stages)
    if phase.per_column:
        return f"for j in columns: {line}"
    return f"for j in keys: {line}" if phase.per_key else line


def matrix_line(walk: QueryWalk, phase: Phase, stages: Mapping[str, Stage]) -> str:
    """Return the same in the matrix form."""
    if phase.kind in _MATRICES and walk.exponentials is not None:
        return _filled(_MATRICES[phase.kind], walk, stages)
    return f"{phase.step} = {stages[phase.step].formula}"


def _filled(line: str, walk: QueryWalk, stages: Mapping[str, Stage]) -> str:
    (source,) = stages["weights"].inputs
    step = walk.phases[-1].step
    if walk.exponentials is not None:
        if not walk.exponentials.shifted:
            line = line.replace(" − m", "")
        if walk.exponentials.temperature != 1.0:
            source = f"{source} / {format_number(walk.exponentials.temperature, 2)}"
    return line.format(source=source, step=step, values=stages[step].inputs[1])


def same_for_others(phase: Phase, stages: Mapping[str, Stage]) -> str:
    """Say that every token gets such a vector, where the walk shows that of one."""
    if not phase.per_column or stages[phase.step].axes[0] == "queries":
        return ""
    return _tr("Every other row of {step} is computed in the same way.").format(
        step=phase.step
    )


def move_html(name: str, move: Move, theme: Theme, note: str = "") -> str:
    """Return the number that a move computes, with the numbers it is made of.

    Parameters
    ----------
    name : str
        What the cell is called that the move stands at.
    move : Move
        The move.
    theme : Theme
        The colours of the numbers.
    note : str
        What else is said about it.
    """
    notes = move.note, note
    titles = {
        "maximum": "m",
        "exponentials": f"e[{move.place}]",
        "sum": _tr("total"),
    }
    lines = [[Span(titles.get(move.phase.kind, name), bold=True)]]
    lines += [[Span("= "), *spans_of(write(step), theme)] for step in move.steps]
    place = 0 if move.phase.kind == "mix" else len(move.loop) - 1
    value = rounded(float(move.loop[place]), DECIMALS)
    lines.append([Span(f"= {value}", bold=True)])
    lines += [[Span(note, theme.muted)] for note in notes if note]
    return " ".join(map(line_html, lines))


def overflow_sentence(walk: QueryWalk) -> str:
    """Say what leaving the maximum on does to this query, and why."""
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
            "The same weights here: the largest exponent is {largest}, and {kind} "
            "overflows only above {ceiling}. Make the scores larger (a larger scale, "
            "larger numbers in W_Q) to see the plain formula fail."
        )
    return text.format(largest=largest, ceiling=ceiling, kind=kind)
