"""Mistakes in how queries are compared with keys by other rules than the product."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.norms import norms
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.mistakes.rotation import rotations


def _unit_steps(plan: Plan) -> list[str]:
    return [name for name in plan.steps if name.startswith("unit ")]


def _not_normed(plan: Plan) -> Iterator[Variation]:
    changed, names = plan, _unit_steps(plan) or [s.name for s in norms(plan)]
    for name in names:
        changed = changed.skipping(name)
        if len(names) > 1:
            yield Variation(plan.skipping(name))
    if names:
        yield Variation(changed)


def _unit(rows: Numbers) -> Numbers:
    length = np.sqrt((rows**2).sum(axis=-1, keepdims=True))
    found: Numbers = rows / np.where(length == 0, 1, length)
    return found


def _across_heads(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose rows have length 1 over all heads together."""
    if plan.spec.n_heads == 1:
        return

    def norm(heads: Numbers) -> Numbers:
        length = np.sqrt((heads**2).sum(axis=(-3, -1), keepdims=True))
        found: Numbers = heads / length
        return found

    changed = plan
    for name in _unit_steps(plan):
        changed = changed.computing(name, norm)
    if changed is not plan:
        yield Variation(changed)


def _normed(plan: Plan) -> Iterator[Variation]:
    if plan.spec.score == "dot":
        turned = rotations(plan)
        # A rotation leaves lengths as they are, so that it may as well come first.
        for norm in _NORMS if turned else ():
            changed = plan
            for name in turned:
                changed = changed.then(name, norm)
            yield Variation(changed)
        for norm in (_unit,) if turned else _NORMS:
            compared = partial(_compared, norm, plan["scores"].compute)
            yield Variation(plan.computing("scores", compared))


def _compared(
    norm: Callable[[Numbers], Numbers],
    score: Callable[[Numbers, Numbers], Numbers],
    queries: Numbers,
    keys: Numbers,
) -> Numbers:
    return score(norm(queries), norm(keys))


def _root_mean_square(epsilon: float, rows: Numbers) -> Numbers:
    squares = (rows**2).mean(axis=-1, keepdims=True)
    found: Numbers = rows / np.sqrt(squares + epsilon)
    return found


_NORMS: tuple[Callable[[Numbers], Numbers], ...] = (
    _unit,
    *(partial(_root_mean_square, epsilon) for epsilon in (1e-6, 1e-5)),
)
"""To length 1, and by RMS norms with the usual epsilons."""


def _is_product(plan: Plan) -> bool:
    return plan.spec.score == "dot" and "scores" in plan


def _reshaped(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose keys are reshaped to (d, n) instead of transposed."""
    if _is_product(plan) and plan.key_width > 1:
        score = plan["scores"]

        def compute(queries: Numbers, keys: Numbers) -> Numbers:
            n, width = keys.shape[-2:]
            turned = keys.reshape(*keys.shape[:-2], width, n).swapaxes(-1, -2)
            return score.compute(queries, turned)

        yield Variation(plan.computing("scores", compute))


def _scores_turned(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = plan.lengths
    if _is_product(plan) and n_q == n_k > 1:
        yield Variation(plan.then("scores", lambda scores: scores.swapaxes(-1, -2)))


def _mean(plan: Plan) -> Iterator[Variation]:
    width = plan.key_width
    if _is_product(plan) and width > 1:
        yield Variation(plan.then("scores", lambda s: s / width), float(width))


def _without_negative(plan: Plan) -> Iterator[Variation]:
    if _is_product(plan):
        scaled = "scaled" if "scaled" in plan else "scores"
        yield Variation(plan.then(scaled, lambda scores: np.maximum(scores, 0.0)))
        yield Variation(plan.then(scaled, np.abs))


def _distances(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose scores are −|q − k|², or half of it."""
    if _is_product(plan):
        score = plan["scores"]
        for share in (1.0, 0.5):

            def compute(
                queries: Numbers, keys: Numbers, share: float = share
            ) -> Numbers:
                ones = np.ones_like(queries), np.ones_like(keys)
                squares = score.compute(queries**2, ones[1])
                squares = squares + score.compute(ones[0], keys**2)
                found: Numbers = share * (2 * score.compute(queries, keys) - squares)
                return found

            yield Variation(plan.computing("scores", compute))


def _linear(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose small network has no tanh."""
    if plan.spec.score in ("additive", "concat"):

        def compute(queries: Numbers, keys: Numbers, v: Numbers) -> Numbers:
            left, right = _shared(queries, keys)
            row = v.reshape(-1)
            found: Numbers = (left @ row)[..., :, None] + (right @ row)[..., None, :]
            return found

        yield Variation(plan.computing("scores", compute))


def _rectified(plan: Plan) -> Iterator[Variation]:
    if plan.spec.score in ("additive", "concat"):

        def compute(queries: Numbers, keys: Numbers, v: Numbers) -> Numbers:
            hidden = np.maximum(_sums(queries, keys), 0)
            found: Numbers = hidden @ v.reshape(-1)
            return found

        yield Variation(plan.computing("scores", compute))


def _summed(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that adds up the hidden units instead of weighing them by v."""
    if plan.spec.score in ("additive", "concat"):

        def compute(queries: Numbers, keys: Numbers, _v: Numbers) -> Numbers:
            found: Numbers = np.tanh(_sums(queries, keys)).sum(axis=-1)
            return found

        yield Variation(plan.computing("scores", compute))


def _shared(queries: Numbers, keys: Numbers) -> tuple[Numbers, Numbers]:
    if queries.ndim > 2 and queries.shape[-3] != keys.shape[-3]:
        keys = np.repeat(keys, queries.shape[-3] // keys.shape[-3], axis=-3)
    return queries, keys


def _sums(queries: Numbers, keys: Numbers) -> Numbers:
    left, right = _shared(queries, keys)
    return left[..., :, None, :] + right[..., None, :, :]


def _weights(plan: Plan) -> list[tuple[str, str]]:
    """Return the steps that multiply by a weight of the score, and the weights."""
    names = ("w", "w_q", "w_k")
    return [
        (name, step.inputs[1])
        for name, step in plan.steps.items()
        if len(step.inputs) > 1 and step.inputs[1] in names
    ]


def _unweighed(plan: Plan) -> Iterator[Variation]:
    for name, weight in _weights(plan):
        yield Variation(plan.skipping(name), detail=weight)


def _turned(plan: Plan) -> Iterator[Variation]:
    for name, weight in _weights(plan):
        shape = plan.shapes[weight]
        if shape[0] == shape[1]:
            turned = partial(_by_transpose, plan[name].compute)
            yield Variation(plan.computing(name, turned), detail=weight)


def _by_transpose(
    compute: Callable[..., Numbers], rows: Numbers, matrix: Numbers
) -> Numbers:
    return compute(rows, matrix.T)


_BAHDANAU = "Bahdanau et al. 2015, appendix A.1.2"
_LUONG = "Luong et al. 2015, section 3.1"

MISTAKES = (
    Mistake(
        "qk-norm-missing",
        "Queries or keys are not normalised",
        _not_normed,
        "The rows of queries, keys or both keep their length, where the norm of each "
        "should be divided out.",
        Remedy("q @ k.mT", "F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT"),
        Remedy("q @ k.T", "unit(q) @ unit(k).T"),
        "Henry et al. 2020, “Query-Key Normalization”",
    ),
    Mistake(
        "qk-norm-full-width",
        "Queries and keys are normalised over all heads together",
        _across_heads,
        "The length is that of the whole row of h·d columns. Each head is to be "
        "normalised by itself.",
        Remedy(
            "F.normalize(q, dim=-1).view(n, h, d)",
            "F.normalize(q.view(n, h, d), dim=-1)",
        ),
        Remedy("unit(q).reshape(n, h, d)", "unit(q.reshape(n, h, d))"),
        "Henry et al. 2020; OLMo 2 normalises over the full width, Qwen 3 per head",
        kind="convention",
    ),
    Mistake(
        "qk-norm-added",
        "Queries and keys are normalised though they should not be",
        _normed,
        "The rows of queries and keys have the same length, 1 or with an RMS norm √d, "
        "before they are compared, so that scores are cosines, up to a factor.",
        Remedy("F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT", "q @ k.mT"),
        Remedy("unit(q) @ unit(k).T", "q @ k.T"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "keys-reshaped",
        "The keys are reshaped instead of transposed",
        _reshaped,
        "A reshape to (d, n) keeps the order of the numbers in memory, so that the "
        "columns of what is multiplied are not the keys.",
        Remedy("q @ k.reshape(h, d, n)", "q @ k.transpose(-2, -1)"),
        Remedy("q @ k.reshape(h, d, n)", "q @ k.swapaxes(-1, -2)"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
        hidden_keys=True,
    ),
    Mistake(
        "scores-transposed",
        "The scores are transposed",
        _scores_turned,
        "Rows stand for keys and columns for queries: K Qᵀ in place of Q Kᵀ.",
        Remedy("k @ q.mT", "q @ k.mT"),
        Remedy("np.einsum('hid,hjd->hji', q, k)", "np.einsum('hid,hjd->hij', q, k)"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "scores-averaged",
        "A score is the mean of the products instead of their sum",
        _mean,
        "The scores are divided by {parameter:.0f}, the number of columns, before they "
        "are scaled.",
        Remedy("(q * k).mean(-1)", "(q * k).sum(-1)"),
        Remedy("(q * k).mean(-1)", "(q * k).sum(-1)"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scores-rectified",
        "Negative scores are cut off or lose their sign",
        _without_negative,
        "The scores go through a ReLU, or their absolute values are taken, before the "
        "softmax.",
        Remedy("(q @ k.mT).relu()", "q @ k.mT"),
        Remedy("np.maximum(q @ k.T, 0)", "q @ k.T"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "scores-by-distance",
        "The scores are distances instead of products",
        _distances,
        "A score is −|q − k|², or half of it, so that the length of a key counts.",
        Remedy("-torch.cdist(q, k) ** 2", "q @ k.mT"),
        Remedy("-((q[:, None] - k) ** 2).sum(-1)", "q @ k.T"),
        "Kim et al. 2021 use distances on purpose",
    ),
    Mistake(
        "score-tanh-missing",
        "The additive score has no tanh",
        _linear,
        "Query and key are added and weighted by v without the tanh between. A score "
        "is then a sum of two numbers, and the query's cancels in the softmax.",
        Remedy("(w_q(q) + w_k(k)) @ v", "(w_q(q) + w_k(k)).tanh() @ v"),
        Remedy("(q @ w_q + k @ w_k) @ v", "np.tanh(q @ w_q + k @ w_k) @ v"),
        _BAHDANAU,
    ),
    Mistake(
        "score-relu-for-tanh",
        "The additive score has a ReLU instead of the tanh",
        _rectified,
        "The sum of query and key goes through a ReLU before v weights it.",
        Remedy("(w_q(q) + w_k(k)).relu() @ v", "(w_q(q) + w_k(k)).tanh() @ v"),
        Remedy("np.maximum(q + k, 0) @ v", "np.tanh(q + k) @ v"),
        _BAHDANAU,
    ),
    Mistake(
        "score-v-missing",
        "The additive score is not weighted by v",
        _summed,
        "The columns of the tanh are added up as they are.",
        Remedy("(w_q(q) + w_k(k)).tanh().sum(-1)", "(w_q(q) + w_k(k)).tanh() @ v"),
        Remedy("np.tanh(q + k).sum(-1)", "np.tanh(q + k) @ v"),
        _BAHDANAU,
    ),
    Mistake(
        "score-weight-missing",
        "The score is computed without {detail}",
        _unweighed,
        "Queries or keys are compared without being multiplied by {detail}.",
        Remedy("q @ k.mT", "(q @ w) @ k.mT"),
        Remedy("q @ k.T", "(q @ w) @ k.T"),
        _LUONG,
    ),
    Mistake(
        "score-weight-transposed",
        "{detail} is transposed in the score",
        _turned,
        "The product is with the transpose of {detail}, which fits only because the "
        "matrix is square.",
        Remedy("(q @ w.mT) @ k.mT", "(q @ w) @ k.mT"),
        Remedy("(q @ w.T) @ k.T", "(q @ w) @ k.T"),
        _LUONG,
    ),
)
