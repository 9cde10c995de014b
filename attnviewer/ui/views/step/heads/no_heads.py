"""The empty state where there are no heads, and what can be done about it."""

from attnviewer.document.variants.variants import possible_heads
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("HeadsPage")


def why_none(workbench: Workbench, shown: DisplayedStep) -> tuple[str, str]:
    """Return why a step has no heads to show, and what a button offers, "" for none."""
    trace = shown.computed.trace
    if trace.n_heads(STEP_OF_ALL) > 1:
        text = _tr("All heads share {step}.").format(step=step_title(shown.step))
        return text, _tr("Show the heads' attention weights")
    if workbench.link is not None:
        text = _tr("This is one head of a model.")
        return text, _tr("Show the heads of all layers")
    count = least_heads(workbench)
    if count > 1:
        text = _tr(
            "There is only one head. Set more of them with Heads in the"
            " bar above, and each gets a card here."
        )
        return text, _tr("Divide it into {} heads").format(count)
    if trace.spec.given:
        return _tr("The matrices given here belong to one head."), ""
    if not trace.spec.projected:
        text = _tr(
            "This variant has one head. For several, choose the variant"
            " “Multi-head attention” in the bar above."
        )
        return text, ""
    text = _tr(
        "There is one head, and its columns cannot be divided among"
        " several. Attention ▸ Dimensions… adds columns."
    )
    return text, ""


def least_heads(workbench: Workbench) -> int:
    """Return the least number of heads above one that is possible, or 1."""
    document = workbench.document
    if not document.spec.projected:
        return 1
    return min((n for n in possible_heads(document) if n > 1), default=1)
