"""The heads of all layers of the open model, and how one of them is chosen."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from attnviewer.compute import HeadLocation, InMemory, finite_limits
from attnviewer.document import Labels
from attnviewer.document.checkpoint_location import location_name
from attnviewer.ui.paint.folded_content import with_groups
from attnviewer.ui.paint.step_content import DerivedContent, DisplayedStep, StepContent
from attnviewer.ui.paint.step_scale import AROUND_ZERO, scale_for, with_scaling
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.tokens import lines_along

Goal: TypeAlias = HeadLocation | ModelLocation
"""Where a link leads: a head of the open model, or a whole layer."""

COLOURFUL = Look(colors="viridis")
"""For numbers that are never negative but no shares: from 0 to the largest."""

# Models are imported by the thread that opens one: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads
    from attnviewer.models.layer_documents import Link
    from attnviewer.ui.state.layer_map import LayerMap, Written


def content_of_layers(heads: "ModelHeads", shown: DisplayedStep) -> StepContent:
    """Return labels and colours of the heads of all layers.

    Parameters
    ----------
    heads : ModelHeads
        The heads.
    shown : DisplayedStep
        Theme and look. Limits that come from the numbers of one layer do not count:
        weights then go from 0 to 1.
    """
    look = replace(shown.look, per_head=False)
    if look.kept is None and look.policy != "typed":
        look = replace(look, policy="unit")
    matrix = heads.matrix(HeadLocation(heads.layers[0], 0))
    look = with_scaling(look, matrix.shape, signed=False)
    queries, keys = tokens_of(heads)
    content = StepContent(
        STEP_OF_ALL,
        matrix,
        scale_for(None, signed=False, theme=shown.theme, look=look),
        ("queries", "keys"),
        queries,
        keys,
        look,
        signed=False,
    )
    return with_groups(content, shown.folds, shown.theme)


def content_of_written(written: "Written", theme: Theme) -> StepContent:
    """Return labels and colours of what the heads of all layers write."""
    heads, limits = written.heads, (0.0, written.largest)
    queries, keys = tokens_of(heads)
    return DerivedContent(
        "written",
        heads.matrix(HeadLocation(heads.layers[0], 0)),
        scale_for(limits, signed=True, theme=theme, look=COLOURFUL),
        ("queries", "keys"),
        queries,
        keys,
        signed=False,
    )


def content_of_map(
    found: "LayerMap", tokens: tuple[str, ...], theme: Theme
) -> StepContent:
    """Return labels and colours of all layers as one map."""
    values = found.values
    signed = found.choice.way == "attention_gradient"
    look = AROUND_ZERO if signed else COLOURFUL
    return DerivedContent(
        found.choice.way,
        InMemory(values),
        scale_for(finite_limits(values), signed=True, theme=theme, look=look),
        ("queries", "keys"),
        tokens,
        tokens,
        signed=signed,
    )


def tokens_of(heads: "ModelHeads") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of the queries and of the keys."""
    labels = Labels(heads.tokens, heads.key_tokens)
    queries = lines_along("queries", labels, len(heads.tokens))
    return queries, lines_along("keys", labels, len(heads.key_tokens))


def choose_in_model(workbench: Workbench, link: "Link", location: HeadLocation) -> None:
    """Choose a head of any layer; its layer's document is opened where it is not.

    Parameters
    ----------
    workbench : Workbench
        With the open model.
    link : Link
        The open document's. Where it is a head by itself, so is the other one.
    location : HeadLocation
        The head.
    """
    assert location.layer is not None
    here = ModelLocation(link.layer, link.head)
    goal = ModelLocation(location.layer, None if link.head is None else location.head)
    if goal == here == workbench.model.requested:
        workbench.selection.choose_head(0 if link.head is not None else location.head)
    else:
        workbench.model.show(goal, location.head)


def goal_name(goal: Goal) -> str:
    """Return the short name of where a link leads."""
    if isinstance(goal, HeadLocation):
        return goal.name
    return location_name(goal.layer, goal.alone)


def follow_in_model(workbench: Workbench, goal: Goal) -> None:
    """Open a head or a layer of the open model."""
    link = workbench.link
    if isinstance(goal, ModelLocation):
        workbench.model.show(goal)
    elif link is not None:
        choose_in_model(workbench, link, goal)
    elif goal.layer is not None:
        workbench.model.show(ModelLocation(goal.layer), goal.head)
