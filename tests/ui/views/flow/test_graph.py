"""The map of the strip: what stands where, and what leads to what."""

import pytest

from attnviewer.compute import Learned, Rotary, Sinusoidal, Spec
from attnviewer.ui.views.flow.graph import flow_graph

from .variants import VARIANTS, trace_of


def graph_of(**spec):
    return flow_graph(trace_of(Spec(**spec)))


def places(graph):
    return {node.key: node.place for node in graph.nodes}


def into(graph, target):
    return [(e.source, e.lane) for e in graph.edges if e.target == target]


def test_x_forks_to_queries_keys_and_values_and_these_meet_in_two_operations():
    graph = graph_of()
    assert places(graph) == {
        "X": "all",
        "Q": "query",
        "K": "key",
        "V": "value",
        "→ scores": "main",
        "scores": "main",
        "scaled": "main",
        "weights": "main",
        "→ output": "main",
        "output": "main",
    }
    assert [(e.source, e.target, e.lane, e.operation) for e in graph.edges] == [
        ("X", "Q", "query", "× W_Q"),
        ("X", "K", "key", "× W_K"),
        ("X", "V", "value", "× W_V"),
        ("Q", "→ scores", "query", ""),
        ("K", "→ scores", "key", ""),
        ("→ scores", "scores", None, ""),
        ("scores", "scaled", None, "÷ √8"),
        ("scaled", "weights", None, "softmax"),
        ("weights", "→ output", None, ""),
        ("V", "→ output", "value", ""),
        ("→ output", "output", None, ""),
    ]
    pills = {node.name: node.operation for node in graph.nodes if node.operation}
    assert pills == {"scores": "Q Kᵀ", "output": "× V"}


def test_x_that_is_not_projected_is_queries_keys_and_values():
    graph = graph_of(projected=False)
    assert into(graph, "→ scores") == [("X", "query"), ("X", "key")]
    assert into(graph, "→ output") == [("weights", None), ("X", "value")]


def test_keys_and_values_of_cross_attention_come_from_the_context():
    graph = graph_of(context=True)
    stand = places(graph)
    assert (stand["X"], stand["context"]) == ("query", "keys and values")
    assert into(graph, "Q") == [("X", "query")]
    assert into(graph, "K") == [("context", "key")]
    assert into(graph, "V") == [("context", "value")]


def test_bias_and_mask_stand_below_the_edge_that_they_enter():
    graph = graph_of(bias=True, mask=True)
    stand, column = places(graph), {n.key: n.column for n in graph.nodes}
    assert stand["bias"] == stand["mask"] == "joining"
    assert column["scaled"] < column["bias"] < column["biased"] < column["mask"]
    assert column["mask"] < column["masked"] < column["weights"]
    assert into(graph, "masked") == [("mask", None), ("biased", None)]


@pytest.mark.parametrize("positions", [Learned(), Sinusoidal()])
def test_positions_join_x(positions):
    graph = graph_of(positions=positions)
    assert places(graph)["P"] == "joining"
    assert set(into(graph, "X + P")) == {("X", None), ("P", None)}
    assert into(graph, "V") == [("X + P", "value")]


def test_positions_beside_a_context_have_a_lane_of_their_own():
    graph = graph_of(positions=Learned(), context=True)
    stand = places(graph)
    first = [stand[name] for name in ("X", "P", "context")]
    assert first == ["query", "key", "value"]


def test_rotated_queries_and_keys_stay_in_their_lanes():
    graph = graph_of(positions=Rotary())
    stand = places(graph)
    assert (stand["rotated Q"], stand["rotated K"]) == ("query", "key")
    assert into(graph, "→ scores") == [("rotated Q", "query"), ("rotated K", "key")]


def test_the_logits_of_gates_enter_between_what_heads_find_and_what_passes():
    graph = graph_of(n_heads=2, output_gate="elementwise")
    assert into(graph, "gated") == [("G", None), ("heads", None)]
    assert places(graph)["G"] == "joining"


def test_given_scores_lead_to_the_weights_and_values_enter_after_these():
    graph = graph_of(given=True, projected=False, score="given")
    assert into(graph, "scores") == [("S", None)]
    assert into(graph, "→ output") == [("weights", None), ("V", "value")]


def test_heads_that_are_shared_are_counted_for_keys_and_values():
    graph = graph_of(n_heads=4, n_kv_heads=2)
    heads = {node.name: node.n_heads for node in graph.nodes if not node.operation}
    assert [heads[name] for name in ("X", "Q", "K", "V", "weights")] == [1, 4, 2, 2, 4]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_step_has_one_place_and_every_edge_leads_to_the_right(variant):
    trace = trace_of(VARIANTS[variant])
    graph = flow_graph(trace)
    shown = [
        step
        for step, stage in trace.stages.items()
        if stage.inputs or stage.axes[0] != "features"
    ]
    assert sorted(graph.steps) == sorted(shown)
    computed = [step for step in shown if trace.stages[step].inputs]
    inner = [step for step in graph.steps if step in computed]
    joining = {"P", "G"}  # with the step that they enter
    assert [s for s in inner if s not in joining] == [
        s for s in computed if s not in joining
    ]
    nodes = {node.key: node for node in graph.nodes}
    for edge in graph.edges:
        assert nodes[edge.source].column < nodes[edge.target].column
    reached = {edge.target for edge in graph.edges}
    # The logits of gates enter far from X, which they are computed from.
    assert {step for step in computed if step not in reached} <= {"G"}
    used = {edge.source for edge in graph.edges}
    assert [step for step in nodes if step not in used] == ["output"]
    stand = [(node.column, node.place) for node in graph.nodes]
    assert len(set(stand)) == len(stand)
