"""Mistakes in the biases of the projections."""

from collections.abc import Callable, Iterator

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan

_STEPS = {"b_O": "output", "b_KR": "K_R", "b_QR": "Q_R"}


def step_of(bias: str) -> str:
    """Return the step that a bias is added in."""
    return _STEPS.get(bias, bias[-1])


def _without_bias(plan: Plan) -> Iterator[Variation]:
    for bias in plan.spec.biases:
        step = plan[step_of(bias)]
        inputs = tuple(source for source in step.inputs if source != bias)
        yield Variation(plan.computing(step.name, step.compute, inputs), detail=bias)


def _without_biases(plan: Plan) -> Iterator[Variation]:
    changed, inner = plan, [name for name in plan.spec.biases if name != "b_O"]
    for variation in _without_bias(plan):
        if variation.detail in inner:
            name = step_of(variation.detail)
            changed = changed.with_steps(variation.plan[name])
    if len(inner) > 1:
        yield Variation(changed)
        if "b_O" in plan.spec.biases:
            step = plan["output"]
            yield Variation(changed.computing("output", step.compute, step.inputs[:-1]))


def _changed(
    change: Callable[[Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what adds each bias changed."""

    def vary(plan: Plan) -> Iterator[Variation]:
        for bias in plan.spec.biases:
            step = plan[step_of(bias)]

            def compute(
                source: Numbers,
                weight: Numbers,
                row: Numbers,
                right: Callable[..., Numbers] = step.compute,
            ) -> Numbers:
                return right(source, weight, change(row))

            yield Variation(plan.computing(step.name, compute), detail=bias)

    return vary


def _per_head(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that adds the output's bias with the part of each head."""
    if "b_O" in plan.spec.biases and plan.spec.n_heads > 2:
        heads = plan.spec.n_heads
        every = _changed(lambda row: heads * row)(plan)
        yield from (Variation(v.plan, float(heads)) for v in every if v.detail == "b_O")


def _of_another(plan: Plan) -> Iterator[Variation]:
    for bias in plan.spec.biases:
        for other in plan.spec.biases:
            if other != bias and plan.shapes[other] == plan.shapes[bias]:
                step = plan[step_of(bias)]
                inputs = (*step.inputs[:-1], other)
                changed = plan.computing(step.name, step.compute, inputs)
                yield Variation(changed, detail=bias)


_LINEAR = "PyTorch's Linear adds its bias once"

MISTAKES = (
    Mistake(
        "bias-missing",
        "{detail} is not added",
        _without_bias,
        "The result of the projection lacks the row {detail}.",
        Remedy("nn.Linear(d, d, bias=False)", "nn.Linear(d, d, bias=True)"),
        Remedy("x @ w", "x @ w + b"),
        _LINEAR,
    ),
    Mistake(
        "biases-missing",
        "No bias of the projections is added",
        _without_biases,
        "Queries, keys and values lack their biases, and the output may lack its own.",
        Remedy("nn.Linear(d, d, bias=False)", "nn.Linear(d, d, bias=True)"),
        Remedy("x @ w", "x @ w + b"),
        _LINEAR,
    ),
    Mistake(
        "bias-twice",
        "{detail} is added twice",
        _changed(lambda row: 2 * row),
        "The projection adds {detail}, and then it is added again.",
        Remedy("linear(x) + linear.bias", "linear(x)"),
        Remedy("(x @ w + b) + b", "x @ w + b"),
        _LINEAR,
    ),
    Mistake(
        "bias-sign",
        "{detail} is subtracted",
        _changed(lambda row: -row),
        "The row {detail} is subtracted from the projection instead of added.",
        Remedy("x @ w - b", "x @ w + b"),
        Remedy("x @ w - b", "x @ w + b"),
        _LINEAR,
    ),
    Mistake(
        "bias-per-head",
        "The bias of the output is added once for each head",
        _per_head,
        "The parts of the heads are projected one by one, each with b_O, and added up: "
        "b_O counts {parameter:.0f} times.",
        Remedy("sum(out(part) for part in heads)", "out(torch.cat(heads, -1))"),
        Remedy("sum(h @ w + b for h, w in parts)", "sum(h @ w for h, w in parts) + b"),
        _LINEAR,
    ),
    Mistake(
        "bias-of-another",
        "The bias of another projection takes the place of {detail}",
        _of_another,
        "Another bias is added where {detail} should be.",
        Remedy("x @ w_v.mT + b_k", "x @ w_v.mT + b_v"),
        Remedy("x @ w_v + b_k", "x @ w_v + b_v"),
        "nn.MultiheadAttention's in_proj_bias holds b_Q, b_K and b_V in this order",
    ),
)
