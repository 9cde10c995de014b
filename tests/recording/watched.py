"""Calls of modules of PyTorch while they are recorded, and what has to hold."""

import numpy as np
import pytest

import attnviewer

torch = pytest.importorskip("torch")
nn = torch.nn
PADDED = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])


def _first(result):
    return result if isinstance(result, torch.Tensor) else result[0]


def recorded_in(module, *arguments, **keywords):
    """Record a call, and check that it gives what it gives without a recording."""
    module.eval()
    with torch.no_grad():
        plain = _first(module(*arguments, **keywords))
        with attnviewer.record(module) as recorded:
            seen = _first(module(*arguments, **keywords))
        after = _first(module(*arguments, **keywords))
    assert torch.equal(plain, seen)
    assert torch.equal(plain, after)
    assert recorded.unread == () or "mean of the weights" in recorded.unread[0]
    return recorded


def check_outputs(recorded) -> None:
    for number, layer in enumerate(recorded.layers):
        for item in range(layer.n_items):
            found = recorded.attention(number, item)["output"]
            np.testing.assert_allclose(found, layer.output[item], atol=1e-5)


def check_nothing_is_left() -> None:
    code = nn.modules.module
    assert not code._global_forward_hooks
    assert not code._global_forward_pre_hooks
    assert torch.overrides._get_current_function_mode_stack() == []
