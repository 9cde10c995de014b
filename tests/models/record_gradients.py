"""Record PyTorch's gradients on the activations of transformers' models.

Not a test. By hand, from the root of the repository, with torch and transformers:

    python -m tests.models.record_gradients

The checkpoints of `backpropagated.CASES` are those that `checkpoints` writes. They run
in double precision with eager attention, softmax included; autograd keeps the gradient
on what a module reads or returns, or on what goes into ``softmax`` and comes out.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import torch
import transformers

from tests.models import backpropagated, checkpoints
from tests.models.hooked import Case
from tests.models.record_hooked import module_of

Tensors = dict[tuple[str, int], torch.Tensor]
STEPS = ("scores", "weights")


@contextmanager
def watched_softmax(kept: Tensors) -> Iterator[None]:
    softmax, layers = torch.nn.functional.softmax, iter(range(backpropagated.N_LAYERS))

    def watched(scores: torch.Tensor, *args: object, **named: object) -> torch.Tensor:
        weights = softmax(scores, dim=-1)
        layer = next(layers)
        for kind, tensor in zip(STEPS, (scores, weights), strict=True):
            tensor.retain_grad()
            kept[kind, layer] = tensor
        return weights

    torch.nn.functional.softmax = watched
    try:
        yield
    finally:
        torch.nn.functional.softmax = softmax


def keep(kept: Tensors, site: tuple[str, int]) -> Callable[..., None]:
    def hook(_: torch.nn.Module, given: object, out: object = None) -> None:
        found = given if out is None else out
        tensor = found[0] if isinstance(found, tuple) else found
        tensor.retain_grad()
        kept[site] = tensor

    return hook


def run(family: str, base: torch.nn.Module, ids: tuple[int, ...]) -> tuple:
    """Return the last hidden states, and the tensors of each site."""
    kept: Tensors = {}
    with ExitStack() as stack:
        stack.enter_context(watched_softmax(kept))
        for kind, layer in backpropagated.SITES:
            if kind not in STEPS:
                where, module = module_of(family, base, Case(kind, layer))
                hook = keep(kept, (kind, layer))
                register = (
                    module.register_forward_pre_hook
                    if where == "input"
                    else module.register_forward_hook
                )
                stack.callback(register(hook).remove)
        states = base(torch.tensor([ids])).last_hidden_state[0]
    return states, kept


def metric(family: str, model: torch.nn.Module, states: torch.Tensor) -> torch.Tensor:
    case = backpropagated.CASES[family]
    if case.token is None:
        with torch.no_grad():
            other, _ = run_plain(model, backpropagated.REFERENCE)
        return torch.cosine_similarity(states.mean(0), other.mean(0), dim=0)
    logits = model.lm_head(states)[case.position]
    cap = getattr(model.config, "final_logit_softcapping", None)
    if cap is not None:
        logits = cap * torch.tanh(logits / cap)
    if case.probability:
        return logits.softmax(0)[case.token]
    minus = 0 if case.minus is None else logits[case.minus]
    return logits[case.token] - minus


def run_plain(base: torch.nn.Module, ids: tuple[int, ...]) -> tuple:
    return base(torch.tensor([ids])).last_hidden_state[0], None


def gradient_of(family: str, config: object, tensor: torch.Tensor, kind: str) -> object:
    """Return the gradient on a site, in the shape of the site."""
    gradient = tensor.grad[0]
    if kind not in backpropagated.PER_HEAD or kind in STEPS:
        return gradient.numpy()
    n_heads = config.num_attention_heads
    if kind in ("keys", "values"):
        n_heads = getattr(config, "num_key_value_heads", None) or n_heads
    if family == "gpt2" and kind != "heads":
        first = ["queries", "keys", "values"].index(kind) * config.n_embd
        gradient = gradient[:, first : first + config.n_embd]
    return gradient.unflatten(-1, (n_heads, -1)).transpose(0, 1).numpy()


def main() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    results = {}
    for family, case in backpropagated.CASES.items():
        kind = "AutoModel" if case.token is None else "AutoModelForCausalLM"
        with tempfile.TemporaryDirectory() as temporary:
            folder = checkpoints.write(family, Path(temporary))
            model = (
                getattr(transformers, kind)
                .from_pretrained(
                    folder, dtype=torch.float64, attn_implementation="eager"
                )
                .eval()
            )
        base = model if case.token is None else model.base_model
        states, kept = run(family, base, backpropagated.IDS)
        metric(family, model, states).backward()
        parts = []
        for site in backpropagated.SITES:
            found = gradient_of(family, model.config, kept[site], site[0])
            print(family, *site, np.abs(found).max())  # noqa: T201
            parts.append(backpropagated.part_of(found).ravel())
        results[family] = np.float32(np.concatenate(parts))
    np.savez_compressed(backpropagated.FILE, **results)


if __name__ == "__main__":
    main()
