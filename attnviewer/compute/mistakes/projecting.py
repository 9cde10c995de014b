"""Mistakes in the projections: weights, biases, and which of them is which."""

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan

SIDES = "Q", "K", "V"


def _transposed(plan: Plan) -> Iterator[Variation]:
    for name in (*SIDES, "output"):
        weight = "W_O" if name == "output" else f"W_{name}"
        shape = plan.shapes.get(weight, ())
        if len(shape) == 2 and shape[0] == shape[1]:
            compute = plan[name].compute

            def turned(
                source: Numbers,
                matrix: Numbers,
                *bias: Numbers,
                compute: Callable[..., Numbers] = compute,
            ) -> Numbers:
                return compute(source, matrix.T, *bias)

            yield Variation(plan.computing(name, turned), detail=weight)


def _all_transposed(plan: Plan) -> Iterator[Variation]:
    changed, names = plan, []
    for variation in _transposed(plan):
        name = variation.detail
        step = "output" if name == "W_O" else name[-1]
        changed = changed.with_steps(variation.plan[step])
        names.append(name)
    inner = [name for name in names if name != "W_O"]
    if len(inner) > 1:
        yield Variation(changed)
        if "W_O" in names:
            yield Variation(changed.with_steps(plan["output"]))


def _exchanged(first: str, second: str) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        yield from _ordered(plan, {first: second, second: first})

    return vary


def _ordered(plan: Plan, taken: dict[str, str]) -> Iterator[Variation]:
    """Yield the plan whose sides take each other's weights, or each other's place."""
    if plan.spec.projected:
        widths = {name: plan.shapes[f"W_{name}"] for name in SIDES}
        if any(widths[name] != widths[other] for name, other in taken.items()):
            return
        steps = plan
        for name, other in taken.items():
            source = plan[name].inputs[0]
            steps = (
                steps.computing(
                    name, plan[name].compute, (source, *plan[other].inputs[1:])
                )
                if len(plan[name].inputs) == len(plan[other].inputs)
                else steps.computing(
                    name, plan[other].compute, (source, *plan[other].inputs[1:])
                )
            )
        yield Variation(steps)


def _fused(plan: Plan) -> Iterator[Variation]:
    for order in permutations(SIDES):
        moved = {a: b for a, b in zip(SIDES, order, strict=True) if a != b}
        if moved and set(moved) not in ({"Q", "K"}, {"K", "V"}):
            yield from _ordered(plan, moved)
    yield from _fused_by_head(plan)


def _fused_by_head(plan: Plan) -> Iterator[Variation]:
    """Yield the plans that read fused columns by head, or write them so."""
    n_heads = plan.spec.n_heads
    if not plan.spec.projected or n_heads == 1:
        return
    shapes = {plan.shapes[f"W_{name}"] for name in SIDES}
    sources = {plan[name].inputs[0] for name in SIDES}
    if len(shapes) > 1 or len(sources) > 1:
        return
    (width,) = {shape[1] for shape in shapes}
    for by_head in (True, False):
        order = _column_order(n_heads, width // n_heads, by_head)
        steps = plan
        for number, name in enumerate(SIDES):
            columns = order[number * width : (number + 1) * width]
            compute, own = plan[name].compute, plan[name].inputs

            def taken(
                source: Numbers,
                *weights: Numbers,
                columns: Numbers = columns,
                compute: Callable[..., Numbers] = compute,
            ) -> Numbers:
                fused = np.concatenate(weights[:3], axis=-1)[:, columns]
                biases = weights[3:]
                row = [np.concatenate(biases, axis=-1)[..., columns]] if biases else []
                return compute(source, fused, *row)

            all_biased = all(len(plan[other].inputs) == 3 for other in SIDES)
            biases = [f"b_{other}" for other in SIDES] if all_biased else []
            if len(own) == 3 and not all_biased:
                return
            inputs = (own[0], *(f"W_{other}" for other in SIDES), *biases)
            steps = steps.computing(name, taken, inputs)
        yield Variation(steps)


def _column_order(n_heads: int, width: int, by_head: bool) -> Numbers:
    columns = np.arange(3 * n_heads * width)
    if by_head:
        return columns.reshape(n_heads, 3, width).swapaxes(0, 1).reshape(-1)
    return columns.reshape(3, n_heads, width).swapaxes(0, 1).reshape(-1)


def _without_bias(plan: Plan) -> Iterator[Variation]:
    for bias in plan.spec.biases:
        name = "output" if bias == "b_O" else bias[-1]
        step = plan[name]
        inputs = tuple(source for source in step.inputs if source != bias)
        yield Variation(plan.computing(name, step.compute, inputs), detail=bias)


def _without_biases(plan: Plan) -> Iterator[Variation]:
    changed, inner = plan, [name for name in plan.spec.biases if name != "b_O"]
    for variation in _without_bias(plan):
        if variation.detail in inner:
            name = variation.detail[-1]
            changed = changed.with_steps(variation.plan[name])
    if len(inner) > 1:
        yield Variation(changed)
        if "b_O" in plan.spec.biases:
            step = plan["output"]
            yield Variation(changed.computing("output", step.compute, step.inputs[:-1]))


def _without_output(plan: Plan) -> Iterator[Variation]:
    if plan.spec.output_projection:
        yield Variation(plan.skipping("output"))


def _unprojected(plan: Plan) -> Iterator[Variation]:
    for name in SIDES if plan.spec.projected else ():
        shape = plan.shapes[f"W_{name}"]
        if shape[0] == shape[1]:
            compute = plan[name].compute

            def plain(
                source: Numbers,
                weight: Numbers,
                *bias: Numbers,
                compute: Callable[..., Numbers] = compute,
            ) -> Numbers:
                return compute(source, np.eye(len(weight)), *(0 * row for row in bias))

            yield Variation(plan.computing(name, plain), detail=f"W_{name}")


def _same_weights(plan: Plan) -> Iterator[Variation]:
    """Yield the plans in which a side has the weights of another."""
    for name in SIDES:
        for other in SIDES:
            if name != other:
                for variation in _ordered(plan, {name: other}):
                    yield Variation(variation.plan, detail=f"W_{name}")


MISTAKES = (
    Mistake(
        "weight-transposed",
        "{detail} is transposed",
        _transposed,
        "The product is with the transpose of {detail}. It fits only because the "
        "matrix is square.",
        Remedy("x @ linear.weight", "x @ linear.weight.mT  # or linear(x)"),
        Remedy("x @ w.T", "x @ w"),
        "PyTorch's Linear stores (out, in), GPT-2's Conv1D (in, out)",
    ),
    Mistake(
        "weights-all-transposed",
        "All projections are transposed",
        _all_transposed,
        "Every product is with the transpose of the weights, which fits only because "
        "the matrices are square.",
        Remedy("x @ linear.weight", "x @ linear.weight.mT  # or linear(x)"),
        Remedy("x @ w.T", "x @ w"),
        "PyTorch's Linear stores (out, in), GPT-2's Conv1D (in, out)",
    ),
    Mistake(
        "q-k-swapped",
        "Queries and keys are exchanged",
        _exchanged("Q", "K"),
        "Queries are made with the weights of keys, and keys with those of queries.",
        Remedy("k, q, v = qkv.chunk(3, -1)", "q, k, v = qkv.chunk(3, -1)"),
        Remedy("q, k = x @ w_k, x @ w_q", "q, k = x @ w_q, x @ w_k"),
    ),
    Mistake(
        "k-v-swapped",
        "Keys and values are exchanged",
        _exchanged("K", "V"),
        "Keys are made with the weights of values, and values with those of keys.",
        Remedy("q, v, k = qkv.chunk(3, -1)", "q, k, v = qkv.chunk(3, -1)"),
        Remedy("k, v = x @ w_v, x @ w_k", "k, v = x @ w_k, x @ w_v"),
    ),
    Mistake(
        "fused-order",
        "The fused projection is split in another order",
        _fused,
        "The columns of the fused weight are handed to queries, keys and values in "
        "another order than they were stored in.",
        Remedy(
            "q, k, v = qkv.view(n, h, 3, d).unbind(-2)",
            "q, k, v = qkv.view(n, 3, h, d).unbind(-3)",
        ),
        Remedy("v, q, k = np.split(qkv, 3, -1)", "q, k, v = np.split(qkv, 3, -1)"),
        "nn.MultiheadAttention stores q, k, v; GPT-NeoX and BLOOM store them by head",
        across_rows=True,
    ),
    Mistake(
        "projection-of-another",
        "{detail} is used as another matrix was meant to be",
        _same_weights,
        "The weights of another side take the place of {detail}.",
        Remedy("k = self.q_proj(x)", "k = self.k_proj(x)"),
        Remedy("k = x @ w_q", "k = x @ w_k"),
    ),
    Mistake(
        "projection-missing",
        "The projection by {detail} is missing",
        _unprojected,
        "The embeddings are used as they are instead of their product with {detail}.",
        Remedy("k = x", "k = self.k_proj(x)"),
        Remedy("k = x", "k = x @ w_k"),
    ),
    Mistake(
        "bias-missing",
        "{detail} is not added",
        _without_bias,
        "The result of the projection lacks the row {detail}.",
        Remedy("nn.Linear(d, d, bias=False)", "nn.Linear(d, d, bias=True)"),
        Remedy("x @ w", "x @ w + b"),
    ),
    Mistake(
        "biases-missing",
        "No bias of the projections is added",
        _without_biases,
        "The projections lack their biases.",
        Remedy("nn.Linear(d, d, bias=False)", "nn.Linear(d, d, bias=True)"),
        Remedy("x @ w", "x @ w + b"),
    ),
    Mistake(
        "output-projection-missing",
        "The output projection is missing",
        _without_output,
        "The heads side by side are returned without being multiplied by W_O.",
        Remedy("return heads", "return self.out_proj(heads)"),
        Remedy("return heads", "return heads @ w_o"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
)
