"""Everything that the program has a word for is said in a sentence and a formula."""

import re
from dataclasses import fields
from itertools import product
from typing import get_args

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from attnviewer.compute import (
    NORMALIZERS,
    Alibi,
    Disentangled,
    Learned,
    Positions,
    QKNorm,
    RelativeBias,
    Rotary,
    RotaryAxes,
    RowStatistics,
    Sinusoidal,
    Spec,
    run,
)
from attnviewer.compute.head_statistics import HeadStatistics
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.scoring import SCORES
from attnviewer.document import VARIANT_TITLES
from attnviewer.document.masks import MaskKind
from attnviewer.document.variants.ablation import Ablation
from attnviewer.document.variants.variants import NORMALIZER_CHOICES
from attnviewer.ui.state.live import Precision
from attnviewer.ui.text import concepts
from attnviewer.ui.text.head_statistics import STATISTICS
from attnviewer.ui.views.patching.fields import choice, offer
from attnviewer.ui.views.patching.pair_form import BY, DIRECTIONS
from attnviewer.ui.views.patching.texts import ABLATIONS, METRICS, SITES
from attnviewer.ui.views.spec.spec_choices import GATES, NORM_TITLES
from attnviewer.ui.views.step.heads.statistics import statistics_of
from attnviewer.ui.views.step.heatmap.row_statistics import Fact
from attnviewer.ui.widgets.item_roles import TOOL_TIP

PLACES = (None, Sinusoidal(), Learned(), Rotary(), Alibi(), RelativeBias())
WEIGHTS = {"general": ("w",), "additive": ("w_q", "w_k", "v")}
WEIGHTS["concat"] = WEIGHTS["additive"]


def inputs_of(spec):
    """Return inputs of the shapes that a spec asks for, four tokens of width 4."""
    shapes = dict.fromkeys(spec.input_names, (4, 4))
    shapes |= {name: (1, 4) for name in spec.input_names if name.startswith("b_")}
    shapes |= {"sinks": (spec.n_heads,)} if "sinks" in shapes else {}
    shapes |= {"v": (4,)} if "v" in shapes else {}
    shapes |= {"position_ids": (4, 2)} if "position_ids" in shapes else {}
    tables = {"relative_bias": (32, spec.n_heads)}
    shapes |= tables if "relative_bias" in shapes else {}
    shapes |= {name: (1, 4) for name in shapes if name[:-1] in ("gain_", "shift_")}
    shapes |= {"R": (6, 4)} if "R" in shapes else {}
    shapes |= {"S": (4, 4 * spec.n_heads)} if "S" in shapes else {}
    made = {name: np.ones(shape) for name, shape in shapes.items()}
    if "mask" in made:
        made["mask"] = np.ones((4, 4), bool)
    return made


def specs():
    """Yield specs that between them have every stage that there is."""
    for normalizer, places in product(NORMALIZERS, PLACES):
        yield Spec(normalizer=normalizer, positions=places, n_heads=2)
        yield Spec(normalizer=normalizer, positions=places, projected=False)
    rich = {
        "n_heads": 2,
        "biases": ("b_Q", "b_K", "b_V", "b_O"),
        "output_projection": True,
        "length_scale": LengthScale(),
        "output_gate": "elementwise",
        "softcap": 5.0,
        "bias": True,
        "mask": True,
        "causal": True,
        "window": (1, 0),
    }
    for context, scale in product((False, True), (None, 0.5)):
        yield Spec(context=context, scale=scale, **rich)
    yield Spec(extra_rows=True)
    for places, score in product((Sinusoidal(), Rotary()), WEIGHTS):
        yield Spec(projected=False, positions=places, score=score)
    yield Spec(positions=Disentangled(3, own_weights=True, longest=4), biases=("b_KR",))
    yield Spec(qk_norm=QKNorm(kind="layer", shift=True))
    yield Spec(projected=False, positions=Rotary(axes=RotaryAxes((1, 1))))
    yield Spec(n_heads=2, sinks=True)
    yield Spec(context=True, values=True)
    for given, score in product((False, True), SCORES):
        if given or score != "given":
            yield Spec(given=given, projected=not given, score=score)
    for score in ("dot", "given"):
        joined = {"heads_joined": True, "n_heads": 2}
        yield Spec(given=True, projected=False, score=score, **joined)


@pytest.fixture(scope="module")
def traces():
    return [run(spec, inputs_of(spec)) for spec in specs()]


def is_said(concept):
    return concept.text.endswith((".", "…")) and concept.formula != ""


def test_every_step_and_input_of_every_variant_has_a_concept(traces):
    stages = {(name, trace) for trace in traces for name in trace.stages}
    assert len({name for name, _ in stages}) > 40
    for name, trace in stages:
        said = concepts.concepts_of(name, trace)
        assert all(map(is_said, said)), name
        sides = said[0].formula.split(" = ")
        assert len(set(sides)) == len(sides), name
        assert " w" not in name or said[0] is not concepts.CHANGED["rotated"], name
        assert len(concepts.line(said)) <= 260, name


@pytest.mark.parametrize(
    ("registry", "said"),
    [
        (VARIANT_TITLES, concepts.VARIANTS),
        (NORMALIZER_CHOICES, concepts.NORMALIZERS),
        (SCORES, concepts.SCORES),
        (get_args(MaskKind), concepts.MASKS),
        ((None, *get_args(Positions)), concepts.POSITIONS),
        ((None, *NORM_TITLES), concepts.NORMS),
        (GATES, concepts.GATES),
        (get_args(Ablation), concepts.ABLATIONS),
        ((*ABLATIONS, *SITES, *METRICS, *DIRECTIONS, *BY), concepts.PATCHING),
        ((None, *get_args(Precision)), concepts.PRECISIONS),
    ],
)
def test_every_choice_has_a_concept(registry, said):
    assert set(registry) == set(said)
    assert all(map(is_said, said.values()))


def test_a_choice_that_cannot_be_made_gives_the_reason_for_its_meaning(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    box = choice(parent, "by", "Grid", BY)
    meanings = [concepts.PATCHING[name].tip for name in BY]
    for reasons, told in ({"head": "Shared."}, "Shared."), ({}, meanings[0]):
        offer(box, reasons)
        assert [box.itemData(k, TOOL_TIP) for k in (0, 1)] == [told, meanings[1]]


def test_every_statistic_has_a_concept():
    names = {field.name for field in (*fields(RowStatistics), *fields(HeadStatistics))}
    names |= {*STATISTICS, *statistics_of(weights=False), *get_args(Fact)}
    names |= {"received", "top_keys", "mean", "max", "gradient"}
    assert names - {"total"} == set(concepts.STATISTICS)  # that is the row sum
    assert all(map(is_said, concepts.STATISTICS.values()))


def symbols_in(formula):
    """Return the symbols of a formula: neither numbers nor words of plain English."""
    for normalizer in NORMALIZERS.values():
        formula = formula.replace(f"{normalizer.title}(", "(")
    subscripts = re.compile(r"[\u1d62-\u1d6a\u2080-\u209c\u2c7c]")
    plain = (
        subscripts.sub(" ", formula)
        .replace("ᵀ", " ᵀ ")
        .replace("√Σ", "Σ")
        .replace("²", "")
    )
    names = re.findall(r"(√?[^\W\d]\w*|‖)(\(?)", plain)
    return {
        name
        for name, called in names
        if len(name) == 1 or called or not re.fullmatch("[a-z]+", name)
    }


def test_every_symbol_of_every_formula_has_a_concept(traces):
    computed = [
        (trace, stage)
        for trace in traces
        for stage in trace.stages.values()
        if stage.inputs
    ]
    formulas = {stage.formula for _, stage in computed}
    for trace, stage in computed:
        first = (0,) * len(trace.shape(stage.name))
        formulas.add(trace.explain(stage.name, first).symbols)
    used = set().union(*map(symbols_in, formulas))
    assert {"Q", "ᵀ", "√d_k", "W_Q", "τ", "θ", "tanh", "‖", "w_q"} <= used
    assert used <= {*concepts.STEPS, *concepts.DIMENSIONS, *concepts.SIGNS}


def test_the_ideas_are_explained():
    said = {name: concept for name, (_, concept) in concepts.IDEAS.items()}
    assert all(map(is_said, said.values()))
    wanted = {
        "history": "RNN",
        "attention": "sum of the values",
        "search": "search for videos",
        "root": "gradients vanish",
        "softmax": "none is negative",
        "matrix_form": "stacked",
        "pin": "everything after it follows",
    }
    assert set(wanted) == set(said)
    for name, words in wanted.items():
        assert words in said[name].text


def test_a_tip_is_short_lines_of_plain_text():
    for concept in (*concepts.STEPS.values(), *concepts.CHOICES.values()):
        *lines, formula = concept.tip.splitlines()
        assert formula == concept.formula
        assert " ".join(lines) == concept.text
        assert max(map(len, lines)) <= concepts.TIP_WIDTH


def test_the_weights_are_said_as_the_normaliser_makes_them(traces):
    trace = next(trace for trace in traces if trace.spec.normalizer == "sum")
    plain = concepts.line(concepts.concepts_of("weights", trace))
    assert "negative scores make negative weights" in plain
    assert "Softmax" not in plain


def test_steps_and_inputs_have_the_formulas_of_their_variant():
    options = {"normalizer": "sigmoid", "normalizer_options": (("length_bias", False),)}
    spec = Spec(context=True, biases=("b_K",), temperature=2.0, **options)
    trace = run(spec, inputs_of(spec))
    told = {name: concepts.concepts_of(name, trace) for name in trace.stages}
    formulas = {name: said[0].formula for name, said in told.items()}
    assert formulas["W_K"] == formulas["K"] == "K = context W_K + b_K"
    assert formulas["context"] == "K = context W_K + b_K; V = context W_V"
    assert formulas["weights"] == "weights = sigmoid(scaled / 2)"
    assert told["weights"][1].formula == "1 / (1 + e^(−sⱼ))"
    assert formulas["output"] == "output = weights V"


def test_what_is_given_is_not_said_to_be_computed(traces):
    trace = next(t for t in traces if t.spec.given and t.spec.score == "dot")
    assert concepts.concepts_of("Q", trace)[0].formula == "scores = Q Kᵀ"
    assert concepts.concepts_of("V", trace)[0].formula == "output = weights V"
