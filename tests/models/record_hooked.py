"""Record what hooks of PyTorch in transformers' models make of replaced activations.

Not a test. By hand, from the root of the repository, with torch and transformers:

    python -m tests.models.record_hooked

The checkpoints of `hooked.FAMILIES` are those that `checkpoints` writes. They run in
double precision with eager attention; each case of `hooked.CASES` replaces an
activation where the module computes it, in place: by a hook on the module, or inside of
``softmax`` for scores and weights.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import transformers

from tests.models import checkpoints, hooked
from tests.models.hooked import Case

Change = Callable[[torch.Tensor], None]


def change_of(case: Case, part: slice, n_heads: int | None) -> Change:
    """Return what changes a tensor (1, n, width) or (1, h, n, n) in place.

    Of the width, `part` is changed; with `n_heads`, it is that of so many heads.
    """

    def change(tensor: torch.Tensor) -> None:
        own = tensor[0][..., part]
        if n_heads is not None:
            own = own.unflatten(-1, (n_heads, -1)).transpose(0, 1)  # (h, n, d_head)
        if case.head is not None:
            own = own[case.head]
        new = torch.from_numpy(hooked.changed(own.numpy().copy()))
        rows = list(
            range(len(hooked.IDS)) if case.positions is None else case.positions
        )
        own[..., rows, :] = new[..., rows, :]

    return change


def module_of(family: str, model: torch.nn.Module, case: Case) -> tuple[str, object]:
    """Return whether the input or the output of which module is replaced."""
    stack = {"bert": "encoder.layer", "gpt2": "h"}.get(family, "layers")
    layers = model.get_submodule(stack)
    if case.kind == "stream":
        last = case.layer == len(layers)
        return ("output" if last else "input"), layers[case.layer - last]
    names = {
        "bert": {
            "queries": "attention.self.query",
            "keys": "attention.self.key",
            "values": "attention.self.value",
            "heads": "attention.output.dense",
            "attention": "attention.output.dense",
            "after_attention": "attention.output",
            "feed_forward": "output.dense",
        },
        "gpt2": {
            "queries": "attn.c_attn",
            "keys": "attn.c_attn",
            "values": "attn.c_attn",
            "heads": "attn.c_proj",
            "attention": "attn.c_proj",
            "after_attention": "ln_2",
            "feed_forward": "mlp",
        },
        "llama": {
            "queries": "self_attn.q_proj",
            "keys": "self_attn.k_proj",
            "values": "self_attn.v_proj",
            "heads": "self_attn.o_proj",
            "attention": "self_attn.o_proj",
            "after_attention": "post_attention_layernorm",
            "feed_forward": "mlp",
        },
    }
    names["gemma2"] = names["llama"] | {"after_attention": "pre_feedforward_layernorm"}
    module = layers[case.layer].get_submodule(names[family][case.kind])
    # The stream between is the input of a norm, and is added again after it.
    before = case.kind == "heads" or (
        case.kind == "after_attention" and family != "bert"
    )
    return ("input" if before else "output"), module


def run(model: torch.nn.Module) -> np.ndarray:
    with torch.no_grad():
        return model(torch.tensor([hooked.IDS])).last_hidden_state[0].numpy()


def run_changed(family: str, model: torch.nn.Module, case: Case) -> np.ndarray:
    config, every = model.config, slice(None)
    if case.kind in ("scores", "weights"):
        softmax, calls = torch.nn.functional.softmax, []
        change = change_of(case, every, None)

        def watched(scores, *args, **named):
            calls.append(1)
            here = len(calls) - 1 == case.layer
            if here and case.kind == "scores":
                change(scores)
            weights = softmax(scores, *args, **named)
            if here and case.kind == "weights":
                change(weights)
            return weights

        torch.nn.functional.softmax = watched
        try:
            return run(model)
        finally:
            torch.nn.functional.softmax = softmax
            assert len(calls) == config.num_hidden_layers
    part, n_heads = every, None
    if case.kind in ("queries", "keys", "values", "heads"):
        n_heads = config.num_attention_heads
        if case.kind in ("keys", "values"):
            n_heads = getattr(config, "num_key_value_heads", None) or n_heads
        if family == "gpt2" and case.kind != "heads":
            first = ["queries", "keys", "values"].index(case.kind) * config.n_embd
            part = slice(first, first + config.n_embd)
    change = change_of(case, part, n_heads)
    where, module = module_of(family, model, case)

    def first(given: object) -> torch.Tensor:
        return given[0] if isinstance(given, tuple) else given

    if where == "input":
        hook = module.register_forward_pre_hook(lambda _, given: change(first(given)))
    else:
        hook = module.register_forward_hook(lambda _, __, out: change(first(out)))
    try:
        return run(model)
    finally:
        hook.remove()


def main() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    results: dict[str, list[np.ndarray]] = {}
    for family in hooked.FAMILIES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = checkpoints.write(family, Path(temporary))
            model = transformers.AutoModel.from_pretrained(
                folder, dtype=torch.float64, attn_implementation="eager"
            ).eval()
        plain = run(model)
        for case in hooked.CASES:
            found = run_changed(family, model, case)
            print(family, *case, np.abs(found - plain).max())  # noqa: T201
            results.setdefault(family, []).append(hooked.part_of(found))
    stacked = {family: np.float32(found) for family, found in results.items()}
    np.savez_compressed(hooked.FILE, **stacked)


if __name__ == "__main__":
    main()
