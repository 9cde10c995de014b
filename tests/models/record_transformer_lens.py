"""Record what TransformerLens makes of the bundled model and of tiny checkpoints.

Not a test. By hand, from the root of the repository, with transformer_lens 4.3:

    python -m tests.models.record_transformer_lens

Weights are processed as its `enable_compatibility_mode` does by default: norms folded,
writing weights and the unembedding centred. But values' biases are not added to b_O,
and what is read of the weights alone is of weights that are not centred, as here.
"""

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import tokenizers
import torch
import transformers
from transformer_lens import head_detector, patching
from transformer_lens.model_bridge import TransformerBridge

from tests.models import lensed

BY = {
    "heads": patching.get_act_patch_attn_head_out_all_pos,
    "weights": patching.get_act_patch_attn_head_pattern_all_pos,
    "values": patching.get_act_patch_attn_head_v_all_pos,
    "stream": patching.get_act_patch_resid_pre,
    "attention": patching.get_act_patch_attn_out,
    "feed_forward": patching.get_act_patch_mlp_out,
}

HOOKS = {
    "heads": "attn.hook_z",
    "weights": "attn.hook_pattern",
    "values": "attn.hook_v",
    "stream": "hook_resid_pre",
    "attention": "hook_attn_out",
    "feed_forward": "hook_mlp_out",
}
"""The activation of a layer that each kind is."""


def opened(folder: Path, **processing: bool) -> TransformerBridge:
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float64, attn_implementation="eager"
    ).eval()
    # It wants some tokenizer; only ids are given here.
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, "a"))
    bridge = TransformerBridge.boot_transformers(
        str(folder),
        hf_model=model,
        tokenizer=transformers.PreTrainedTokenizerFast(tokenizer_object=words),
        device="cpu",
        dtype=torch.float64,
    )
    bridge.enable_compatibility_mode(disable_warnings=True, **processing)
    return bridge


def hooks_of(model: TransformerBridge, kind: str) -> list[str]:
    return [f"blocks.{layer}.{HOOKS[kind]}" for layer in range(model.cfg.n_layers)]


def gradients_of(
    model: TransformerBridge,
    ids: torch.Tensor,
    metric: Callable[[torch.Tensor], torch.Tensor],
) -> dict[str, torch.Tensor]:
    """Return the gradients on each kind of activation, layer by layer."""
    kept: dict[str, torch.Tensor] = {}

    def keep(tensor: torch.Tensor, hook: object, name: str) -> torch.Tensor:
        kept[name] = tensor.requires_grad_()
        tensor.retain_grad()
        return tensor

    names = {kind: hooks_of(model, kind) for kind in lensed.KINDS}
    every = (name for each in names.values() for name in each)
    # Their hooks may have other names than those they are asked for by.
    hooks = [(name, partial(keep, name=name)) for name in every]
    with torch.enable_grad():
        metric(model.run_with_hooks(ids, fwd_hooks=hooks)).backward()
    return {
        kind: torch.stack([kept[name].grad[0] for name in each])
        for kind, each in names.items()
    }


def summed(kind: str, products: torch.Tensor) -> torch.Tensor:
    """Sum up products as `BY` patches: by layer and head, or by layer and token."""
    if kind == "weights":
        return products.sum((2, 3))
    return products.sum((1, 3)) if kind in ("heads", "values") else products.sum(2)


def recorded(case: lensed.Case, folder: Path) -> dict[str, object]:
    # Values' biases stay with their head, as they do here.
    model = opened(folder, fold_value_biases=False)
    clean, corrupted = torch.tensor([case.ids]), torch.tensor([case.other_ids])
    token, against = case.tokens
    _, cache = model.run_with_cache(clean)
    found: dict[str, object] = {}
    layers, n_heads = range(model.cfg.n_layers), range(model.cfg.n_heads)
    for name in ("previous_token", "duplicate_token", "induction"):
        # detect_head itself takes texts alone.
        pattern = getattr(head_detector, f"get_{name}_head_detection_pattern")(clean)
        score = partial(
            head_detector.compute_head_attention_similarity_score,
            detection_pattern=pattern,
            exclude_bos=False,
            exclude_current_token=False,
            error_measure="mul",
        )
        weights = [cache["pattern", layer][0] for layer in layers]
        found[name] = torch.tensor(
            [[score(A[head]) for head in n_heads] for A in weights]
        )

    def difference(logits: torch.Tensor) -> torch.Tensor:
        return logits[0, -1, token] - logits[0, -1, against]

    # Logit lens, as differences of logits: centring the unembedding shifts all alike.
    stream = cache.accumulated_resid(layer=-1, apply_ln=True, pos_slice=-1)[:, 0]
    logits = stream @ model.W_U + model.b_U  # (layers + 1, n_tokens)
    found["logit_lens"] = logits[:, token] - logits[:, against]

    heads = cache.stack_head_results(layer=-1, pos_slice=-1, incl_remainder=False)
    parts, labels = cache.decompose_resid(
        layer=-1, pos_slice=-1, mode="all", return_labels=True
    )
    mlps = parts[[label.endswith("mlp_out") for label in labels]]
    for name, stack in (("heads", heads), ("mlps", mlps)):
        attributed = cache.logit_attrs(
            stack, tokens=token, incorrect_tokens=against, pos_slice=-1
        )
        found[f"attribution_{name}"] = attributed.flatten()

    good, bad = difference(model(clean)), difference(model(corrupted))
    found["good"], found["bad"] = good, bad

    def share(logits: torch.Tensor) -> torch.Tensor:
        return (difference(logits) - bad) / (good - bad)

    gradients = gradients_of(model, clean, difference)
    found["gradient_weights"] = gradients["weights"]
    found["gradient_stream"] = gradients["stream"]
    gradients = gradients_of(model, corrupted, difference)
    _, other = model.run_with_cache(corrupted)
    for kind in lensed.KINDS:
        found[f"patch_{kind}"] = BY[kind](model, corrupted, cache, share)
        changes = [cache[name] - other[name] for name in hooks_of(model, kind)]
        products = torch.stack(changes)[:, 0] * gradients[kind]
        found[f"estimate_{kind}"] = summed(kind, products) / (good - bad)

    def zero(z: torch.Tensor, hook: object, head: int) -> torch.Tensor:
        z[:, :, head] = 0
        return z

    def without(layer: int, head: int) -> torch.Tensor:
        hooks = [(f"blocks.{layer}.attn.hook_z", partial(zero, head=head))]
        return difference(model.run_with_hooks(clean, fwd_hooks=hooks))

    found["ablated"] = torch.tensor(
        [[without(layer, head) for head in n_heads] for layer in layers]
    )
    plain = opened(folder, center_writing_weights=False, center_unembed=False)
    for kind in ("Q", "K", "V"):
        scores = plain.all_composition_scores(kind).scores  # (l, h, l, h)
        found[f"composition_{kind}"] = scores[:-1, :, 1:, :].flatten(2, 3).flatten(0, 1)
    copied = plain.W_E @ plain.OV.AB @ plain.W_U  # (l, h, n_tokens, n_tokens)
    values = torch.linalg.eigvals(copied)
    found["copying"] = (values.sum(-1) / values.abs().sum(-1)).real
    return {
        name: np.round(np.asarray(value.detach(), np.float64), 7).tolist()
        for name, value in found.items()
    }


def main() -> None:
    transformers.logging.set_verbosity_error()
    torch.set_grad_enabled(False)
    results = {}
    for name, case in lensed.CASES.items():
        with tempfile.TemporaryDirectory() as temporary:
            results[name] = recorded(case, case.folder(Path(temporary)))
    lensed.FILE.write_text(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
