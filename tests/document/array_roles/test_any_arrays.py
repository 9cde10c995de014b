"""Whatever a file holds, it is suggested, checked and built without a surprise."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer.document import EditError
from attnviewer.document.array_roles.assignment import (
    EMBEDDED_ROLES,
    GIVEN_ROLES,
    Assignment,
    excess,
)
from attnviewer.document.array_roles.assignment_text import parse_assignment
from attnviewer.document.array_roles.building import build
from attnviewer.document.array_roles.pick import HEADS, Pick, index_forms
from attnviewer.document.array_roles.problems import problems
from attnviewer.document.array_roles.suggesting import suggest, unclear

NAMES = [
    *("X", "emb", "context", "P", "Q", "K", "V", "mask", "bias", "data", "w"),
    *("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "wq", "Wk"),
    *("a.q_proj.weight", "a.k_proj.weight", "a.v_proj.weight", "a.q_proj.bias"),
    *("in_proj_weight", "in_proj_bias", "out_proj.weight", "h.c_attn.weight"),
    *("b.self.query.weight", "b.self.key.weight", "b.self.value.weight"),
    *("b.output.dense.weight", "l/query/kernel", "l/key/kernel", "l/value/kernel"),
]
sizes = st.sampled_from([1, 2, 3, 4, 6, 12])
shapes = st.lists(sizes, min_size=1, max_size=4).map(tuple)
files = st.dictionaries(st.sampled_from(NAMES), shapes, min_size=1, max_size=10)


def arrays_of(shapes_):
    return {name: np.ones(shape) for name, shape in shapes_.items()}


def check_built(assignment, shapes_):
    """Build what has no problems; what has some must be refused."""
    if problems(assignment, shapes_):
        with pytest.raises(EditError):
            build(assignment, arrays_of(shapes_))
    else:
        build(assignment, arrays_of(shapes_)).compute()


@given(files)
@settings(max_examples=60)
def test_a_suggestion_is_built_or_its_problems_are_told(shapes_):
    suggestion = suggest(shapes_)
    unclear(suggestion, shapes_)
    check_built(suggestion.assignment, shapes_)
    for block in suggestion.blocks:
        check_built(suggest(shapes_, block=block).assignment, shapes_)


@given(files, st.data())
@settings(max_examples=60)
def test_any_choice_is_built_or_its_problems_are_told(shapes_, data):
    roles = data.draw(st.sampled_from([EMBEDDED_ROLES, GIVEN_ROLES]))
    picks = {}
    for role in data.draw(st.sets(st.sampled_from(roles))):
        name = data.draw(st.sampled_from(sorted(shapes_)))
        forms = index_forms(len(shapes_[name]), vector=role.startswith("b_"))
        index = data.draw(st.sampled_from([(), *forms]))
        third = data.draw(st.sampled_from([None, 0, 2]))
        picks[role] = Pick(name, index, data.draw(st.booleans()), third)
    embedding = data.draw(st.sampled_from(["random", "one-hot"]))
    heads, tokens = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    assignment = Assignment(picks, heads, data.draw(st.booleans()), embedding, tokens)
    excess(assignment, shapes_)
    check_built(assignment, shapes_)


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
@pytest.mark.parametrize("vector", [True, False])
def test_every_form_of_an_index_is_one_that_can_be_taken(ndim, vector):
    forms = index_forms(ndim, vector=vector)
    assert len(set(forms)) == len(forms)
    # Two of the axes in order, and each of the others picked, or one of them joined.
    counts = {1: 1, 2: 1 + 4 * vector, 3: 6, 4: 18}
    plain = [form for form in forms if form.count(None) == 2 or ndim == 1]
    assert len(plain) == {1: 1, 2: 1, 3: 6, 4: 18}[ndim]
    assert all(form.count(HEADS) <= 1 for form in forms)
    assert vector or len(forms) == counts[ndim]


@given(files)
def test_a_suggestion_can_be_typed_as_it_is_written(shapes_):
    assignment = suggest(shapes_).assignment
    text = ",".join(f"{role}={pick}" for role, pick in assignment.picks.items())
    read = parse_assignment(f"{text},heads={assignment.n_heads},causal=0", shapes_)
    assert read == replace(assignment, title=read.title)
