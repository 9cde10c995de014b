"""Functions of PyTorch that modules of any kind call for attention."""

import numpy as np
import pytest

import attnviewer
from tests.recording.watched import (
    PADDED,
    check_nothing_is_left,
    check_outputs,
    recorded_in,
)

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


class _Calling(nn.Module):
    """Calls a function."""

    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


@pytest.mark.parametrize("rule", ["causal_lower_right", "causal_upper_left"])
def test_a_causal_bias_is_read(rule) -> None:
    bias = pytest.importorskip("torch.nn.attention.bias")
    mask = getattr(bias, rule)(3, 5)
    q, k = torch.randn(2, 4, 3, 6), torch.randn(2, 4, 5, 6)
    attention = _Calling(lambda: F.scaled_dot_product_attention(q, k, k, mask))
    check_outputs(recorded_in(attention))


class _Functional(nn.Module):
    """Attention with the weights of a layer, by the function behind it."""

    def __init__(self, separate, **options) -> None:
        super().__init__()
        self.own, self.separate = nn.Linear(12, 12), separate
        joined = torch.randn(36, 12)
        self.weights = dict(zip(("q", "k", "v"), joined.split(12), strict=True))
        self.joined, self.options = None if separate else joined, options

    def forward(self, x):
        named = {f"{n}_proj_weight": weight for n, weight in self.weights.items()}
        given = named if self.separate else {}
        return F.multi_head_attention_forward(
            *(x, x, x, 12, 2, self.joined, torch.arange(36.0)),
            *(None, None, True, 0.0, self.own.weight, self.own.bias),
            use_separate_proj_weight=self.separate,
            training=False,
            average_attn_weights=False,
            **given,
            **self.options,
        )


@pytest.mark.parametrize("separate", [True, False])
@pytest.mark.parametrize(
    "masks",
    [{}, {"key_padding_mask": PADDED}, {"attn_mask": torch.arange(25.0).view(5, 5)}],
)
def test_the_function_behind_multihead_attention_is_recorded(separate, masks) -> None:
    module, x = _Functional(separate, **masks), torch.randn(5, 2, 12)
    recorded = recorded_in(module, x)
    with torch.no_grad():
        _, weights = module(x)
    for item in range(2):
        found = recorded.attention(0, item)["weights"]
        np.testing.assert_allclose(found, weights[item], atol=1e-5)
    assert recorded.diagnose().agrees


def test_keys_that_are_projected_already_are_told() -> None:
    module = _Functional(separate=False, static_k=torch.randn(4, 5, 6))
    with attnviewer.record(module) as recorded:
        module(torch.randn(5, 2, 12))
    (reason,) = recorded.unread
    assert "The 'static_k' must be None to be read" in reason


class _Doubled(torch.overrides.TorchFunctionMode):
    """Doubles what a linear layer gives."""

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        result = function(*arguments, **(keywords or {}))
        return result * 2 if function is F.linear else result


def test_a_mode_that_is_entered_while_recording_keeps_its_effect() -> None:
    own, x = nn.MultiheadAttention(12, 2), torch.randn(5, 2, 12)
    after = nn.Linear(12, 12)
    module = _Calling(lambda: after(own(x, x, x)[0])).eval()
    module.own = own.eval()
    with torch.no_grad(), _Doubled():
        plain = module()
    with torch.no_grad(), attnviewer.record(module) as recorded, _Doubled():
        assert torch.equal(module(), plain)
    assert len(recorded.layers) == 1
    check_nothing_is_left()
