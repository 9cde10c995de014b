"""Mistakes in the projections: weights, biases, and which of them is which."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

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
        yield from ordered(plan, {first: second, second: first})

    return vary


def _keys_for_values(plan: Plan) -> Iterator[Variation]:
    """Yield the plans with keys and values exchanged, as projected or as compared."""
    yield from _exchanged("K", "V")(plan)
    keys, values = plan.keys, plan.values
    if plan.spec.score != "dot" or (plan.spec.projected and keys == "K"):
        return
    if keys != values and plan.key_width == plan.value_width:
        score, mix = plan["scores"], plan[plan.mixed]
        queries, _, *others = score.inputs
        changed = plan.computing("scores", score.compute, (queries, values, *others))
        weights, _, *rest = mix.inputs
        yield Variation(
            changed.computing(mix.name, mix.compute, (weights, keys, *rest))
        )


def ordered(plan: Plan, taken: dict[str, str]) -> Iterator[Variation]:
    """Yield the plan whose sides take the weights of others, where they fit."""
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
                for variation in ordered(plan, {name: other}):
                    yield Variation(variation.plan, detail=f"W_{name}")


def _viewed_by_head(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that reads the weights as (h, d_model, d) by a view."""
    if not plan.spec.projected or plan.spec.n_heads == 1:
        return
    changed = plan
    for name in SIDES:
        count = plan.spec.n_heads if name == "Q" else plan.spec.kv_heads
        compute = plan[name].compute

        def viewed(
            source: Numbers,
            weight: Numbers,
            *bias: Numbers,
            count: int = count,
            compute: Callable[..., Numbers] = compute,
        ) -> Numbers:
            heads = weight.reshape(count, len(weight), -1)  # (h, d_model, d)
            joined = heads.swapaxes(0, 1).reshape(weight.shape)
            return compute(source, joined, *bias)

        changed = changed.computing(name, viewed)
    yield Variation(changed)


def _output_twice(plan: Plan) -> Iterator[Variation]:
    shape = plan.shapes.get("W_O", ())
    if plan.spec.output_projection and shape[0] == shape[1]:
        step = plan["output"]

        def again(source: Numbers, *weights: Numbers) -> Numbers:
            return step.compute(step.compute(source, *weights), *weights)

        yield Variation(plan.computing("output", again))


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
        "nn.MultiheadAttention's in_proj_weight holds W_Q, W_K and W_V in this order",
    ),
    Mistake(
        "k-v-swapped",
        "Keys and values are exchanged",
        _keys_for_values,
        "Queries are compared with the values, and the keys are added up instead.",
        Remedy("q, v, k = qkv.chunk(3, -1)", "q, k, v = qkv.chunk(3, -1)"),
        Remedy("k, v = x @ w_v, x @ w_k", "k, v = x @ w_k, x @ w_v"),
        "nn.MultiheadAttention's in_proj_weight holds W_Q, W_K and W_V in this order",
    ),
    Mistake(
        "projection-missing",
        "The projection by {detail} is missing",
        _unprojected,
        "The embeddings are used as they are instead of their product with {detail}.",
        Remedy("k = x", "k = self.k_proj(x)"),
        Remedy("k = x", "k = x @ w_k"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
    Mistake(
        "weights-viewed-by-head",
        "The weights are split into heads by a view",
        _viewed_by_head,
        "The weights (d_model, h·d) are read as (h, d_model, d) as they lie in memory. "
        "That mixes rows and columns: the heads lie side by side in each row.",
        Remedy("w.view(h, d_model, d)", "w.view(d_model, h, d).transpose(0, 1)"),
        Remedy("w.reshape(h, d_model, d)", "w.reshape(d_model, h, d).swapaxes(0, 1)"),
        "Vaswani et al. 2017, section 3.2.2",
        across_rows=True,
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
    Mistake(
        "output-projection-twice",
        "The output projection is applied twice",
        _output_twice,
        "The output is multiplied by W_O a second time, which fits because the matrix "
        "is square.",
        Remedy("self.out_proj(self.attend(x))", "self.attend(x)  # projects itself"),
        Remedy("(heads @ w_o) @ w_o", "heads @ w_o"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
)

COPIED = (
    Mistake(
        "projection-of-another",
        "The weights of another projection take the place of {detail}",
        _same_weights,
        "One matrix is used twice and {detail} not at all: a line was copied and not "
        "changed.",
        Remedy("k = self.q_proj(x)", "k = self.k_proj(x)"),
        Remedy("k = x @ w_q", "k = x @ w_k"),
        "Vaswani et al. 2017, section 3.2.2",
    ),
)
"""Mistakes that may give the numbers of one in the sum of values, which come first."""
