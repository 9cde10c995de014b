"""Attention as it is written on paper, and SciPy's SLSQP on it."""

from collections.abc import Callable, Mapping

import numpy as np
from scipy.optimize import minimize

from attnviewer.compute import Spec
from attnviewer.document import Document


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def weights_and_output(m: Mapping[str, np.ndarray]):
    """Return weights and output of one head."""
    queries, keys, values = m["X"] @ m["W_Q"], m["X"] @ m["W_K"], m["X"] @ m["W_V"]
    weights = softmax(queries @ keys.T / np.sqrt(queries.shape[1]))
    return weights, weights @ values


def entropy_in_bits(row):
    return -sum(float(w) * np.log2(float(w)) for w in row if w > 0)


def random_matrices(seed: int, n: int = 4, d: int = 3) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"X": (n, d), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, d)}
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def document_of(matrices: Mapping[str, np.ndarray], **spec: object) -> Document:
    return Document(
        "random", "abcdefghijklmnop"[: len(matrices["X"])], matrices, Spec(**spec)
    )


def changed(matrices: Mapping[str, np.ndarray], changes: Mapping[str, np.ndarray]):
    """Return matrices with changes added."""
    return {name: a + changes.get(name, 0.0) for name, a in matrices.items()}


Number = Callable[[np.ndarray, np.ndarray], float]
"""Of weights and output."""


def slsqp_norm(
    matrices: Mapping[str, np.ndarray],
    free: list[str],
    asked: list[tuple[Number, str, float]],
    starts: int = 5,
) -> float:
    """Return the least norm that SLSQP finds from zero and from random starts."""
    sizes = {name: matrices[name].size for name in free}
    ends = np.cumsum(list(sizes.values()))[:-1]

    def numbers(vector):
        parts = zip(free, np.split(vector, ends), strict=True)
        return weights_and_output(
            changed(matrices, {n: p.reshape(matrices[n].shape) for n, p in parts})
        )

    def constraint(number, relation, wanted):
        sign = -1.0 if relation == "<=" else 1.0
        kind = "eq" if relation == "=" else "ineq"
        return {"type": kind, "fun": lambda v: sign * (number(*numbers(v)) - wanted)}

    constraints = [constraint(*one) for one in asked]
    rng = np.random.default_rng(0)
    best = np.inf
    for start in range(starts):
        begin = rng.standard_normal(sum(sizes.values())) * (0.3 * start)
        with np.errstate(all="ignore"):
            found = minimize(
                lambda v: (0.5 * v @ v, v),
                begin,
                jac=True,
                method="SLSQP",
                constraints=constraints,
                options={"maxiter": 200, "ftol": 1e-10},
            )
        off = [
            abs(c["fun"](found.x)) if c["type"] == "eq" else max(0, -c["fun"](found.x))
            for c in constraints
        ]
        if max(off) < 1e-6:
            best = min(best, float(np.linalg.norm(found.x)))
    return best
