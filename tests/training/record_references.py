"""Record what PyTorch makes of the runs of `cases`.

Not a test. By hand, from the root of the repository, with torch installed:

    python -m tests.training.record_references

The forward pass below is written anew, in torch; its gradients are those of autograd
and its steps those of torch.optim, in double precision and in one thread. The losses of
300 steps and the matrices after them go into tests/data/training/torch.npz, the loss at
each step that `recorded_steps` lists.
"""

import math
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from tests.training.cases import CASES, CONTEXT, STEPS, TOKENS, Case

FILE = Path(__file__).resolve().parents[1] / "data" / "training" / "torch.npz"
KINDS = {
    "sgd": torch.optim.SGD,
    "momentum": torch.optim.SGD,
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
}
Tensors = dict[str, torch.Tensor]


def recorded_steps() -> range:
    """Return the steps, counted from zero, whose loss is recorded."""
    return range(0, STEPS, 13)


def split(joined: torch.Tensor, heads: int) -> torch.Tensor:
    if heads == 1:
        return joined
    return joined.unflatten(-1, (heads, -1)).transpose(-2, -3)


def waves(n: int, d: int) -> torch.Tensor:
    places = torch.arange(n)[:, None]
    angles = places / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def turned(x: torch.Tensor) -> torch.Tensor:
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def threshold(z: torch.Tensor, power: int) -> torch.Tensor:
    """Return tau with Σ max(0, z − tau)^power = 1, from the sorted support."""
    falling = z.detach().sort(dim=-1, descending=True).values
    count = torch.arange(1, z.shape[-1] + 1)
    seen = falling.isfinite()
    clean = torch.where(seen, falling, 0.0)
    mean = clean.cumsum(-1) / count
    if power == 1:
        taus = mean - 1 / count
    else:
        variance = clean.square().cumsum(-1) / count - mean**2
        taus = mean - (1 / count - variance).clamp(min=0).sqrt()
    size = ((taus < falling) & seen).sum(-1, keepdim=True)
    inside = z >= falling.gather(-1, size - 1)
    own = torch.where(inside, z, 0.0)
    mean = own.sum(-1, keepdim=True) / size
    if power == 1:
        return mean - 1 / size
    variance = torch.where(inside, (z - mean) ** 2, 0.0).sum(-1, keepdim=True) / size
    return mean - (1 / size - variance).sqrt()


def normalized(scores: torch.Tensor, rule: str) -> torch.Tensor:
    if rule == "softmax":
        return scores.softmax(-1)
    if rule == "softmax1":
        zero = torch.zeros_like(scores[..., :1])
        return torch.cat([scores, zero], -1).softmax(-1)[..., :-1]
    if rule == "sigmoid":
        return torch.sigmoid(scores - math.log(scores.shape[-1]))
    if rule == "sparsemax":
        return (scores - threshold(scores, 1)).clamp(min=0)
    if rule == "entmax15":
        half = scores / 2
        return (half - threshold(half, 2)).clamp(min=0) ** 2
    if rule == "sum":
        return scores / scores.sum(-1, keepdim=True)
    return torch.where(scores.isinf(), 0.0, scores)


def hidden(case: Case, m: Tensors) -> torch.Tensor:
    i, j = torch.arange(len(TOKENS))[:, None], torch.arange(case.n_keys)
    out = torch.zeros(len(TOKENS), case.n_keys, dtype=torch.bool)
    if case.spec.get("causal"):
        out |= j > i
    if "window" in case.spec:
        left, right = case.spec["window"]
        out |= (j < i - left) | (j > i + right)
    if case.spec.get("mask"):
        out |= ~m["mask"]
    return out


def compared(q: torch.Tensor, k: torch.Tensor, case: Case, m: Tensors) -> torch.Tensor:
    score = case.spec.get("score", "dot")
    if score == "cosine":
        q, k = functional.normalize(q, dim=-1), functional.normalize(k, dim=-1)
    if score == "general":
        q = q @ m["w"]
    if score == "additive":
        sides = (q @ m["w_q"])[..., :, None, :] + (k @ m["w_k"])[..., None, :, :]
        return torch.tanh(sides) @ m["v"].flatten()
    return q @ k.transpose(-1, -2)


def forward(case: Case, m: Tensors) -> Tensors:
    spec, x = case.spec, m["X"]
    heads, positions = case.n_heads, spec.get("positions")
    kv_heads = spec.get("n_kv_heads") or heads
    if positions == "sinusoidal":
        x = x + waves(*x.shape[-2:])
    if positions == "learned":
        x = x + m["P"][: x.shape[-2]]
    other = m["context"] if spec.get("context") else x
    q, k, v = x, other, other
    if spec.get("projected", True):
        q, k, v = q @ m["W_Q"], k @ m["W_K"], v @ m["W_V"]
        biases = spec.get("biases", ())
        q = q + m["b_Q"] if "b_Q" in biases else q
        k = k + m["b_K"] if "b_K" in biases else k
        v = v + m["b_V"] if "b_V" in biases else v
    q, k, v = split(q, heads), split(k, kv_heads), split(v, kv_heads)
    if positions == "rotary":
        q, k = turned(q), turned(k)
    if kv_heads != heads:
        k = k.repeat_interleave(heads // kv_heads, -3)
        v = v.repeat_interleave(heads // kv_heads, -3)
    scores = compared(q, k, case, m)
    if "scale" in spec:
        scores = scores * spec["scale"]
    elif spec.get("score", "dot") == "dot":
        scores = scores / math.sqrt(k.shape[-1])
    if "softcap" in spec:
        scores = spec["softcap"] * torch.tanh(scores / spec["softcap"])
    if spec.get("bias"):
        scores = scores + m["bias"]
    if positions == "alibi":
        n = scores.shape[-1]
        slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
        away = torch.arange(n)[None, :] - torch.arange(n)[:, None]
        scores = scores + slopes[:, None, None] * away
    scores = scores.masked_fill(hidden(case, m), -math.inf)
    scores = scores / spec.get("temperature", 1.0)
    if spec.get("sinks"):
        beside = m["sinks"].reshape(-1, 1, 1).expand(*scores.shape[:-1], 1)
        scores = torch.cat([scores, beside], -1)
    weights = normalized(scores, spec.get("normalizer", "softmax"))
    weights = weights[..., :-1] if spec.get("sinks") else weights
    output = weights @ v
    if "output_gate" in spec:
        output = output * torch.sigmoid(split(x @ m["W_G"], heads))
    if heads > 1:
        output = output.transpose(-2, -3).flatten(-2)
    if spec.get("output_projection"):
        output = output @ m["W_O"]
        output = output + m["b_O"] if "b_O" in spec.get("biases", ()) else output
    return {"weights": weights, "output": output}


def pattern(case: Case, queries: np.ndarray, keys: np.ndarray, seen) -> torch.Tensor:
    """Return what each query shall attend to, written with loops."""
    rows = []
    n, cross = len(queries), bool(case.spec.get("context"))
    for i in range(n):
        wanted = []
        for j in range(len(keys)):
            if case.task == "copy_previous":
                take = j == max(i - 1, 0)
            elif case.task == "reverse":
                take = i + j == n - 1
            elif case.task == "same_token":
                take = keys[j] == queries[i] and (cross or i != j)
            else:
                take = list(keys).count(keys[j]) > 1
            wanted.append(float(take and bool(seen[i, j])))
        if not sum(wanted) and not cross:
            wanted[i] = 1.0
        rows.append([number / max(sum(wanted), 1) for number in wanted])
    return torch.tensor(rows)


def row_losses(weights: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return −Σ target · log weights of each row; where nothing is asked, 0."""
    target = target.expand(weights.shape)
    logs = torch.where(target > 0, weights, 1.0).log()
    return -(target * logs).sum(-1)


def loss_of(case: Case, m: Tensors, queries: np.ndarray, keys: np.ndarray):
    steps = forward(case, m)
    weights, output = steps["weights"], steps["output"]
    given = case.target()
    if case.task == "next_token":
        logits = output[:-1] @ m["readout"]
        return functional.cross_entropy(logits, torch.tensor(queries[1:]))
    if case.task == "output":
        return functional.mse_loss(output, torch.tensor(given))
    if case.task == "output_logits":
        return functional.cross_entropy(output, torch.tensor(given))
    if case.task == "weights":
        return functional.mse_loss(weights, torch.tensor(given))
    if case.task == "weights_logs":
        return row_losses(weights, torch.tensor(given)).mean()
    target = pattern(case, queries, keys, ~hidden(case, m))
    if case.loss == "mse":
        return functional.mse_loss(weights, target.expand(weights.shape))
    return row_losses(weights, target).mean()


def drawn(case: Case, step: int, numbers: dict[str, int]):
    """Return the tokens of a step's sequences as attnviewer draws them."""
    known = [numbers[t] for t in dict.fromkeys(TOKENS)]
    rng = np.random.default_rng([case.seed, step])
    queries = rng.integers(len(known), size=(case.batch, len(TOKENS)))
    if not case.spec.get("context"):
        return queries, queries
    others = np.array(sorted({numbers[t] for t in CONTEXT}))
    places = rng.integers(len(others), size=(case.batch, len(CONTEXT)))
    return queries, others[places]


def run(case: Case) -> dict[str, np.ndarray]:
    m = {name: torch.tensor(array) for name, array in case.matrices().items()}
    if case.task == "next_token":
        m["readout"] = torch.tensor(case.target())
    free = [m[name].requires_grad_() for name in case.free]
    name, rate, options = case.optimizer
    options = {"momentum": 0.9, **options} if name == "momentum" else options
    gamma = options.get("gamma", 1.0)
    others = {n: value for n, value in options.items() if n != "gamma"}
    optimizer = KINDS[name](free, lr=rate, **others)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma)
    numbers = {t: k for k, t in enumerate(dict.fromkeys((*TOKENS, *CONTEXT)))}
    own = np.array([numbers[t] for t in TOKENS])
    keys = np.array([numbers[t] for t in CONTEXT]) if "context" in m else own
    losses = []
    for step in range(1, STEPS + 1):
        optimizer.zero_grad()
        if case.batch is None:
            loss = loss_of(case, m, own, keys)
        else:
            parts = []
            for q_ids, k_ids in zip(*drawn(case, step, numbers), strict=True):
                rows = [list(own).index(k) for k in q_ids]
                one = {**m, "X": m["X"][rows]}
                if "context" in m:
                    one["context"] = m["context"][[list(keys).index(k) for k in k_ids]]
                parts.append(loss_of(case, one, q_ids, k_ids))
            loss = torch.stack(parts).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    assert np.isfinite(losses).all(), case.name
    after = {name: m[name].detach().numpy() for name in case.free}
    return {"loss": np.array(losses)[recorded_steps()], **after}


def main() -> None:
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    recorded = {}
    for case in CASES.values():
        for name, array in run(case).items():
            recorded[f"{case.name}.{name}"] = array
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FILE, **recorded)
    sys.stdout.write(f"{len(CASES)} cases, {FILE.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
