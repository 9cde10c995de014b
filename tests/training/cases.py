"""Runs that PyTorch was asked for too: plain values, for any library."""

import itertools
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TOKENS = ("a", "b", "c", "a", "d", "b", "e")
CONTEXT = ("c", "a", "f", "d")
D, STEPS = 4, 300
"""Columns of X, and steps of a run."""
ADAM = ("adam", 0.02, {})
WEIGHTS = ("W_Q", "W_K", "W_V")
TASKS = (
    "output",
    "output_logits",
    "weights",
    "weights_logs",
    "copy_previous",
    "same_token",
    "reverse",
    "repeated",
    "next_token",
)
OPTIMIZERS: dict[str, tuple[str, float, dict[str, Any]]] = {
    "sgd": ("sgd", 0.1, {}),
    "momentum": ("momentum", 0.05, {}),
    "adam": ADAM,
    "adamw": ("adamw", 0.02, {}),
}


@dataclass(frozen=True)
class Case:
    """A run.

    Parameters
    ----------
    name : str
        Unique; the numbers at the beginning depend on it alone.
    task : str
        One of `TASKS`.
    optimizer : tuple of str, float and dict
        The optimiser, its learning rate and its further options.
    free : tuple of str
        What is trained.
    spec : dict
        Fields of `attnviewer.compute.Spec`; positions by a name.
    batch : int or None
        Random sequences in each step.
    loss : str
        Of the tasks on patterns.
    """

    name: str
    task: str = "output"
    optimizer: tuple[str, float, dict[str, Any]] = ADAM
    free: tuple[str, ...] = WEIGHTS
    spec: dict[str, Any] = field(default_factory=dict)
    batch: int | None = None
    loss: str = "cross_entropy"

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode())

    @property
    def n_keys(self) -> int:
        return len(CONTEXT if self.spec.get("context") else TOKENS)

    @property
    def n_heads(self) -> int:
        return self.spec.get("n_heads", 1)

    def matrices(self) -> dict[str, np.ndarray]:
        """Return the numbers at the beginning."""
        rng = np.random.default_rng(self.seed)
        heads, kv_heads = self.n_heads, self.spec.get("n_kv_heads") or self.n_heads
        width = 4 if heads == 1 else 2
        n, n_keys = len(TOKENS), self.n_keys
        shapes = {"X": (n, D), "context": (n_keys, D)}
        shapes |= {"W_Q": (D, heads * width), "W_K": (D, kv_heads * width)}
        shapes |= {"W_V": (D, kv_heads * width), "W_O": (heads * width, 3)}
        shapes |= {f"b_{x}": (1, shapes[f"W_{x}"][1]) for x in "QKVO"}
        shapes |= {"P": (n + 2, D), "bias": (n, n_keys)}
        shapes |= {"w": (width, width), "w_q": (width, 3), "w_k": (width, 3)}
        shapes |= {"v": (1, 3)}
        drawn = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        drawn["mask"] = rng.random((n, n_keys)) < 0.7
        drawn["mask"][:, 0] = True
        if self.spec.get("sinks"):
            drawn["sinks"] = rng.normal(size=(1, heads))
        if gate := self.spec.get("output_gate"):
            gates = heads * width if gate == "elementwise" else heads
            drawn["W_G"] = rng.normal(size=(D, gates))
        if not self.spec.get("context"):
            del drawn["context"]
        if not self.spec.get("projected", True):
            drawn = {k: v for k, v in drawn.items() if k[:2] not in ("W_", "b_")}
        return drawn

    def target(self) -> np.ndarray | None:
        """Return the target of a task to match, and the readout of the next token."""
        rng = np.random.default_rng(self.seed + 1)
        n, heads = len(TOKENS), self.n_heads
        width = 3 if self.spec.get("output_projection") else 4 if heads == 1 else 2
        if not self.spec.get("output_projection") and heads > 1:
            width = heads * 2
        if self.task == "next_token":
            return rng.normal(size=(width, len(set(TOKENS))))
        if self.task == "output":
            return rng.normal(size=(n, width))
        lead = (heads,) if heads > 1 else ()
        shape = (n, width) if self.task == "output_logits" else (*lead, n, self.n_keys)
        numbers = rng.random(shape)
        if self.task == "weights_logs" and self.spec.get("causal"):
            numbers *= np.tri(n)
        return numbers / numbers.sum(axis=-1, keepdims=True)


_VARIANTS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "simplified": (("X",), {"projected": False}),
    "all_of_heads": (
        ("X", *WEIGHTS, "W_O", "b_Q", "b_V", "b_O"),
        {
            "n_heads": 2,
            "output_projection": True,
            "biases": ("b_Q", "b_K", "b_V", "b_O"),
        },
    ),
    "grouped": (
        (*WEIGHTS, "W_O"),
        {"n_heads": 4, "n_kv_heads": 2, "output_projection": True, "causal": True},
    ),
    "cross": (("X", "context", *WEIGHTS), {"context": True}),
    "cross_heads": (WEIGHTS, {"context": True, "n_heads": 2, "mask": True}),
    "sinusoidal": (("X", *WEIGHTS), {"positions": "sinusoidal", "causal": True}),
    "learned": (("P", *WEIGHTS), {"positions": "learned"}),
    "rotary": (WEIGHTS, {"positions": "rotary", "n_heads": 2, "causal": True}),
    "alibi": (WEIGHTS, {"positions": "alibi", "n_heads": 2}),
    "bias_and_cap": (("bias", *WEIGHTS), {"bias": True, "softcap": 3.0, "mask": True}),
    "temperature": (WEIGHTS, {"temperature": 2.5, "scale": 0.7}),
    "window": (WEIGHTS, {"window": (2, 1)}),
    "softmax1": (WEIGHTS, {"normalizer": "softmax1", "causal": True}),
    "sinks": (("sinks", *WEIGHTS), {"sinks": True, "n_heads": 2, "causal": True}),
    "gated": (
        ("W_G", *WEIGHTS, "W_O"),
        {"output_gate": "elementwise", "n_heads": 2, "output_projection": True},
    ),
    "gated_heads": (
        ("X", "W_G", *WEIGHTS),
        {"output_gate": "headwise", "n_heads": 4, "n_kv_heads": 2, "causal": True},
    ),
    "sigmoid": (WEIGHTS, {"normalizer": "sigmoid"}),
    "sparsemax": (WEIGHTS, {"normalizer": "sparsemax", "causal": True}),
    "entmax15": (WEIGHTS, {"normalizer": "entmax15"}),
    "sum": (("W_Q", "W_K"), {"normalizer": "sum", "scale": 1.0}),
    "none": (WEIGHTS, {"normalizer": "none", "mask": True}),
    "cosine": (("X", *WEIGHTS), {"score": "cosine", "scale": 4.0}),
    "general": ((*WEIGHTS, "w"), {"score": "general", "n_heads": 2}),
    "additive": ((*WEIGHTS, "w_q", "w_k", "v"), {"score": "additive", "causal": True}),
}


def _cases() -> list[Case]:
    listed = []
    # An optimiser is handed gradients, whatever the task: they take turns.
    for task, name in zip(TASKS, itertools.cycle(OPTIMIZERS), strict=False):
        free = (*WEIGHTS, "readout") if task == "next_token" else WEIGHTS
        listed.append(Case(f"{task}-{name}", task, OPTIMIZERS[name], free))
    for name, (free, spec) in _VARIANTS.items():
        slow = ("sgd", 1e-3, {}) if name == "sum" else ADAM
        listed.append(Case(f"output-{name}", "output", slow, free, spec))
    rotary = _VARIANTS["rotary"][1]
    causal = {"causal": True, "n_heads": 2, "output_projection": True}
    return [
        *listed,
        Case("copy_previous-mse-rotary", "copy_previous", spec=rotary, loss="mse"),
        Case("weights_logs-causal", "weights_logs", ADAM, WEIGHTS, causal),
        Case("same_token-cross", "same_token", ADAM, WEIGHTS, {"context": True}),
        Case("weights-entmax15", "weights", ADAM, WEIGHTS, {"normalizer": "entmax15"}),
        Case("next_token-fixed", "next_token", ADAM, ("X", *WEIGHTS), causal),
        Case("decay-sgd", "output", ("sgd", 0.05, {"weight_decay": 0.1})),
        Case(
            "decay-momentum",
            "output",
            ("momentum", 0.05, {"weight_decay": 0.1, "momentum": 0.5}),
        ),
        Case(
            "decay-adam",
            "output",
            ("adam", 0.02, {"weight_decay": 0.1, "betas": (0.8, 0.99), "eps": 1e-6}),
        ),
        Case("decay-adamw", "weights", ("adamw", 0.02, {"weight_decay": 0.3})),
        Case("gamma-sgd", "output", ("sgd", 0.3, {"gamma": 0.98})),
        Case("gamma-momentum", "reverse", ("momentum", 0.1, {"gamma": 0.97})),
        Case("gamma-adam", "output", ("adam", 0.05, {"gamma": 0.99})),
        Case(
            "gamma-adamw",
            "next_token",
            ("adamw", 0.05, {"gamma": 0.995, "weight_decay": 0.1}),
            free=(*WEIGHTS, "readout"),
        ),
        Case(
            "batch-same_token",
            "same_token",
            OPTIMIZERS["adamw"],
            ("X", "W_Q", "W_K"),
            {"n_heads": 2, "positions": "sinusoidal"},
            3,
        ),
        Case(
            "batch-next_token",
            "next_token",
            ADAM,
            ("X", *WEIGHTS, "readout", "P"),
            {"positions": "learned", "causal": True},
            4,
        ),
        Case("batch-cross", "output", ADAM, ("context", "W_K"), {"context": True}, 2),
    ]


CASES = {case.name: case for case in _cases()}
