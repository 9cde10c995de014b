"""Record gradient × input of the components of tiny checkpoints, by torch's autograd.

Not a test. By hand, from the root of the repository, with torch, transformers and what
the tests need installed:

    python -m tests.models.record_components

In double precision, with the scales of all norms detached. The outputs of embeddings
and MLPs and the inputs of output projections are leaves, so that only direct paths are
left. Split are a scaled score of a head (once with its key detached, once with its
query), the difference of two logits before a cap, and the length of the mean of an
encoder's last hidden states. It all goes into tests/data/models/components.json.
"""

import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import transformers
from torch import nn
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from tests.models import checkpoints
from tests.models.recorded import DATA, digest

IDS = [3, 17, 42, 5, 17, 29, 44, 46]
LAYERS, HEADS = 3, 4
LAYER, HEAD, QUERY, KEY = 2, 1, 6, 3
TOKEN, AGAINST = 5, 7
OPTIONS: dict[str, dict[str, object]] = {
    "bert": {"num_hidden_layers": LAYERS},
    "gpt2": {"n_layer": LAYERS},
    "llama": {"num_hidden_layers": LAYERS, "attention_bias": True},
    "gemma2": {"num_hidden_layers": LAYERS},
}
_LLAMA = {
    "token embedding": "model.embed_tokens",
    "O": "model.layers.#.self_attn.o_proj",
    "MLP": "model.layers.#.mlp",
    "Q": "model.layers.#.self_attn.q_proj",
    "K": "model.layers.#.self_attn.k_proj",
}
PLACES = {
    "bert": {
        "token embedding": "embeddings.word_embeddings",
        "type embedding": "embeddings.token_type_embeddings",
        "position embedding": "embeddings.position_embeddings",
        "embedding norm bias": "embeddings.LayerNorm",
        "O": "encoder.layer.#.attention.output.dense",
        "attention norm bias": "encoder.layer.#.attention.output.LayerNorm",
        "MLP": "encoder.layer.#.output.dense",
        "MLP norm bias": "encoder.layer.#.output.LayerNorm",
        "Q": "encoder.layer.#.attention.self.query",
        "K": "encoder.layer.#.attention.self.key",
    },
    "gpt2": {
        "token embedding": "transformer.wte",
        "position embedding": "transformer.wpe",
        "O": "transformer.h.#.attn.c_proj",
        "MLP": "transformer.h.#.mlp",
        "input norm bias": "transformer.h.#.ln_1",
        "final norm bias": "transformer.ln_f",
        "Q": "transformer.h.#.attn.c_attn",
        "K": "transformer.h.#.attn.c_attn",
    },
    "llama": _LLAMA,
    "gemma2": _LLAMA,
}
"""Where each family keeps its components; # stands for the layer."""


def _frozen(norm: nn.Module, offset: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return the forward pass of a norm whose scale has no gradient."""

    def forward(x: torch.Tensor) -> torch.Tensor:
        layer_norm = isinstance(norm, nn.LayerNorm)
        if layer_norm:
            x = x - x.mean(-1, keepdim=True)
        epsilon = getattr(norm, "variance_epsilon", getattr(norm, "eps", None))
        scale = (x.square().mean(-1, keepdim=True) + epsilon).rsqrt().detach()
        normed = x * scale * (norm.weight + offset)
        return normed + norm.bias if layer_norm else normed

    return forward


def _leaves(model: nn.Module, family: str) -> dict[str, torch.Tensor]:
    """Run a model and return its components by name, heads of a layer side by side."""
    leaves: dict[str, torch.Tensor] = {}

    def leaf(name: str, own: torch.Tensor) -> torch.Tensor:
        leaves[name] = own.detach().requires_grad_()
        return leaves[name]

    for name, place in PLACES[family].items():
        for layer in range(LAYERS):
            at, called = place.replace("#", str(layer)), f"L{layer} {name}"
            module = model.get_submodule(at)
            bias = getattr(module, "bias", None)
            if name.endswith("embedding"):
                module.register_forward_hook(lambda _m, _i, out, n=name: leaf(n, out))
                break
            if name == "MLP":
                module.register_forward_hook(lambda _m, _i, out, n=called: leaf(n, out))
            elif name == "O":
                module.register_forward_pre_hook(
                    lambda _m, inputs, n=f"L{layer}": (leaf(n, inputs[0]),)
                )
                if bias is not None:
                    leaves[f"L{layer} b_O"] = bias
            elif name.endswith("bias"):
                leaves[called if "#" in place else name] = bias
    return leaves


def _split(number: torch.Tensor, leaves: dict[str, torch.Tensor]) -> dict[str, float]:
    """Return gradient × input of each component that a number depends on."""
    found = torch.autograd.grad(
        number, list(leaves.values()), allow_unused=True, retain_graph=True
    )
    shares = {}
    for (name, own), gradient in zip(leaves.items(), found, strict=True):
        if gradient is None:
            continue
        terms = own * gradient
        if " " in name:
            shares[name] = terms.sum().item()
        else:
            for head, some in enumerate(terms.chunk(HEADS, dim=-1)):
                shares[f"{name} H{head}"] = some.sum().item()
    return shares


def _record(family: str, folder: Path) -> dict[str, object]:
    encoder = family == "bert"
    auto = transformers.AutoModel if encoder else transformers.AutoModelForCausalLM
    model = auto.from_pretrained(
        folder, dtype=torch.float64, attn_implementation="eager"
    ).eval()
    for module in model.modules():
        if type(module).__name__.endswith("Norm"):
            module.forward = _frozen(module, 1.0 if family == "gemma2" else 0.0)
    sides: dict[str, torch.Tensor] = {}
    biases = {}
    for side in "QK":
        module = model.get_submodule(PLACES[family][side].replace("#", str(LAYER)))
        biases[side] = module.bias
        module.register_forward_hook(
            lambda _m, _i, out, side=side: sides.__setitem__(side, out)
        )
    leaves = _leaves(model, family)
    hidden = model.base_model(torch.tensor([IDS])).last_hidden_state[0]
    if encoder:
        mean = hidden.mean(0)
        last = {"embedding": mean @ (mean / mean.norm()).detach()}
    else:
        table = model.lm_head.weight
        last = {"logit": hidden[-1] @ (table[TOKEN] - table[AGAINST])}
    told: dict[str, object] = {n: _split(v, leaves) for n, v in last.items()}
    for moving in "QK":
        score = _score(model, family, sides, moving)
        told["score"] = score.item()
        bias = (
            {f"L{LAYER} b_Q and b_K": biases[moving]}
            if biases[moving] is not None
            else {}
        )
        told[f"score by {moving}"] = _split(score, leaves | bias)
    return told


def _score(
    model: nn.Module, family: str, sides: dict[str, torch.Tensor], moving: str
) -> torch.Tensor:
    """Return a scaled score with gradients on one side only."""
    config = model.config
    d_head = getattr(config, "head_dim", None) or config.hidden_size // HEADS
    rows = {}
    for index, (side, out) in enumerate(sides.items()):
        own = out[0] if side == moving else out[0].detach()
        if family == "gpt2":  # queries, keys and values side by side
            own = own.chunk(3, dim=-1)[index]
        rows[side] = own.view(len(IDS), -1, d_head).transpose(0, 1)[None]
    if hasattr(model.base_model, "rotary_emb"):
        angles = model.base_model.rotary_emb(rows["Q"], torch.arange(len(IDS))[None])
        rows = dict(
            zip("QK", apply_rotary_pos_emb(rows["Q"], rows["K"], *angles), strict=True)
        )
    serving = HEAD * rows["K"].shape[1] // HEADS
    scale = math.sqrt(getattr(config, "query_pre_attn_scalar", d_head))
    return rows["Q"][0, HEAD, QUERY] @ rows["K"][0, serving, KEY] / scale


def main() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    told: dict[str, object] = {
        "input_ids": IDS,
        "cell": {"layer": LAYER, "head": HEAD, "query": QUERY, "key": KEY},
        "token": TOKEN,
        "against": AGAINST,
        "transformers": transformers.__version__,
        "torch": torch.__version__.partition("+")[0],
    }
    for family, options in OPTIONS.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = checkpoints.write(family, Path(temporary), **options)
            own = {"options": options, "weights_sha256": digest(folder)}
            told[family] = own | _record(family, folder)
    rounded = json.loads(json.dumps(told), parse_float=lambda n: round(float(n), 9))
    text = json.dumps(rounded, indent=1) + "\n"
    (DATA / "components.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
