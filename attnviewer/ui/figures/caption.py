"""Captions in whole sentences, as they are written below figures."""

from collections import Counter
from collections.abc import Sequence

from attnviewer.compute import Spec, Trace
from attnviewer.compute.scoring import SCORES
from attnviewer.document import Labels
from attnviewer.ui.figures.finding import Finding, finding_of, finding_words
from attnviewer.ui.figures.lines import has_dashes, threshold_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.texts import axis_title, step_words
from attnviewer.ui.paint.head_hues import DISTINCT
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.tokens import lines_along

_SCORED = (
    "scores",
    "summed",
    "scaled",
    "tempered",
    "capped",
    "biased",
    "masked",
    "weights",
)
_PINNED = {
    "heatmap": "Cells with a triangle in their corner are pinned.",
    "table": "Numbers with a triangle are pinned.",
    "lines": "Lines with a diamond are pinned weights.",
}
_WEIGHTED = ("weights", "heads", "gated", "concatenated", "output")


def caption_of(panels: Sequence[Panel], ticks: Sequence[str] = ()) -> str:
    """Return a figure's caption, with the letters of its panels if it has several.

    What holds for several panels is stated once, at the end.

    Parameters
    ----------
    panels : sequence of Panel
        The panels.
    ticks : sequence of str
        The labels of ticks that are not written at them.
    """
    if len(panels) == 1:
        return _sentences(panels[0])
    names = letters(len(panels))
    counts = Counter(one for panel in panels for one in _remarks(panel))
    shared = [remark for remark, count in counts.items() if count > 1]
    parts, mentioned = [], list[tuple[Trace, Finding | None]]()
    for place, (letter, panel) in enumerate(zip(names, panels, strict=True)):
        shown = _shown_before(panels, place)
        finding = finding_of(panel)
        if shown is None:
            found = [] if (panel.trace, finding) in mentioned else _found(panel)
            sentences = [_subject(panel), *found, *_remarks(panel)]
            sentences = [one for one in sentences if one not in shared]
        else:
            first = panels[shown]
            layer = " of the layer" if panel.place else ""
            text = f"All {panel.n_heads} heads{layer}, on the axes of ({names[shown]})."
            found = [] if _found(first) else _found(panel)
            remarks = [one for one in _remarks(panel) if one not in shared]
            sentences = [text, *found, *remarks]
        mentioned.append((panel.trace, finding))
        parts.append(f"({letter}) {' '.join(sentences)}")
    parts += shared
    if ticks:
        parts.append(f"Ticks: {', '.join(f'“{label}”' for label in ticks)}.")
    return " ".join(parts)


def _shown_before(panels: Sequence[Panel], place: int) -> int | None:
    """Return the first panel that shows one head of what a panel shows all heads of."""
    panel = panels[place]
    if panel.view != "heads" or panel.n_heads < 3:
        return None
    same = (
        n
        for n, other in enumerate(panels[:place])
        if other.trace is panel.trace
        and (other.step, other.view) == (panel.step, "heatmap")
    )
    return next(same, None)


def letters(count: int) -> list[str]:
    """Return the letters of panels: a, b, c."""
    return [chr(ord("a") + place) for place in range(count)]


def _sentences(panel: Panel) -> str:
    return " ".join([_subject(panel), *_found(panel), *_remarks(panel)])


def _found(panel: Panel) -> list[str]:
    """Return what its weights show, if anything."""
    finding = finding_of(panel)
    return [] if finding is None else [finding_words(panel, finding)]


def _subject(panel: Panel) -> str:
    """Return the first sentence: step, head, mask and score."""
    step = panel.shown_step
    spec = panel.trace.spec
    parts = [f"{step_words(step)}{_of_heads(panel, step)}{_in_model(panel)}"]
    if step in ("masked", *_WEIGHTED):
        parts.append(mask_words(spec))
    if step in _SCORED or step in _WEIGHTED:
        parts.append(score_words(spec, step))
    if step in _WEIGHTED and spec.build_normalizer().name != "softmax":
        parts.append(spec.build_normalizer().title)
    if step in _WEIGHTED and spec.temperature != 1.0:
        parts.append(f"temperature {significant_number(spec.temperature, 3)}")
    text = f"{', '.join(part for part in parts if part)}."
    if panel.view == "difference" and panel.compared is not None:
        return f"Difference B − A of {text[0].lower()}{text[1:]}"
    return text


def _of_heads(panel: Panel, step: str) -> str:
    n_heads = panel.trace.n_heads(step)
    if n_heads == 1:
        return ""
    named = f"{'both' if n_heads == 2 else f'all {n_heads}'} heads"
    if 1 < len(panel.heads) < n_heads:
        *some, last = map(str, panel.heads)
        named = f"heads {', '.join(some)} and {last} of {n_heads}"
    if panel.combination is not None and len(panel.heads) != 1:
        rule = {"mean": "mean", "max": "maximum"}[panel.combination]
        return f", {rule} over {named}"
    if panel.view == "heads" or len(panel.heads) > 1:
        return f" of {named}"
    if panel.heads:
        return f" of head {panel.heads[0]} of {n_heads}"
    return f" of head {panel.trace.head_of(step, panel.head)} of {n_heads}"


def _in_model(panel: Panel) -> str:
    return f" in {panel.place}" if panel.place else ""


def mask_words(spec: Spec) -> str:
    """Return which mask there is: ``causal mask``, ``no mask``."""
    masks = []
    if spec.causal:
        masks.append("causal mask")
    if spec.window not in (None, (None, None)):
        assert spec.window is not None
        left, right = ("all" if side is None else side for side in spec.window)
        keys = "key" if left == 1 else "keys"
        masks.append(f"window of {left} {keys} before and {right} after")
    if spec.chunk is not None:
        masks.append(f"chunks of {spec.chunk} tokens")
    if spec.mask:
        masks.append("given mask")
    if spec.key_lengths is not None:
        masks.append("padding hidden")
    return " and ".join(masks) if masks else "no mask"


def score_words(spec: Spec, step: str) -> str:
    """Return how queries and keys are compared: ``scaled dot product``."""
    title = SCORES[spec.score].title
    if spec.score == "given":
        return "given scores"
    if step == "scores" or not spec.scaled:
        return title
    if spec.scale is None:
        return f"scaled {title}"
    return f"{title} times {significant_number(spec.scale, 4)}"


def _remarks(panel: Panel) -> list[str]:
    """Return what one must know to read the figure."""
    remarks = []
    if panel.view == "difference" and panel.compared is not None:
        titles = panel.compared.title, panel.computation.title
        if titles[0] != titles[1]:  # as those of two traces are not
            remarks.append(f"A: {titles[0]}. B: {titles[1]}.")
    if panel.view == "lines":
        threshold = threshold_of(panel)
        least = significant_number(threshold, 3)
        drawn = f"the weight; weights below {least} are not drawn."
        if has_dashes(panel, threshold):
            drawn = (
                f"the size of the weight; sizes below {least} are not drawn, and lines "
                "of negative weights are dashed."
            )
        remarks.append(
            f"Queries are on the left, keys on the right. The width of a line shows "
            f"{drawn}"
        )
        if len(panel.heads) > 1 and panel.hues:
            again = len(panel.heads) > DISTINCT
            repeated = f"; colours repeat after {DISTINCT} heads" if again else ""
            remarks.append(f"Each head has its own colour{repeated}.")
    elif panel.view in ("heatmap", "heads", "difference") and _is_masked(panel):
        remarks.append("Masked cells are grey.")
    if panel.folding is not None:
        rules = panel.folding.row_rule, panel.folding.column_rule
        remarks.append(
            f"Groups of tokens count as one: the {rules[0]} over their queries, the "
            f"{rules[1]} over their keys."
        )
    if panel.view == "on_picture":
        query, names = 0 if panel.cell is None else panel.cell[0], panel.computation
        name = lines_along("queries", names.labels, query + 1)[query]
        remarks.append(f"The query is “{name}”, which is framed.")
    if _is_pinned(panel):
        remarks.append(_PINNED.get(panel.view, _PINNED["heatmap"]))
    if panel.view in ("heatmap", "how", "table") and panel.cell is not None:
        frame = "bold" if panel.view == "table" else "framed"
        remarks.append(f"The number of {_cell_words(panel)} is {frame}.")
    return remarks


def _is_pinned(panel: Panel) -> bool:
    """Return whether a cell that the figure shows is pinned."""
    step = panel.shown_step
    pinned = (panel.trace.pinned(step, head=head) for head in _heads_of(panel))
    return any(cells is not None and cells.any() for cells in pinned)


def _is_masked(panel: Panel) -> bool:
    """Return whether a mask hides a cell that the figure shows."""
    step = panel.shown_step
    hidden = (panel.trace.hidden(step, head=head) for head in _heads_of(panel))
    return any(cells is not None and cells.any() for cells in hidden)


def _heads_of(panel: Panel) -> list[int]:
    """Return a query head for each head that the figure shows."""
    if panel.view == "heads" or panel.combination is not None:
        served = panel.trace.served_by
        return [served(panel.shown_step, own)[0] for own in panel.combined_heads]
    return list(panel.lined_heads)


def _cell_words(panel: Panel) -> str:
    axes, names = panel.trace.stages[panel.step].axes, panel.computation.labels
    cell, folding = FoldedLines(panel.folding).shown(panel.cell), panel.folding
    if folding is not None:
        names = Labels(*panel.folds.weight_names(names, folding))
    assert cell is not None
    words = []
    for axis, place in zip(axes, cell, strict=True):
        named = place < len(names.of(axis))
        name = lines_along(axis, names, place + 1)[place]
        name = f"“{name}”" if named else name
        words.append(f"{axis_title(axis).lower()} {name}")
    return " and ".join(words)
