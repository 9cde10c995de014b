"""The strip's graph: the lane and column of each step, and the edges between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from attnviewer.compute import Stage, Trace

Lane: TypeAlias = Literal["query", "key", "value"]
Place: TypeAlias = Literal[
    "query", "key", "value", "main", "keys and values", "all", "joining"
]
"""Where a step stands. Queries and keys have a lane each, above one another, and values
one beneath; steps that lead to both queries and keys stand between their lanes, as does
all that follows from the scores. A joining step stands below the edge it enters."""

_LANES: tuple[Lane, ...] = get_args(Lane)
_SIDES: tuple[Lane, Lane] = ("query", "key")
_PLACES: dict[frozenset[Lane], Place] = {
    frozenset({"query"}): "query",
    frozenset({"key"}): "key",
    frozenset({"value"}): "value",
    frozenset({"query", "key"}): "main",
    frozenset({"key", "value"}): "keys and values",
    frozenset({"query", "value"}): "all",
    frozenset({"query", "key", "value"}): "all",
    frozenset(): "main",
}


@dataclass(frozen=True, slots=True)
class Node:
    """A step, or the operation in which two matrices meet.

    Parameters
    ----------
    name : str
        The step; for an operation, the step that comes of it.
    place : str
        Where it stands.
    column : int
        Its column, from the left.
    shape : tuple of two int
        Rows and columns of the matrix; of an operation (0, 0).
    n_heads : int
        The number of its heads.
    operation : str
        The text of an operation; empty for a step.
    """

    name: str
    place: Place
    column: int
    shape: tuple[int, int] = (0, 0)
    n_heads: int = 1
    operation: str = ""

    @property
    def key(self) -> str:
        """A name that no other node has."""
        return f"→ {self.name}" if self.operation else self.name


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection between two nodes, from left to right.

    Parameters
    ----------
    source, target : str
        Keys of the nodes.
    lane : str or None
        What runs along it: queries, keys, values, or none of them alone.
    operation : str
        What is done on the way; empty if the target says it.
    """

    source: str
    target: str
    lane: Lane | None = None
    operation: str = ""


@dataclass(frozen=True, slots=True)
class FlowGraph:
    """The nodes, in the order of the computation, and their edges."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps, inputs first; an input that joins later stands before its step."""
        return tuple(node.name for node in self.nodes if not node.operation)

    @property
    def meetings(self) -> dict[str, str]:
        """The operations in which two matrices meet, by the step that comes of it."""
        return {node.name: node.operation for node in self.nodes if node.operation}

    @property
    def on_edges(self) -> dict[str, str]:
        """The operations on edges, by the step that they lead to."""
        return {edge.target: edge.operation for edge in self.edges if edge.operation}


def flow_graph(trace: Trace) -> FlowGraph:
    """Return the map of a trace's steps; weight matrices are named on the edges."""
    return _Builder(trace).graph()


def stacked(graph: FlowGraph) -> FlowGraph:
    """Return a map with what joins a step in that step's column, below it."""
    nodes = {node.key: node for node in graph.nodes}
    columns = {key: node.column for key, node in nodes.items()}
    fed = {edge.target for edge in graph.edges}
    entered: set[str] = set()
    for edge in graph.edges:
        joins = nodes[edge.source].place == "joining" and edge.source not in fed
        # Only one of the inputs that join a step stands below it.
        if joins and edge.target not in entered:
            entered.add(edge.target)
            columns[edge.source] = columns[edge.target]
    left = {old: new for new, old in enumerate(sorted(set(columns.values())))}
    moved = (replace(node, column=left[columns[node.key]]) for node in graph.nodes)
    return FlowGraph(tuple(moved), graph.edges)


class _Builder:
    """Places the steps of one trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._stages = {
            stage.name: stage
            for stage in trace.stages.values()
            if stage.inputs or stage.axes[0] != "features"
        }
        self._inputs = {
            name: tuple(i for i in stage.inputs if i in self._stages)
            for name, stage in self._stages.items()
        }
        self._main = self._after_the_scores()
        self._lanes: dict[str, set[Lane]] = {name: set() for name in self._stages}
        self._joining: set[str] = set()
        self._mixing: dict[str, str] = {}
        self._columns: dict[str, int] = {}
        self._nodes: dict[str, Node] = {}
        self._edges: list[Edge] = []
        self._assign_lanes()

    def graph(self) -> FlowGraph:
        for name, stage in self._stages.items():
            if name in self._joining:
                continue  # placed with the step that it enters
            self._add(stage)
        return FlowGraph(_apart(tuple(self._nodes.values())), tuple(self._edges))

    def _after_the_scores(self) -> set[str]:
        """Return the steps that are made of numbers per query and key."""
        main: set[str] = set()
        for name, stage in self._stages.items():
            per_pair = stage.axes[1] == "keys" and bool(stage.inputs)
            if per_pair or any(i in main for i in self._inputs[name]):
                main.add(name)
                first = self._inputs[name][:1]
                main |= {i for i in first if self._stages[i].axes[1] == "keys"}
        return main

    def _assign_lanes(self) -> None:
        for name in self._stages:
            if name in self._main:
                self._assign_inputs(name)
        for name in reversed(self._stages):
            if name not in self._main:
                for given in self._inputs[name]:
                    self._lanes[given] |= self._lanes[name]
        for name, inputs in self._inputs.items():
            if name not in self._main and self._place(name) in ("all", "main"):
                self._joining |= {i for i in inputs[1:] if self._only_enters(i, name)}

    def _assign_inputs(self, name: str) -> None:
        """Say in which lanes the inputs of a step per query and key stand."""
        inputs = self._inputs[name]
        if not self._has_spine(name):
            sides = (_SIDES,) if len(inputs) == 1 else tuple((s,) for s in _SIDES)
            for number, given in enumerate(inputs):
                self._lanes[given].update(sides[min(number, len(sides) - 1)])
            return
        for given in inputs:
            if given in self._main:
                continue
            rows, columns = self._stages[given].axes
            if columns == "keys" or rows == "queries":
                self._joining.add(given)
            else:
                self._lanes[given].add("value")
                self._mixing[given] = name

    def _has_spine(self, name: str) -> bool:
        """Return whether a step is computed from numbers per query and key."""
        return any(given in self._main for given in self._inputs[name])

    def _only_enters(self, name: str, target: str) -> bool:
        users = [user for user, inputs in self._inputs.items() if name in inputs]
        return users == [target] and name not in self._inputs[target][:1]

    def _place(self, name: str) -> Place:
        if name in self._joining:
            return "joining"
        if name in self._main:
            return "main"
        return _PLACES[frozenset(self._lanes[name])]

    def _meeting(self, stage: Stage) -> tuple[str, ...]:
        """Return the matrices that meet in a step, twice if one meets itself."""
        inputs = []
        for given in self._inputs[stage.name]:
            if given in self._joining:
                continue
            outside = given not in self._main and self._has_spine(stage.name)
            if outside and self._mixing.get(given) != stage.name:
                continue  # only its shape is asked for; it enters further on
            inputs.append(given)
        return tuple(inputs)

    def _add(self, stage: Stage) -> None:
        meeting = self._meeting(stage)
        after = max((self._columns[i] for i in meeting), default=-1)
        after = self._add_joining(stage, after)
        if len(meeting) > 1 and stage.name in self._main:
            after += 1
            # Next to each other, the two matrices are in plain sight.
            pill = Node(stage.name, "main", after, operation=stage.operation)
            self._nodes[pill.key] = pill
            for lane, given in zip(self._lanes_into(stage), meeting, strict=True):
                self._edges.append(Edge(given, pill.key, lane))
            self._edges.append(Edge(pill.key, stage.name))
        else:
            for given in meeting:
                own = given == meeting[0]
                operation = stage.operation if own else ""
                lane = self._lane_of(stage.name)
                self._edges.append(Edge(given, stage.name, lane, operation))
        self._put(stage, after + 1)

    def _add_joining(self, stage: Stage, after: int) -> int:
        """Place what enters a step, each in a column of its own."""
        for given in self._inputs[stage.name]:
            if given in self._joining and given not in self._nodes:
                after += 1
                self._put(self._stages[given], after)
                self._edges.append(Edge(given, stage.name))
                for source in self._inputs[given]:
                    # From further off, an edge would cross all that lies between.
                    if self._columns[source] == after - 1:
                        self._edges.append(Edge(source, given))
        return after

    def _put(self, stage: Stage, column: int) -> None:
        name, trace = stage.name, self._trace
        self._columns[name] = column
        shape = trace.matrix_shape(name)
        node = Node(name, self._place(name), column, shape, trace.n_heads(name))
        self._nodes[name] = node

    def _lane_of(self, name: str) -> Lane | None:
        lanes = () if name in self._main else tuple(self._lanes[name])
        return lanes[0] if len(lanes) == 1 else None

    def _lanes_into(self, stage: Stage) -> tuple[Lane | None, ...]:
        inputs = self._meeting(stage)
        if any(given in self._main for given in inputs):
            return tuple(None if i in self._main else "value" for i in inputs)
        return tuple(_SIDES[min(number, 1)] for number in range(len(inputs)))


_COVERED: dict[Place, frozenset[Lane]] = {
    **{place: lanes for lanes, place in _PLACES.items()},
    "main": frozenset({"query", "key"}),
    "joining": frozenset({"key"}),
}


def _apart(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Move what would stand on one another in a column into lanes of its own."""
    columns: dict[int, list[Node]] = {}
    for node in nodes:
        columns.setdefault(node.column, []).append(node)
    places = {node.key: node.place for node in nodes}
    moved = {node.key: node.column for node in nodes}
    inserted = 0
    for _, together in sorted(columns.items()):
        covered = [lane for node in together for lane in _COVERED[node.place]]
        crowded = len(covered) > len(set(covered))
        together.sort(key=lambda node: min(map(_LANES.index, _COVERED[node.place])))
        for number, node in enumerate(together):
            if crowded:
                places[node.key] = _LANES[number % len(_LANES)]
            moved[node.key] += inserted + (number // len(_LANES) if crowded else 0)
        if crowded:
            inserted += (len(together) - 1) // len(_LANES)
    return tuple(
        replace(node, place=places[node.key], column=moved[node.key]) for node in nodes
    )


def made_of(graph: FlowGraph) -> tuple[object, ...]:
    """Return what needs other widgets: not another factor, nor another shape."""
    return graph.steps, graph.meetings.keys(), graph.on_edges.keys()
