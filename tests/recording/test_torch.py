"""Layers of PyTorch itself, and modules written with it."""

import math

import numpy as np
import pytest

import attnviewer

torch = pytest.importorskip("torch")
nn = torch.nn
N, BATCH, HEADS, WIDTH = 5, 2, 3, 12
HIDDEN = torch.triu(torch.ones(N, N, dtype=torch.bool), 1)
PADDED = torch.tensor([[False] * N, [False] * 3 + [True] * 2])


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def _recorded(layer, *arguments, **keywords):
    with attnviewer.record(layer) as recorded, torch.no_grad():
        layer(*arguments, **keywords)
    return recorded


@pytest.mark.usefixtures("few_mistakes")
@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("extra", [{}, {"add_bias_kv": True, "add_zero_attn": True}])
@pytest.mark.parametrize(
    "masks",
    [
        {},
        {"attn_mask": HIDDEN},
        {"key_padding_mask": PADDED},
        {"attn_mask": HIDDEN, "key_padding_mask": PADDED},
        {"attn_mask": torch.zeros(N, N).masked_fill(HIDDEN, -torch.inf)},
        {"attn_mask": torch.randn(BATCH * HEADS, N, N)},
        {"attn_mask": torch.rand(BATCH * HEADS, N, N) > 0.9},
    ],
)
def test_multihead_attention_agrees(batch_first, extra, masks) -> None:
    layer = nn.MultiheadAttention(WIDTH, HEADS, batch_first=batch_first, **extra)
    for parameter in layer.parameters():
        nn.init.normal_(parameter)
    x = torch.randn(BATCH, N, WIDTH)
    x = x if batch_first else x.transpose(0, 1)
    recorded = _recorded(layer, x, x, x, average_attn_weights=False, **masks)
    diagnosis = recorded.diagnose()
    assert diagnosis.agrees
    assert diagnosis.compared == ("weights", "output")
    assert diagnosis.precision == "float32"
    assert recorded.options["n_heads"] == HEADS


def test_multihead_attention_over_other_widths_agrees() -> None:
    layer = nn.MultiheadAttention(WIDTH, HEADS, kdim=8, vdim=6, batch_first=True)
    sequences = (torch.randn(BATCH, n, d) for n, d in ((4, WIDTH), (6, 8), (6, 6)))
    recorded = _recorded(layer, *sequences)
    assert recorded.diagnose().agrees
    assert "average_attn_weights=False" in recorded.unread[0]


def test_a_layer_of_a_transformer_agrees() -> None:
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, batch_first=True).eval()
    x = torch.randn(BATCH, N, WIDTH)
    diagnosis = _recorded(layer, x, src_key_padding_mask=PADDED).diagnose()
    assert diagnosis.agrees
    assert diagnosis.compared == ("output",)


def test_dropout_of_a_layer_in_training_is_named() -> None:
    layer = nn.MultiheadAttention(WIDTH, HEADS, dropout=0.5).train()
    x = torch.randn(N, WIDTH)
    recorded = _recorded(layer, x, x, x, average_attn_weights=False)
    assert recorded.diagnose().findings[0].id == "dropout-active"


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_any_precision_agrees(dtype) -> None:
    layer = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).to(dtype)
    x = torch.randn(BATCH, N, WIDTH, dtype=dtype)
    recorded = _recorded(layer, x, x, x, average_attn_weights=False)
    diagnosis = recorded.diagnose()
    assert diagnosis.agrees
    assert diagnosis.precision == str(dtype).removeprefix("torch.")


def test_what_pytorch_forgets_of_learned_keys_is_a_difference() -> None:
    """With is_causal and no weights asked for, it hides bias_k from the queries."""
    layer = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True, add_bias_kv=True)
    x = torch.randn(BATCH, N, WIDTH)
    hints = {"attn_mask": HIDDEN, "is_causal": True, "need_weights": False}
    assert not _recorded(layer, x, x, x, **hints).diagnose().agrees


class Own(nn.Module):
    """Causal attention as people write it, with a mistake where asked for."""

    def __init__(self, mistake=""):
        super().__init__()
        self.n_head, self.mistake = 2, mistake
        self.c_attn = nn.Linear(8, 24)
        self.c_proj = nn.Linear(8, 8)
        self.register_buffer("bias", torch.tril(torch.ones(1, 1, 16, 16)))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.c_attn(x).split(d, dim=2)
        if self.mistake == "heads":
            q, k, v = (t.reshape(b, 2, n, 4) for t in (q, k, v))
        else:
            q, k, v = (t.view(b, n, 2, 4).transpose(1, 2) for t in (q, k, v))
        width = d if self.mistake == "scale" else 4
        scores = q @ k.transpose(-2, -1) / math.sqrt(width)
        if self.mistake != "mask":
            seen = self.bias[:, :, :n, :n]
            scores = scores.masked_fill(seen == 0, -torch.inf)
        weights = scores.softmax(dim=1 if self.mistake == "axis" else -1).nan_to_num()
        merged = weights @ v
        if self.mistake != "merge":
            merged = merged.transpose(1, 2)
        return self.c_proj(merged.reshape(b, n, d))


@pytest.mark.parametrize(
    ("mistake", "id"),
    [
        ("", None),
        ("scale", "scale-d_model"),
        ("mask", "causal-missing"),
        ("heads", "heads-not-transposed"),
        ("axis", "softmax-over-heads"),
        ("merge", "concat-not-transposed"),
    ],
)
def test_the_mistake_in_a_module_of_ones_own_is_named(mistake, id) -> None:
    recorded = _recorded(Own(mistake), torch.randn(BATCH, 7, 8))
    assert recorded.options == {"n_heads": 2, "causal": True}
    diagnosis = recorded.diagnose()
    assert diagnosis.agrees == (id is None)
    if id:
        assert id in diagnosis.findings[0].ids


class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.num_heads, self.qkv = 2, nn.Linear(8, 24)

    def forward(self, x):
        q, k, v = self.qkv(x).view(BATCH, 7, 3, 2, 4).permute(2, 0, 3, 1, 4)
        heads = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return heads.transpose(1, 2).reshape(x.shape)


def test_a_fused_function_that_is_called_as_causal_is_meant_so() -> None:
    recorded = _recorded(Causal(), torch.randn(BATCH, 7, 8))
    diagnosis = recorded.diagnose()
    assert diagnosis.agrees
    assert any("called as causal" in note for note in diagnosis.notes)
    assert recorded.diagnose(causal=False).findings[0].id == "causal-added"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_torchscript_is_said_not_to_be_seen() -> None:
    class Own(nn.Module):
        def forward(self, x):
            return nn.functional.scaled_dot_product_attention(x, x, x)

    x = torch.ones(1, N, WIDTH)
    traced = torch.jit.trace(Own(), x, check_trace=False)
    for module, name in ((traced, "The module"), (nn.Sequential(traced), "'0'")):
        recorded = _recorded(module, x)
        for read in (lambda r: r.layers, lambda r: r.mine):
            with pytest.raises(ValueError, match=f"{name} is TorchScript, which runs"):
                read(recorded)


def test_gradients_flow_as_without_a_recording() -> None:
    layer, x = Own(), torch.randn(1, 4, 8, requires_grad=True)
    layer(x).sum().backward()
    expected = x.grad.clone()
    x.grad = None
    with attnviewer.record(layer):
        layer(x).sum().backward()
    np.testing.assert_array_equal(x.grad, expected)


def test_no_hook_is_left() -> None:
    layer = Own()
    _recorded(layer, torch.randn(1, 4, 8))
    assert not any(child._forward_hooks for child in layer.modules())
