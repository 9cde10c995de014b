"""Workbooks with formulas compute what the program computes, also after a change."""

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from attnviewer.compute import (
    Alibi,
    Disentangled,
    Pin,
    QKNorm,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    Spec,
    run,
)
from attnviewer.document import Labels
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.export.parts import chosen_matrices
from attnviewer.io.export.xlsx import computed, formulas
from attnviewer.io.export.xlsx.layout import Layout
from tests.io.export.spreadsheet import Spreadsheet, check_kept_values

N, N_K = 4, 3
_SHAPES = {
    **{"X": (N, 4), "context": (N_K, 4), "W_O": (4, 3), "W_K": (4, 2), "W_V": (4, 2)},
    **{"b_Q": (4,), "b_K": (1, 2), "b_V": (2,), "b_O": (3,), "w": (2, 2), "P": (6, 4)},
    **{"w_q": (2, 3), "w_k": (2, 3), "v": (3,), "sinks": (1, 2), "extra_keys": (1, 2)},
    **{
        "position_ids": (N, 2),
        "R": (6, 4),
        "W_QR": (4, 4),
        "W_KR": (4, 2),
        "b_KR": (2,),
    },
    "relative_bias": (4, 2),
    **{"gain_Q": (2,), "gain_K": (1, 2), "shift_Q": (4,), "shift_K": (2,)},
    **{"extra_values": (1, 2), "Q": (2, N, 4), "K": (2, N_K, 4), "V": (2, N_K, 2)},
}


def _computation(spec: Spec, seed: int = 0) -> Computation:
    rng = np.random.default_rng(seed)
    n_k = N_K if spec.context or spec.given else N
    shapes = _SHAPES | {"W_Q": (4, 4 if spec.n_heads > 1 else 2)}
    inputs = {
        name: rng.normal(size=shapes[name])
        for name in spec.input_names
        if name in shapes
    }
    if spec.bias:
        bias = inputs["bias"] = rng.normal(size=(N, n_k))
        bias[0, 1], bias[2] = -np.inf, -np.inf
    if spec.mask:
        inputs["mask"] = rng.random((N, n_k)) < 0.6
    trace = run(spec, inputs)
    labels = Labels(("=1+1", "-2", "'x", "@y"), tuple("abcd"[:n_k]))
    return Computation("A title", labels, trace)


def _names(computation: Computation) -> dict[tuple[str, int | None], str]:
    trace = computation.trace
    return Layout(trace, chosen_matrices(trace, Choice()), True).sheets


def _check(computation: Computation, sheets: Spreadsheet) -> None:
    """Compare all sheets with the program's numbers."""
    for (step, head), name in _names(computation).items():
        want = np.atleast_2d(np.asarray(computation.trace[step], np.float64))
        want = want if want.ndim == 2 else want[head or 0]
        np.testing.assert_allclose(
            sheets.matrix(name), want, rtol=1e-12, atol=1e-13, err_msg=name
        )


GROUPED = {"n_heads": 2, "n_kv_heads": 1, "output_projection": True}
SPECS = {
    "self": Spec(),
    "simplified": Spec(projected=False),
    "causal": Spec(causal=True, scale=0.3),
    "window": Spec(window=(1, 0), key_lengths=3, query_offset=-1),
    "chunks": Spec(chunk=3, query_offset=-1),
    "shared heads, all biases": Spec(**GROUPED, biases=("b_Q", "b_K", "b_V", "b_O")),
    "bias and mask": Spec(context=True, bias=True, mask=True, softcap=2.5),
    "ALiBi": Spec(**GROUPED, positions=Alibi(), bias=True),
    "relative bias": Spec(**GROUPED, positions=RelativeBias(4, 3), causal=True),
    "relative bias and another": Spec(
        **GROUPED, positions=RelativeBias(4, 3, bidirectional=False), bias=True
    ),
    "disentangled": Spec(
        **GROUPED,
        positions=Disentangled(3, own_weights=True, longest=4),
        biases=("b_KR",),
    ),
    "RoPE": Spec(**GROUPED, positions=Rotary(), causal=True),
    "RoPE with frequencies": Spec(
        **GROUPED, positions=Rotary(frequencies=(0.3,), offset=2, attention_factor=1.5)
    ),
    "RoPE along axes": Spec(
        projected=False,
        positions=Rotary(attention_factor=2.0, axes=RotaryAxes((1, 1))),
    ),
    "norms of heads": Spec(
        **GROUPED,
        positions=Rotary(),
        qk_norm=QKNorm(kind="layer", shift=True, gain_offset=1.0),
    ),
    "norm over all heads": Spec(
        **GROUPED, qk_norm=QKNorm(kind="layer", full_width=True, gain=False)
    ),
    "sinusoidal": Spec(positions=Sinusoidal()),
    "cosine": Spec(score="cosine", scale=4.0),
    "general": Spec(score="general"),
    "additive": Spec(score="additive"),
    "extra rows": Spec(extra_rows=True, causal=True),
    "given": Spec(projected=False, given=True, n_heads=2, causal=True),
    "temperature": Spec(temperature=0.7, causal=True),
    "softmax1": Spec(normalizer="softmax1", temperature=2.0, mask=True, bias=True),
    "sinks": Spec(**GROUPED, sinks=True, temperature=2.0, mask=True, bias=True),
    "sigmoid": Spec(normalizer="sigmoid", temperature=2.0, mask=True),
    "plain sigmoid": Spec(
        normalizer="sigmoid", normalizer_options=(("length_bias", False),)
    ),
    "sum": Spec(normalizer="sum", mask=True, bias=True),
    "hardmax": Spec(normalizer="hardmax", mask=True, bias=True),
    "sparsemax": Spec(normalizer="sparsemax", temperature=0.8, mask=True, bias=True),
    "entmax15": Spec(normalizer="entmax15", temperature=0.8, mask=True, bias=True),
    "pins": Spec(
        **GROUPED,
        causal=True,
        pins=(
            Pin("Q", [0, 3], 1, 0.5, how="add"),
            Pin("K", 0, 0, 2.0, head=0),
            Pin("scores", 2, [0, 1], [[1.0, -2.0]], head=1),
            Pin("masked", 1, 3, 0.25),
            Pin("masked", 2, 1, -np.inf, head=0),
            Pin("weights", 3, [1, 2], 0.125, rest="share"),
            Pin("weights", 2, 0, 0.5, head=1, how="scale", rest="share"),
            Pin("heads", 3, 1, 2.0, how="scale"),
            Pin("output", 0, slice(None), 3.0),
        ),
    ),
    "pins on hidden keys": Spec(
        **GROUPED,
        causal=True,
        softcap=2.5,
        positions=Alibi(),
        pins=(
            Pin("scores", 2, 0, -np.inf, head=1),
            Pin("capped", 3, 1, -np.inf),
            Pin("biased", 3, 1, 0.5, how="add"),
            Pin("masked", [0, 1], 3, 0.5, how="add"),
            Pin("masked", 0, 2, -0.5, how="scale"),
        ),
    ),
    "entmax15 of heads": Spec(**GROUPED, normalizer="entmax15", scale=3.0),
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_formulas_give_the_numbers_of_every_step(spec: Spec, tmp_path: Path) -> None:
    computation = _computation(spec)
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    given = {*spec.input_names, "P"}
    for (step, _), name in _names(computation).items():
        assert bool(sheets.formulas[name]) is (step not in given), name
    _check(computation, sheets)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_after_a_change_the_formulas_follow(spec: Spec, tmp_path: Path) -> None:
    computation = _computation(spec)
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    inputs = {n: np.array(computation.trace[n]) for n in spec.input_names}
    name = "Q H1" if spec.given else "X"
    matrix = inputs["Q"][1] if spec.given else inputs["X"]
    sheets.change(name, 1, 1, 7.5)
    matrix[1, 1] = 7.5
    if spec.mask:
        sheets.change("mask", 3, 0, 0)
        inputs["mask"][3, 0] = False
    changed = Computation("", computation.labels, run(spec, inputs))
    assert not np.allclose(changed.trace["output"], computation.trace["output"])
    _check(changed, sheets)


@pytest.mark.parametrize(
    ("module", "attribute", "step", "reason"),
    [
        (formulas, "LONGEST", "scores", "they would have more than 3 characters"),
        (
            computed,
            "MOST_COLUMNS",
            "weights",
            "a row's sums would need more columns than a sheet has",
        ),
    ],
)
def test_what_has_no_formula_is_told_and_stays_numbers(
    tmp_path: Path, monkeypatch, module, attribute, step, reason
) -> None:
    limits = {"LONGEST": 3, "MOST_COLUMNS": 10}
    monkeypatch.setattr(module, attribute, limits[attribute])
    computation = _computation(Spec(normalizer="entmax15"))
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    assert not sheets.formulas[step]
    # Those of the steps after it stay, unless all are too long.
    assert bool(sheets.formulas["output"]) == (attribute != "LONGEST")
    told = f"'{step}' holds numbers, not formulas: {reason}."
    assert told in sheets.texts("About")


def test_wide_additive_scores_are_formulas_that_follow(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    spec = Spec(score="additive")
    shapes = {"X": (2, 4), "W_Q": (4, 2), "W_K": (4, 2), "W_V": (4, 2)}
    shapes |= {"w_q": (2, 300), "w_k": (2, 300), "v": (300,)}
    inputs = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    labels = Labels(("a", "b"), ("a", "b"))
    computation = Computation("Wide", labels, run(spec, inputs))
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    _check(computation, sheets)
    assert len(sheets.formulas["scores"]) == 4
    sheets.change("X", 0, 1, 3.0)
    inputs["X"][0, 1] = 3.0
    _check(Computation("Wide", labels, run(spec, inputs)), sheets)


def test_steps_whose_sources_are_left_out_are_told_and_stay_numbers(tmp_path) -> None:
    computation = _computation(Spec(**GROUPED))
    choice = Choice(head=1, formulas=True)
    export(computation, tmp_path / "a.xlsx", "xlsx", choice)
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    assert sheets.formulas["weights H1"]
    assert not sheets.formulas["concatenated"]
    assert (
        "'concatenated' holds numbers, not formulas: all of 'heads' would have to be "
        "in the workbook." in sheets.texts("About")
    )
    choice = Choice(("weights", "V", "output"), formulas=True)
    export(_computation(Spec()), tmp_path / "b.xlsx", "xlsx", choice)
    sheets = Spreadsheet(tmp_path / "b.xlsx")
    assert list(sheets.formulas) == ["About", "weights", "V", "output"]
    assert sheets.formulas["output"]
    assert not sheets.formulas["weights"]


def test_values_are_kept_for_programs_that_do_not_compute(tmp_path: Path) -> None:
    computation = _computation(Spec(causal=True, bias=True, mask=True))
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    book = openpyxl.load_workbook(tmp_path / "a.xlsx", data_only=True)
    for step, want in computation.trace.items():
        rows = book[step].iter_rows(min_row=2, min_col=2, values_only=True)
        got = np.array([list(map(float, row)) for row in rows])
        assert (got == np.asarray(want, np.float64)).all()


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_kept_values_are_those_of_the_formulas(spec: Spec, tmp_path: Path) -> None:
    export(_computation(spec), tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    check_kept_values(tmp_path / "a.xlsx")


def test_too_many_formulas_are_refused_before_anything_is_written(tmp_path) -> None:
    x = np.ones((300, 2))
    labels = Labels(tuple(map(str, range(300))), tuple(map(str, range(300))))
    computation = Computation("", labels, run(Spec(projected=False), {"X": x}))
    with pytest.raises(
        # three n × n matrices, as many exponentials with two numbers a row, n × 2
        ValueError,
        match=r"may have 300,000 formulas\. Got 361,200 ins",
    ):
        export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    assert not list(tmp_path.iterdir())
    export(computation, tmp_path / "a.xlsx", "xlsx")


def test_rows_may_become_and_cease_to_be_rows_of_zeros(tmp_path: Path) -> None:
    spec = Spec(projected=False, given=True, context=True, score="cosine")
    inputs = {"Q": np.array([[0.0, 0.0], [3.0, 0.0]]), "K": np.eye(2), "V": np.eye(2)}
    labels = Labels(("a", "b"), ("c", "d"))
    path = tmp_path / "zeros.xlsx"
    computation = Computation("Zeros", labels, run(spec, inputs))
    export(computation, path, "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(path)
    _check(computation, sheets)
    sheets.change("Q", 0, 1, -2.0)
    sheets.change("Q", 1, 0, 0.0)
    inputs["Q"] = np.array([[0.0, -2.0], [0.0, 0.0]])
    _check(Computation("Zeros", labels, run(spec, inputs)), sheets)


@pytest.mark.parametrize("normalizer", ["softmax", "sigmoid", "sum"])
def test_weights_of_scores_beyond_the_range_are_not_zero_silently(
    normalizer, tmp_path: Path
) -> None:
    spec = Spec(projected=False, scale=1e300, normalizer=normalizer)
    path = tmp_path / "large.xlsx"
    computation = Computation(
        "Large", Labels(("a", "b"), ("a", "b")), run(spec, {"X": np.eye(2)})
    )
    export(computation, path, "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(path)
    sheets.change("X", 0, 0, 1e10)
    assert sheets.matrix("weights")[0, 0] != 0


def test_cosines_of_lengths_whose_squares_leave_the_range_are_formulas(
    tmp_path: Path,
) -> None:
    spec = Spec(projected=False, given=True, context=True, score="cosine")
    q = np.array([[-3e200, 4e200], [1e-200, 0.0], [0.0, 0.0]])
    inputs = {"Q": q, "K": np.array([[5e-300, 0.0], [0.0, 2.0]]), "V": np.eye(2)}
    labels = Labels(("a", "b", "c"), ("d", "e"))
    computation = Computation("Lengths", labels, run(spec, inputs))
    export(computation, tmp_path / "a.xlsx", "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(tmp_path / "a.xlsx")
    _check(computation, sheets)
    np.testing.assert_allclose(sheets.matrix("unit Q")[0], [-0.6, 0.8])
    sheets.change("Q", 1, 1, -1e-200)
    np.testing.assert_allclose(sheets.matrix("unit Q")[1], [0.5**0.5, -(0.5**0.5)])
