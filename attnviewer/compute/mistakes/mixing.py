"""Mistakes in soft caps, in the sum of values, and after it."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.mistakes.arrays import softmax
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.masking import hidden, stage_of
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan


def _no_cap(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan:
        yield Variation(plan.skipping("capped"))


def _cap_last(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan and plan.masked:
        cap = plan["capped"].compute
        yield Variation(plan.skipping("capped").then("masked", cap))


def _cap_first(plan: Plan) -> Iterator[Variation]:
    if "capped" in plan and "scaled" in plan:
        cap, scale = plan["capped"].compute, plan["scaled"].compute
        yield Variation(
            plan.skipping("capped").computing("scaled", lambda s: scale(cap(s)))
        )


def _mixed(plan: Plan) -> str:
    return "heads" if "heads" in plan else "output"


def _keys(plan: Plan) -> Iterator[Variation]:
    keys = plan.stages["scores"].inputs[1]
    own = [keys] + [keys.removeprefix("rotated ")] * keys.startswith("rotated ")
    for name in own:
        step = plan[_mixed(plan)]
        yield Variation(plan.computing(step.name, step.compute, ("weights", name)))


def _weights_turned(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = (plan.shapes[plan.spec.sources[side]][-2] for side in (0, 1))
    if n_q == n_k:
        step = plan[_mixed(plan)]
        yield Variation(
            plan.computing(step.name, lambda w, v: step.compute(w.swapaxes(-1, -2), v))
        )


def _residual(plan: Plan) -> Iterator[Variation]:
    if "X" in plan.shapes:
        step = plan["output"]
        for source in ("X", "X + P"):
            if source == "X" or source in plan:

                def compute(*arrays: Numbers) -> Numbers:
                    *own, x = arrays
                    result: Numbers = step.compute(*own)
                    if result.shape != x.shape:
                        raise ValueError("The output has another shape than X.")
                    added: Numbers = np.add(result, x)
                    return added

                yield Variation(
                    plan.computing("output", compute, (*step.inputs, source))
                )


def _no_sink(plan: Plan) -> Iterator[Variation]:
    if plan.spec.normalizer == "softmax1":
        yield Variation(plan.computing("weights", lambda s, *_: softmax(s)))


def _renormalized(plan: Plan) -> Iterator[Variation]:
    """Yield the plan that masks after the softmax and divides by the rest."""
    if not plan.masked:
        return
    stage, step = stage_of(plan), plan["weights"]

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        weights = step.compute(scores)
        kept = np.where(hidden(stage, scores, *masks), 0.0, weights)
        shares: Numbers = kept / kept.sum(axis=-1, keepdims=True)
        return shares

    inputs = (stage.inputs[0], *stage.inputs[1:])
    yield Variation(plan.skipping("masked").computing("weights", compute, inputs))


def _dropped(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plan in which the weights that are missing are dropped."""
    exact, theirs = right["weights"], mine.get("weights")
    if theirs is None or theirs.shape != exact.shape:
        return
    dropped = (theirs == 0) & (exact != 0)
    kept = (theirs != 0) & (exact != 0)
    if not dropped.any() or not kept.any():
        return
    factor = float(np.median(theirs[kept] / exact[kept]))
    if not np.isfinite(factor) or factor <= 0:
        return
    factor = next((f for f in _USUAL if abs(f - factor) < 1e-3 * f), factor)
    yield Variation(
        right.plan.then("weights", lambda w: np.where(dropped, 0.0, w * factor)),
        round(1 - 1 / factor, 6),
    )


_USUAL = tuple(1 / (1 - share / 100) for share in range(0, 95, 5))
"""What dropout multiplies the kept weights by, for the usual shares."""

MISTAKES = (
    Mistake(
        "softcap-missing",
        "The soft cap is missing",
        _no_cap,
        "The scores are not bounded by c·tanh(s/c).",
        Remedy("scores", "cap * torch.tanh(scores / cap)"),
        Remedy("scores", "cap * np.tanh(scores / cap)"),
        "Gemma 2",
    ),
    Mistake(
        "softcap-after-mask",
        "The soft cap is applied after the mask",
        _cap_last,
        "The cap makes −c of the −∞ of hidden keys, so that they get weight.",
        Remedy("cap * tanh(masked / cap)", "mask(cap * tanh(scores / cap))"),
        Remedy("cap * np.tanh(masked / cap)", "mask(cap * np.tanh(scores / cap))"),
        "Gemma 2 caps before the mask",
    ),
    Mistake(
        "softcap-before-scale",
        "The soft cap is applied before the scale",
        _cap_first,
        "The dot products are capped, and then divided by √d_k.",
        Remedy("cap(q @ k.mT) * scale", "cap(q @ k.mT * scale)"),
        Remedy("cap(q @ k.T) * scale", "cap(q @ k.T * scale)"),
        "Gemma 2 caps the scaled scores",
    ),
    Mistake(
        "sink-missing",
        "The sink of the softmax is missing",
        _no_sink,
        "The divisor lacks its further term, so that rows add up to 1.",
        Remedy("e / e.sum(-1)", "e / (1 + e.sum(-1))"),
        Remedy("e / e.sum(-1)", "e / (1 + e.sum(-1))"),
        "Miller 2023; gpt-oss",
    ),
    Mistake(
        "mixes-keys",
        "The weights multiply the keys instead of the values",
        _keys,
        "The sum is over the rows of K; it is to be over those of V.",
        Remedy("weights @ k", "weights @ v"),
        Remedy("weights @ k", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "weights-transposed",
        "The weights are transposed before they multiply the values",
        _weights_turned,
        "Columns of the weights are used where rows should be.",
        Remedy("weights.mT @ v", "weights @ v"),
        Remedy("weights.T @ v", "weights @ v"),
        "Vaswani et al. 2017, equation 1",
        across_rows=True,
    ),
    Mistake(
        "dropout-active",
        "Dropout is active",
        lambda plan: iter(()),
        "Some weights are 0 and the others are larger by a constant factor: a share of "
        "{parameter:.3g} was dropped.",
        Remedy("model.train()", "model.eval()"),
        Remedy("weights * keep / (1 - p)", "weights"),
        "Srivastava et al. 2014; PyTorch's nn.Dropout",
        recognize=_dropped,
    ),
    Mistake(
        "residual-added",
        "The input is added to the output",
        _residual,
        "The output has the embeddings added, which the layer around attention does.",
        Remedy("return x + output", "return output"),
        Remedy("return x + output", "return output"),
        "Vaswani et al. 2017, section 3.1",
        across_rows=True,
    ),
    Mistake(
        "mask-renormalized",
        "The mask is applied after the softmax, and rows are divided by their sum",
        _renormalized,
        "This gives the same weights as masking the scores.",
        kind="convention",
        source="See et al. 2017, pointer-generator",
    ),
)
