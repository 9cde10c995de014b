"""The steps of the strip, grouped by depth."""

from dataclasses import dataclass

from attnviewer.compute import Stage, Trace


@dataclass(frozen=True, slots=True)
class Group:
    """Steps of the same depth, and the operation that leads to them.

    Parameters
    ----------
    steps : tuple of str
        Their names, in the order of the computation.
    operation : str
        The label of the arrow before them; empty for inputs.
    joining : tuple of str
        Inputs that join at the operation after them, such as a mask.
    """

    steps: tuple[str, ...]
    operation: str
    joining: tuple[str, ...] = ()


def flow_groups(trace: Trace) -> tuple[Group, ...]:
    """Group a trace's steps for the strip; weight matrices are left out.

    Neighbours at the same distance from the inputs do not depend on each other (Q, K,
    V) and share one arrow. An input comes right before the first step computed from it;
    queries, keys and values are grouped.
    """
    together = trace.spec.sources if trace.spec.given else ()
    depths: dict[str, int] = {}
    groups: list[list[Stage]] = []
    waiting: list[Stage] = []
    entering: list[list[Stage]] = []
    for stage in trace.stages.values():
        depths[stage.name] = 1 + max(
            (depths[name] for name in stage.inputs), default=-1
        )
        if not stage.inputs:
            if stage.axes[0] != "features":
                waiting.append(stage)
            continue
        if not groups or depths[groups[-1][-1].name] != depths[stage.name]:
            groups.append([])
            entering.append([])
        groups[-1].append(stage)
        names = {*stage.inputs, *together}
        entering[-1] += [given for given in waiting if given.name in names]
        waiting = [given for given in waiting if given.name not in names]
    first, *later = (_names(given) for given in entering)
    return (
        Group(first, ""),
        *(
            Group(_names(group), _operation(group), joining)
            for group, joining in zip(groups, (*later, ()), strict=True)
        ),
    )


def _names(stages: list[Stage]) -> tuple[str, ...]:
    return tuple(stage.name for stage in stages)


def _operation(group: list[Stage]) -> str:
    first, *others = (stage.operation for stage in group)
    length = len(first)
    while not all(other.startswith(first[:length]) for other in others):
        length -= 1
    # × W_Q, × W_K and × W_V have × W in common.
    return first[:length].rstrip("_ ")
