"""Mistakes in the sequences that queries, keys and values are made from."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.causality import hiding
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.hiding import Hidden
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan, Step

SIDES = "Q", "K", "V"


def _from_another(plan: Plan) -> Iterator[Variation]:
    """Yield the plans that take a sequence for another, where they have two."""
    if not plan.spec.projected or len(set(plan.spec.sources)) == 1:
        return
    own = {name: plan.stages[name].inputs[0] for name in SIDES}
    for sides, source in (
        (("K", "V"), own["Q"]),
        (("K",), own["Q"]),
        (("V",), own["Q"]),
        (("Q",), own["K"]),
        (("V",), own["K"]),
    ):
        if all(own[name] == source for name in sides):
            continue
        changed = plan
        for name in sides:
            step = plan[name]
            inputs = (source, *step.inputs[1:])
            changed = changed.computing(name, step.compute, inputs)
        yield Variation(changed)


def _batch_for_tokens(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose tokens attend to the same token of other batch items."""
    shape = plan.shapes.get("X", ())
    if not plan.spec.projected or plan.spec.context or len(shape) != 3 or shape[0] < 2:
        return
    names = plan.spec.input_names
    turned = {**plan.shapes, "X": (shape[1], shape[0], shape[2])}
    other = Plan.of(plan.spec, turned)

    def compute(*arrays: Numbers) -> Numbers:
        inputs = dict(zip(names, arrays, strict=True))
        inputs["X"] = inputs["X"].swapaxes(0, 1)
        return Evaluation(other, inputs)["output"].swapaxes(0, 1)

    yield Variation(plan.computing("output", compute, names))


def _tokens_moved(plan: Plan) -> Iterator[Variation]:
    if plan.lengths[0] > 1:
        for places in (1, -1):

            def move(rows: Numbers, by: int = places) -> Numbers:
                return np.roll(rows, by, axis=-2)

            yield Variation(plan.then("output", move), float(places))
            yield Variation(plan.then("weights", move), float(places))


def embedded(plan: Plan, change: Callable[[Numbers], Numbers]) -> Plan:
    """Return the plan in which all that reads X reads it changed."""
    steps = []
    for step in plan.steps.values():
        if "X" in step.inputs:
            at = step.inputs.index("X")

            def compute(*arrays: Numbers, at: int = at, own: Step = step) -> Numbers:
                read = [change(a) if k == at else a for k, a in enumerate(arrays)]
                return own.compute(*read)

            steps.append(Step(step.name, step.inputs, compute))
    return plan.with_steps(*steps)


def _scaled(plan: Plan) -> Iterator[Variation]:
    if plan.spec.projected:
        root = plan.shapes["X"][-1] ** 0.5
        yield Variation(embedded(plan, lambda x: x * root), root**2)
        yield Variation(embedded(plan, lambda x: x / root), root**2)


def _standardized(eps: float, rows: Numbers) -> Numbers:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    found: Numbers = centred / np.sqrt(variance + eps)
    return found


def _by_root_mean_square(eps: float, rows: Numbers) -> Numbers:
    found: Numbers = rows / np.sqrt((rows**2).mean(axis=-1, keepdims=True) + eps)
    return found


_NORMS = tuple(
    (partial(norm, eps), eps)
    for norm, eps in (
        (_standardized, 1e-5),
        (_standardized, 1e-12),
        (_by_root_mean_square, 1e-6),
        (_by_root_mean_square, 1e-5),
    )
)


def _normed_input(plan: Plan) -> Iterator[Variation]:
    if plan.spec.projected:
        for norm, eps in _NORMS:
            yield Variation(embedded(plan, norm), eps)


def _normed_output(plan: Plan) -> Iterator[Variation]:
    if plan.spec.projected:
        for norm, eps in _NORMS:
            for summed in (plan, *residuals(plan)):
                yield Variation(summed.then("output", norm), eps)


def residuals(plan: Plan) -> Iterator[Plan]:
    """Yield the plans that add the input to the output."""
    if "X" not in plan.shapes:
        return
    step = plan["output"]
    for source in ("X", "X + P"):
        if source == "X" or source in plan:

            def compute(*arrays: Numbers) -> Numbers:
                *own, x = arrays
                result = step.compute(*own)
                if result.shape != x.shape:
                    raise ValueError("The output has a different shape from X.")
                added: Numbers = np.add(result, x)
                return added

            yield plan.computing("output", compute, (*step.inputs, source))


def _residual(plan: Plan) -> Iterator[Variation]:
    yield from map(Variation, residuals(plan))


def _gelu(x: Numbers) -> Numbers:
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    return np.asarray(x / 2 * (1 + np.tanh(inner)))


def _silu(x: Numbers) -> Numbers:
    return np.asarray(x / (1 + np.exp(-x)))


def _activated(plan: Plan) -> Iterator[Variation]:
    """Yield the plans whose output goes through a function number by number."""
    for function in (lambda x: np.maximum(x, 0.0), _gelu, _silu, np.tanh):
        yield Variation(plan.then("output", function))


def _key_missing(plan: Plan) -> Iterator[Variation]:
    n_keys = plan.lengths[1]
    if n_keys > 1:
        for key in (0, n_keys - 1):
            yield Variation(hiding(plan, partial(_is_key, key)), float(key))


def _is_key(key: int, queries: Numbers, keys: Numbers) -> Hidden:
    found: Hidden = (keys == key) & (queries >= 0)
    return found


def _values_moved(plan: Plan) -> Iterator[Variation]:
    if plan.lengths[1] < 2:
        return
    mix = plan[plan.mixed]
    for places in (1, -1):

        def compute(weights: Numbers, values: Numbers, by: int = places) -> Numbers:
            return mix.compute(weights, np.roll(values, by, axis=-2))

        yield Variation(plan.computing(mix.name, compute), float(places))


def _keys_reversed(plan: Plan) -> Iterator[Variation]:
    def turn(rows: Numbers) -> Numbers:
        return rows[..., ::-1, :]

    mix, score = plan[plan.mixed], plan["scores"]
    if plan.spec.score == "given" or plan.lengths[1] < 2:
        return
    keys = plan.computing("scores", lambda q, k, *w: score.compute(q, turn(k), *w))
    yield Variation(plan.computing(mix.name, lambda w, v: mix.compute(w, turn(v))))
    yield Variation(keys)
    yield Variation(keys.computing(mix.name, lambda w, v: mix.compute(w, turn(v))))


def _without_extra(plan: Plan) -> Iterator[Variation]:
    if plan.spec.extra_rows:
        yield Variation(plan.skipping(plan.values).skipping(_appended_keys(plan)))


def _appended_keys(plan: Plan) -> str:
    return next(n for n, s in plan.stages.items() if "extra_keys" in s.inputs)


_PAPER = "Vaswani et al. 2017, section 3.2.3"

INPUTS = (
    Mistake(
        "cross-wrong-sequence",
        "Queries, keys or values are made from the wrong sequence",
        _from_another,
        "In cross-attention queries come from one sequence, and keys and values from "
        "another. Here one is taken for the other.",
        Remedy("k, v = w_k(x), w_v(x)", "k, v = w_k(context), w_v(context)"),
        Remedy("k, v = x @ w_k, x @ w_v", "k, v = context @ w_k, context @ w_v"),
        _PAPER,
    ),
    Mistake(
        "batch-for-tokens",
        "The batch is taken for the sequence",
        _batch_for_tokens,
        "Each token attends to the tokens at its place in the other batch items: the "
        "array is (batch, tokens, d), and the layer expects (tokens, batch, d).",
        Remedy(
            "nn.MultiheadAttention(d, h)",
            "nn.MultiheadAttention(d, h, batch_first=True)",
        ),
        Remedy("attention(x)", "attention(x.swapaxes(0, 1)).swapaxes(0, 1)"),
        "nn.MultiheadAttention expects the tokens first by default",
        across_rows=True,
    ),
    Mistake(
        "embedding-scaled",
        "The embeddings have a factor √d_model, or lack it",
        _scaled,
        "The embeddings are multiplied or divided by √{parameter:.0f}, the root of "
        "their width, before they are projected.",
        Remedy("embed(ids) * math.sqrt(d_model)", "embed(ids)"),
        Remedy("table[ids] * np.sqrt(d_model)", "table[ids]"),
        "Vaswani et al. 2017, section 3.4, multiply; GPT-2 and Llama do not",
        kind="convention",
        across_rows=True,
    ),
    Mistake(
        "norm-on-input",
        "The embeddings are normalised before they are projected",
        _normed_input,
        "Each row of X goes through a layer norm or an RMS norm first, with an epsilon "
        "of {parameter:g}. That belongs to the layer around attention.",
        Remedy("attention(norm(x))", "attention(x)"),
        Remedy("attention(norm(x))", "attention(x)"),
        "Xiong et al. 2020; nn.LayerNorm has an epsilon of 1e-5, BERT 1e-12",
        across_rows=True,
    ),
)

KEYS = (
    Mistake(
        "keys-reversed",
        "Keys or values are in reverse order",
        _keys_reversed,
        "The last key or value takes the place of the first.",
        Remedy("v.flip(-2)", "v"),
        Remedy("v[::-1]", "v"),
        _PAPER,
    ),
    Mistake(
        "key-missing",
        "The first or the last key is missing",
        _key_missing,
        "No query sees key {parameter:.0f}: a token is cut off at one end.",
        Remedy("k[..., 1:, :], v[..., 1:, :]", "k, v"),
        Remedy("k[:-1], v[:-1]", "k, v"),
        _PAPER,
    ),
    Mistake(
        "values-shifted",
        "The values are shifted against the keys",
        _values_moved,
        "The weight of a key goes to the value of its neighbour: the values are moved "
        "by {parameter:.0f}.",
        Remedy("torch.roll(v, 1, dims=-2)", "v"),
        Remedy("np.roll(v, 1, axis=-2)", "v"),
        _PAPER,
    ),
    Mistake(
        "extra-rows-missing",
        "The extra keys and values are missing",
        _without_extra,
        "The learned or zero rows that follow the keys and values are left out.",
        Remedy(
            "nn.MultiheadAttention(d, h)",
            "nn.MultiheadAttention(d, h, add_bias_kv=True)",
        ),
        Remedy("k, v", "np.vstack([k, extra_k]), np.vstack([v, extra_v])"),
        "nn.MultiheadAttention's add_bias_kv and add_zero_attn",
    ),
)

OUTPUTS = (
    Mistake(
        "residual-added",
        "The input is added to the output",
        _residual,
        "The output has the embeddings added, which the layer around attention does.",
        Remedy("return x + output", "return output"),
        Remedy("return x + output", "return output"),
        "Vaswani et al. 2017, section 3.1",
    ),
    Mistake(
        "tokens-shifted",
        "The rows are those of the neighbouring tokens",
        _tokens_moved,
        "Each query has the weights, or the output, of the query {parameter:.0f} "
        "before it.",
        Remedy("torch.roll(output, 1, dims=-2)", "output"),
        Remedy("np.roll(output, 1, axis=-2)", "output"),
        _PAPER,
        across_rows=True,
    ),
    Mistake(
        "activation-on-output",
        "The output goes through an activation function",
        _activated,
        "A ReLU, GELU, SiLU or tanh follows the output. That belongs to the MLP after "
        "attention.",
        Remedy("return F.relu(output)", "return output"),
        Remedy("return np.maximum(output, 0)", "return output"),
        "Vaswani et al. 2017, section 3.3",
    ),
    Mistake(
        "norm-on-output",
        "The output is normalised",
        _normed_output,
        "The output goes through a layer norm or an RMS norm with an epsilon of "
        "{parameter:g}, with the input added or not. That belongs to the layer around "
        "attention.",
        Remedy("return norm(x + output)", "return output"),
        Remedy("return norm(x + output)", "return output"),
        "Vaswani et al. 2017, section 3.1; nn.LayerNorm has an epsilon of 1e-5",
    ),
)
