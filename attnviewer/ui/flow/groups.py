"""Which steps the strip shows, and which of them stand side by side."""

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
        What the arrow before them says; empty for what is given.
    """

    steps: tuple[str, ...]
    operation: str


def flow_groups(trace: Trace) -> tuple[Group, ...]:
    """Group a trace's steps for the strip; weight matrices are left out.

    Neighbours that are equally many steps away from the inputs need not wait for
    each other (Q, K, V) and share one arrow.
    """
    depths: dict[str, int] = {}
    groups: list[list[Stage]] = []
    for stage in trace.stages.values():
        depths[stage.name] = 1 + max(
            (depths[name] for name in stage.inputs), default=-1
        )
        if not stage.inputs and stage.axes[0] == "features":
            continue
        if groups and depths[groups[-1][-1].name] == depths[stage.name]:
            groups[-1].append(stage)
        else:
            groups.append([stage])
    return tuple(
        Group(tuple(stage.name for stage in group), _operation(group))
        for group in groups
    )


def _operation(group: list[Stage]) -> str:
    first, *others = (stage.operation for stage in group)
    length = len(first)
    while not all(other.startswith(first[:length]) for other in others):
        length -= 1
    # × W_Q, × W_K and × W_V have × W in common.
    return first[:length].rstrip("_ ")
