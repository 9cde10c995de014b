"""Norms of queries and keys, against NumPy worked by hand."""

import numpy as np
import pytest

from attnviewer import QKNorm, Rotary, attention, multi_head_attention
from attnviewer.compute import Spec, run
from attnviewer.document import Document, spec_edit
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.document.variants.variants import variant_spec
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain

RNG = np.random.default_rng(5)
Q, K, V = RNG.normal(size=(3, 2, 4, 6))  # each (h, n, d)


def test_an_rms_norm_divides_each_head_by_its_root_mean_square() -> None:
    trace = attention([[3.0, 4.0]], [[0.0, 2.0]], [[1.0]], qk_norm=QKNorm(gain=False))
    # The means of the squares are 25 / 2 and 4 / 2.
    first, second = np.sqrt([12.5 + 1e-6, 2 + 1e-6])
    np.testing.assert_allclose(trace["normed Q"], [[3 / first, 4 / first]])
    np.testing.assert_allclose(trace["normed K"], [[0, 2 / second]], rtol=1e-14)


def test_a_layer_norm_has_mean_0_and_variance_1_before_gain_and_shift() -> None:
    weights = {
        **{"gain_q": RNG.normal(size=6), "shift_q": RNG.normal(size=6)},
        **{"gain_k": RNG.normal(size=12), "shift_k": RNG.normal(size=12)},
    }
    trace = attention(Q, K, V, qk_norm="layer", qk_norm_weights=weights)
    for step, rows, side in (("normed Q", Q, "q"), ("normed K", K, "k")):
        gain, shift = (
            weights[f"{kind}_{side}"].reshape(-1, 1, 6) for kind in ("gain", "shift")
        )
        plain = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(
            rows.var(-1, keepdims=True) + 1e-6
        )
        np.testing.assert_allclose(trace[step], plain * gain + shift, rtol=1e-12)


def test_over_all_heads_the_columns_of_a_token_are_one_row() -> None:
    x, w = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 8))
    gain = RNG.normal(size=8)
    trace = multi_head_attention(
        x,
        *(w, w, w),
        n_heads=2,
        positions="rope",
        qk_norm=QKNorm(full_width=True, gain_offset=1.0, epsilon=0.1),
        qk_norm_weights={"gain_q": gain, "gain_k": gain},
    )
    whole = x @ w  # (n, h·d)
    want = whole / np.sqrt((whole**2).mean(-1, keepdims=True) + 0.1) * (1 + gain)
    found = trace["normed Q"].swapaxes(0, 1).reshape(3, 8)
    np.testing.assert_allclose(found, want, rtol=1e-12)
    assert "rotated normed Q" in trace


def test_after_the_rotation_the_gain_acts_on_rotated_columns() -> None:
    gain = np.arange(1.0, 7.0)
    options = {"qk_norm_weights": {"gain_q": gain, "gain_k": gain}}
    w = np.eye(6)
    turned = multi_head_attention(Q[0], w, w, w, positions=Rotary())["rotated Q"]
    trace = multi_head_attention(
        *(Q[0], w, w, w),
        positions=Rotary(),
        qk_norm=QKNorm(after_rotary=True),
        **options,
    )
    size = np.sqrt((turned**2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(
        trace["normed rotated Q"], turned / size * gain, rtol=1e-12
    )


def test_squares_that_leave_the_range_do_no_harm() -> None:
    rows = np.array([[3e200, 4e200], [0.0, 0.0], [3e-200, 4e-200]])
    trace = attention(rows, rows, rows, qk_norm=QKNorm(gain=False, epsilon=1e-300))
    np.testing.assert_allclose(trace["normed Q"][0], [0.6 * 2**0.5, 0.8 * 2**0.5])
    assert not trace["normed Q"][1].any()
    assert np.isfinite(trace["output"]).all()


@pytest.mark.parametrize(
    "norm",
    [
        QKNorm(gain_offset=1.0, epsilon=0.2),
        QKNorm(kind="layer", shift=True, epsilon=0.2),
        QKNorm(kind="layer", shift=True, full_width=True, after_rotary=True),
    ],
)
def test_gradients_are_finite_differences(norm: QKNorm) -> None:
    spec = Spec(n_heads=2, n_kv_heads=1, positions=Rotary(), qk_norm=norm)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    shapes |= dict.fromkeys(norm.inputs_of("Q"), (8,))
    shapes |= dict.fromkeys(norm.inputs_of("K"), (1, 4))
    inputs = {name: RNG.normal(size=shapes[name]) for name in spec.input_names}
    trace = run(spec, inputs)
    on_output = RNG.normal(size=trace["output"].shape)
    gradients = trace.backward({"output": on_output})
    step = 1e-6
    for name, array in inputs.items():
        assert gradients[name].shape == array.shape
        for index in list(np.ndindex(array.shape))[::3]:
            sides = []
            for sign in (1, -1):
                moved = array.copy()
                moved[index] += sign * step
                output = run(spec, {**inputs, name: moved})["output"]
                sides.append(float((output * on_output).sum()))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert gradients[name][index] == pytest.approx(slope, rel=1e-5, abs=1e-7)


def test_documents_take_a_norm_and_keep_it_when_they_are_resized() -> None:
    spec = Spec(n_heads=2, output_projection=True)
    weights = {f"W_{letter}": RNG.normal(size=(4, 4)) for letter in "QKVO"}
    document = Document("", "abc", {"X": RNG.normal(size=(3, 4)), **weights}, spec)
    norm = QKNorm(gain_offset=1.0)
    changed = Spec(n_heads=2, output_projection=True, qk_norm=norm)
    document.apply(spec_edit(document, changed, "Normalise"))
    # 1 + 0 multiplies by 1.
    np.testing.assert_array_equal(document.matrix("gain_Q"), [[0, 0]])
    assert spec_from_plain(spec_to_plain(document.spec)) == document.spec
    wider = Dimensions(4, None, 3, 2, 2, 2, 3, None)
    document.apply(plan_dimensions(document, wider).edit("Widen"))
    assert document.matrix("gain_K").shape == (1, 3)
    simplified = variant_spec(document, "simplified")
    assert simplified.qk_norm is None
    document.apply(spec_edit(document, simplified, "Simplify"))
    assert variant_spec(document, "self").qk_norm == norm


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "l2"}, "'kind' must be one of rms, layer"),
        ({"shift": True}, "'shift' must be off unless the kind is 'layer'"),
        ({"epsilon": 0.0}, "'epsilon' must be a finite number above 0"),
        ({"gain_offset": np.inf}, "'gain_offset' must be a finite number"),
        ({"gain": False, "gain_offset": 1.0}, "'gain_offset' must be 0 without gains"),
    ],
)
def test_norms_that_contradict_themselves_are_refused(options, message) -> None:
    with pytest.raises(ValueError, match=message):
        QKNorm(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"qk_norm": "l2"}, "'qk_norm' must be one of rms, layer"),
        ({"qk_norm": QKNorm()}, "'gain_q' of 'qk_norm_weights' must be given"),
        (
            {"qk_norm_weights": {"gain_q": np.ones(6)}},
            "'qk_norm_weights' parameter must be None without a norm",
        ),
        (
            {"qk_norm": QKNorm(), "qk_norm_weights": {"gain_v": 1}},
            "'qk_norm_weights' must be one of gain_q, gain_k",
        ),
        (
            {
                "qk_norm": QKNorm(),
                "qk_norm_weights": {"gain_q": np.ones(5), "gain_k": np.ones(6)},
            },
            r"'gain_q' of 'qk_norm_weights' must have shape \(6,\) or \(12,\)",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused(options, message) -> None:
    with pytest.raises(ValueError, match=message):
        attention(Q, K, V, **options)
