"""What is recorded of modules that have the hooks of PyTorch's."""

import gc
import weakref

import numpy as np
import pytest

import attnviewer
from tests.doctor.reading.layer import inputs
from tests.recording.fakes import Layer, Linear, Module, right

X = inputs(batch=2)["X"]
N = X.shape[1]


def _recorded(layer, *arguments, **keywords):
    with attnviewer.record(layer) as recorded:
        layer(*arguments, **keywords)
    return recorded


def test_a_right_layer_agrees_step_by_step() -> None:
    diagnosis = _recorded(Layer(), X).diagnose()
    assert diagnosis.agrees
    assert diagnosis.compared == ("weights", "concatenated", "output")
    assert diagnosis.notes == ()


def test_inputs_steps_and_options_are_recorded() -> None:
    recorded = _recorded(Layer(), X)
    assert set(recorded.mine) == {
        *("Q", "K", "V", "weights", "concatenated", "output"),
    }
    assert recorded.options == {"n_heads": 2}
    assert recorded.unread == ()
    np.testing.assert_array_equal(recorded.inputs["query"], X)
    np.testing.assert_array_equal(recorded.inputs["W_K"], inputs(batch=2)["W_K"])
    for name in ("weights", "concatenated", "output"):
        np.testing.assert_allclose(recorded.mine[name], right()[name])


def test_the_mistake_of_a_layer_is_named() -> None:
    diagnosis = _recorded(Layer(scaled=False), X).diagnose()
    assert [finding.id for finding in diagnosis.findings] == ["scale-missing"]


def test_exchanged_projections_are_named_although_each_is_right() -> None:
    layer = Layer()
    layer.names = "k_proj", "q_proj", "v_proj", "o_proj"
    diagnosis = _recorded(layer, X).diagnose()
    assert "q-k-swapped" in diagnosis.findings[0].ids


@pytest.mark.parametrize(
    "names",
    [
        ("query", "key", "value", "dense"),
        ("W_query", "W_key", "W_value", "out_proj"),
        ("queries", "keys", "values", "fc_out"),
        ("to_q", "to_k", "to_v", "to_out"),
        ("wq", "wk", "wv", "wo"),
        ("q_linear", "k_linear", "v_linear", "out"),
    ],
)
def test_projections_are_known_by_many_names(names) -> None:
    diagnosis = _recorded(Layer(names=names), X).diagnose()
    assert diagnosis.agrees
    assert "weights" in diagnosis.compared


def test_the_only_other_linear_layer_is_the_projection_of_the_output() -> None:
    recorded = _recorded(Layer(names=("q", "k", "v", "finish")), X)
    assert recorded.unread == ("'finish' is taken for the projection of the output.",)
    assert recorded.diagnose().compared == ("weights", "concatenated", "output")


def test_an_output_of_unknown_making_is_left_out() -> None:
    layer = Layer(names=("q", "k", "v", "finish"))
    layer.gate = Linear(np.ones((12, 12)))
    recorded = _recorded(layer, X)
    assert recorded.diagnose().compared == ("weights",)
    assert "'finish', 'gate'" in recorded.unread[0]


def test_a_mask_that_hides_the_places_after_each_is_causal() -> None:
    mask = np.triu(np.ones((N, N), bool), 1)
    recorded = _recorded(Layer(), X, mask=mask)
    assert recorded.options["causal"] is True
    assert "mask" not in recorded.inputs
    assert recorded.diagnose().agrees
    assert recorded.unread == ("1 in 'mask' is taken to hide a key.",)


def test_a_mask_of_a_documents_own_is_causal_too_where_it_hides_what_follows() -> None:
    blocks = np.kron(np.eye(2, dtype=bool), np.ones((3, 3), bool))[:N, :N]
    recorded = _recorded(Layer(), X, mask=~(blocks & np.tri(N, dtype=bool)))
    assert recorded.options["causal"] is True
    assert recorded.inputs["mask"].sum() == 6 + 3
    assert recorded.diagnose().agrees


def test_a_mask_of_zeros_hides_nothing() -> None:
    recorded = _recorded(Layer(), X, mask=np.zeros((N, N), bool))
    assert "mask" not in recorded.inputs
    assert recorded.diagnose().agrees


def test_options_that_are_given_replace_those_that_were_read() -> None:
    diagnosis = _recorded(Layer(), X).diagnose(causal=True)
    assert diagnosis.findings[0].id == "causal-missing"
    assert not _recorded(Layer(), X).diagnose(scale=0.5).agrees


def test_a_layer_is_found_in_what_holds_it() -> None:
    block = Module()
    block.attention, block.fc1 = Layer(), Linear(np.ones((12, 12)))
    block.forward = lambda x: block.fc1(block.attention(x)[0])
    assert _recorded(block, X).diagnose().agrees


def test_of_several_layers_one_has_to_be_chosen() -> None:
    both = Module()
    both.first, both.second = Layer(), Layer()
    both.forward = lambda x: both.second(both.first(x)[0])
    recorded = _recorded(both, X)
    with pytest.raises(ValueError, match="with 2 instead: 'first', 'second'; get_sub"):
        recorded.diagnose()


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (np.ones(3), "must be a module of PyTorch. Got ndarray"),
        (None, "Got NoneType"),
    ],
)
def test_what_is_no_module_is_refused(module, words) -> None:
    with pytest.raises(TypeError, match=words):
        attnviewer.record(module)


def test_a_module_without_attention_has_no_layers() -> None:
    recorded = _recorded(Linear(np.ones((2, 2))), np.ones((3, 2)))
    for read in (recorded.diagnose, recorded.attention):
        with pytest.raises(ValueError, match="names such as q_proj"):
            read()


def test_the_number_of_heads_is_asked_for() -> None:
    layer = Layer()
    del layer.num_heads
    recorded = _recorded(layer, X)
    with pytest.raises(ValueError, match="'n_heads' must be given"):
        recorded.diagnose()
    assert recorded.diagnose(n_heads=2).agrees
    assert recorded.diagnose(heads=2).agrees


def test_a_layer_has_to_be_called() -> None:
    with attnviewer.record(Layer()) as recorded:
        pass
    with pytest.raises(ValueError, match="must be called while it is recorded"):
        recorded.diagnose()


def test_several_layers_that_were_not_called_have_no_attention_to_read() -> None:
    both = Module()
    both.first, both.second = Layer(), Layer()
    with attnviewer.record(both) as recorded:
        pass
    assert repr(recorded) == "<Recording of 0 layers>"
    with pytest.raises(ValueError, match="must be called while it is recorded"):
        recorded.attention(0)


def test_the_last_call_counts() -> None:
    layer = Layer()
    with attnviewer.record(layer) as recorded:
        layer(X)
        layer(X[:, :3])
    assert recorded.mine["weights"].shape == (2, 2, 3, 3)
    assert recorded.diagnose().agrees


def test_no_hook_is_left_even_after_an_error() -> None:
    layer = Layer()
    with attnviewer.record(layer):
        assert layer.hooks
        assert layer.q_proj.hooks
        with pytest.raises(ValueError, match="matmul"):
            layer(None)
    assert not any(c.hooks or c.pre_hooks for _, c in layer.named_modules())
    with pytest.raises(ValueError, match="matmul"), attnviewer.record(layer):
        layer(None)
    assert not any(c.hooks or c.pre_hooks for _, c in layer.named_modules())


def test_nothing_is_kept_alive() -> None:
    layer = Layer()
    gone = weakref.ref(layer)
    recorded = _recorded(layer, X)
    del layer
    gc.collect()
    assert gone() is None
    assert recorded.diagnose().agrees


def test_arrays_are_copies() -> None:
    layer, x = Layer(), X.copy()
    with attnviewer.record(layer) as recorded:
        layer(x)
        x[:] = 0
        layer.q_proj.weight[:] = 0
    assert recorded.diagnose().agrees


def test_a_recording_is_entered_once() -> None:
    recorded = _recorded(Layer(), X)
    with pytest.raises(RuntimeError, match="entered once"), recorded:
        pass


class _Remembering(Layer):
    """Projects keys and values in its first call alone, as with a cache."""

    kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = self.k_proj(x), self.v_proj(x)
        keys, values = self.kept
        scores = self.q_proj(x) @ keys.swapaxes(1, 2)
        return self.o_proj(scores @ values)


def test_projections_of_an_earlier_call_are_not_taken_for_those_of_the_last() -> None:
    layer = _Remembering()
    with attnviewer.record(layer) as recorded:
        layer(X)
        assert recorded.unread == ()
        layer(X + 1)
    assert recorded.mine == recorded.inputs == {}
    with pytest.raises(ValueError, match="did not call 'k_proj', 'v_proj'"):
        recorded.diagnose()


class _Unreadable(Layer):
    """Projects no rows at all, too, or hands its result on in words."""

    def __init__(self, *, empty):
        super().__init__()
        self.empty = empty

    def forward(self, x):
        result = super().forward(x)
        if not self.empty:
            return "its result", result
        self.q_proj(x[:, :0])
        return result


@pytest.mark.parametrize(
    ("empty", "words"), [(True, "at least 1 each"), (False, "'output' must hold")]
)
def test_what_cannot_be_read_is_told_and_the_layer_goes_on(empty, words) -> None:
    layer = _Unreadable(empty=empty)
    expected = layer(X)
    with attnviewer.record(layer) as recorded:
        result = layer(X)
    np.testing.assert_equal(result, expected)
    (reason,) = recorded.unread
    assert reason.startswith("The projections cannot be read. ")
    assert words in reason
    with pytest.raises(ValueError, match=words):
        recorded.diagnose()
