"""One normaliser in place of another."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.arrays import softmax
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.normalizing import plus_one_unshifted, weights_by
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.normalizers import NORMALIZERS


def _logistic(scores: Numbers) -> Numbers:
    shares: Numbers = 1 / (1 + np.exp(-scores))
    return shares


def _logistic_by_length(scores: Numbers) -> Numbers:
    return _logistic(scores - np.log(scores.shape[-1]))


def _rectified(scores: Numbers) -> Numbers:
    return np.maximum(scores, 0.0)


def _rectified_by_length(scores: Numbers) -> Numbers:
    shares: Numbers = np.maximum(scores, 0.0) / scores.shape[-1]
    return shares


def _elu_plus_one(rows: Numbers) -> Numbers:
    return np.where(rows > 0, rows + 1, np.exp(np.minimum(rows, 0)))


def _linear_attention(plan: Plan) -> Iterator[Variation]:
    """Yield the plan of weights φ(q)·φ(k) / Σ φ(q)·φ(k) with φ = elu + 1."""
    if plan.spec.score != "dot" or plan.spec.build_normalizer().name != "softmax":
        return
    score = plan["scores"]

    def compare(queries: Numbers, keys: Numbers) -> Numbers:
        return score.compute(_elu_plus_one(queries), _elu_plus_one(keys))

    def divide(scores: Numbers, *_: Numbers) -> Numbers:
        shown = _without_hidden(scores)
        shares: Numbers = shown / shown.sum(axis=-1, keepdims=True)
        return shares

    changed = plan.computing("scores", compare).computing("weights", divide)
    yield Variation(changed)


def _without_hidden(scores: Numbers) -> Numbers:
    return np.where(np.isneginf(scores), 0.0, scores)


def _with_hidden(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield scores with their −∞ as weights, where something is not finite."""
    if not all(np.isfinite(rows).all() for rows in mine.values()):
        yield from weights_by(lambda scores: scores)(right.plan)


def _other(name: str) -> Callable[[Plan], Iterator[Variation]]:
    """Return what puts the softmax in place of a normaliser."""
    rule = NORMALIZERS["softmax"]()
    return weights_by(rule.normalize, applies=_intended(name))


def _intended(name: str) -> Callable[[Plan], bool]:
    return lambda plan: plan.spec.build_normalizer().name == name


def _has_sink(plan: Plan) -> bool:
    return plan.spec.sinks or _intended("softmax1")(plan)


def _other_sigmoid(plan: Plan) -> Iterator[Variation]:
    with_bias = dict(plan.spec.normalizer_options).get("length_bias", True)
    change = _logistic if with_bias else _logistic_by_length
    yield from weights_by(change, applies=_intended("sigmoid"))(plan)


def _again(plan: Plan) -> Iterator[Variation]:
    own = plan.spec.build_normalizer().name
    if own in ("softmax1", "sink_softmax", "sigmoid", "none"):

        def divide(weights: Numbers) -> Numbers:
            shares: Numbers = weights / weights.sum(-1, keepdims=True)
            return shares

        yield Variation(plan.then("weights", divide))


MISTAKES = (
    Mistake(
        "sigmoid-for-softmax",
        "A sigmoid takes the place of the softmax",
        weights_by(_logistic, _logistic_by_length),
        "Each weight is the sigmoid of its own score; rows do not add up to 1.",
        Remedy("scores.sigmoid()", "scores.softmax(dim=-1)"),
        Remedy("1 / (1 + np.exp(-scores))", "softmax(scores)"),
        "Ramapuram et al. 2024",
    ),
    Mistake(
        "sparsemax-for-softmax",
        "Sparsemax takes the place of the softmax",
        weights_by(NORMALIZERS["sparsemax"]().normalize),
        "The scores of a row are projected onto the simplex, so that low ones get "
        "weight 0 exactly.",
        Remedy("sparsemax(scores, -1)", "scores.softmax(dim=-1)"),
        Remedy("sparsemax(scores)", "softmax(scores)"),
        "Martins and Astudillo 2016",
    ),
    Mistake(
        "entmax-for-softmax",
        "Entmax takes the place of the softmax",
        weights_by(NORMALIZERS["entmax15"]().normalize),
        "The weights are those of 1.5-entmax, which gives low scores weight 0 exactly.",
        Remedy("entmax15(scores, -1)", "scores.softmax(dim=-1)"),
        Remedy("entmax15(scores)", "softmax(scores)"),
        "Peters et al. 2019",
    ),
    Mistake(
        "hardmax-for-softmax",
        "The largest score takes all the weight",
        weights_by(NORMALIZERS["hardmax"]().normalize),
        "Each query attends only to its best key: argmax instead of softmax.",
        Remedy("F.one_hot(scores.argmax(-1), n).float()", "scores.softmax(dim=-1)"),
        Remedy("np.eye(n)[scores.argmax(-1)]", "softmax(scores)"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "relu-for-softmax",
        "A ReLU takes the place of the softmax",
        weights_by(_rectified, _rectified_by_length),
        "Negative scores get weight 0 and the others their own size, divided by the "
        "number of keys or not.",
        Remedy("scores.relu() / n", "scores.softmax(dim=-1)"),
        Remedy("np.maximum(scores, 0) / n", "softmax(scores)"),
        "Wortsman et al. 2023",
    ),
    Mistake(
        "sum-for-softmax",
        "The scores are divided by their sum, without an exponential",
        weights_by(NORMALIZERS["sum"]().normalize),
        "Rows add up to 1, but weights can be negative and large.",
        Remedy("scores / scores.sum(-1, keepdim=True)", "scores.softmax(dim=-1)"),
        Remedy("scores / scores.sum(-1, keepdims=True)", "softmax(scores)"),
        "Vaswani et al. 2017, equation 1",
    ),
    Mistake(
        "softmax-missing",
        "The softmax is missing",
        weights_by(_without_hidden),
        "The values are weighted by the scores themselves, as in linear attention.",
        Remedy("scores @ v", "scores.softmax(dim=-1) @ v"),
        Remedy("scores @ v", "softmax(scores) @ v"),
        "Vaswani et al. 2017, equation 1",
        recognize=_with_hidden,
    ),
    Mistake(
        "linear-for-softmax",
        "Linear attention takes the place of the softmax",
        _linear_attention,
        "The weights are φ(q) · φ(k), with φ = elu + 1, divided by their sum.",
        Remedy("linear_attention(q, k, v)", "scaled_dot_product_attention(q, k, v)"),
        Remedy("phi(q) @ (phi(k).T @ v)", "softmax(q @ k.T / np.sqrt(d)) @ v"),
        "Katharopoulos et al. 2020, equation 7",
    ),
    Mistake(
        "sink-missing",
        "The sink of the softmax is missing",
        weights_by(softmax, applies=_has_sink),
        "The denominator lacks its extra term, so that rows add up to 1.",
        Remedy("e / e.sum(-1, keepdim=True)", "e / (1 + e.sum(-1, keepdim=True))"),
        Remedy("e / e.sum(-1, keepdims=True)", "e / (1 + e.sum(-1, keepdims=True))"),
        "Miller 2023; gpt-oss",
    ),
    Mistake(
        "sink-unshifted",
        "The sink is not shifted with the scores",
        weights_by(plus_one_unshifted, applies=_intended("softmax1")),
        "The largest score is subtracted from the scores but not from the sink's 0, "
        "whose term is 1 instead of exp(−max).",
        Remedy("e / (1 + e.sum(-1, True))", "e / ((-top).exp() + e.sum(-1, True))"),
        Remedy("e / (1 + e.sum(-1))", "e / (np.exp(-top) + e.sum(-1))"),
        "Miller 2023",
    ),
    Mistake(
        "sigmoid-bias",
        "The bias −log n of the sigmoid is missing, or is one too many",
        _other_sigmoid,
        "The logarithm of the number of keys is subtracted from the scores, or is not.",
        Remedy("scores.sigmoid()", "(scores - math.log(n)).sigmoid()"),
        Remedy("sigmoid(scores)", "sigmoid(scores - np.log(n))"),
        "Ramapuram et al. 2024, section 2",
        kind="convention",
    ),
    Mistake(
        "weights-normalized-again",
        "The weights are divided by their sum",
        _again,
        "Each row is divided by its sum after it was normalised, though the normaliser "
        "is meant to leave rows that do not add up to 1.",
        Remedy("w / w.sum(-1, keepdim=True)", "w"),
        Remedy("w / w.sum(-1, keepdims=True)", "w"),
        "Miller 2023; Ramapuram et al. 2024",
    ),
    *(
        Mistake(
            f"softmax-for-{name}",
            f"The softmax takes the place of {title}",
            _other(name),
            f"The weights are a softmax of the scores where {title} is meant.",
            Remedy("scores.softmax(dim=-1)", torch),
            Remedy("softmax(scores)", numpy),
            source,
        )
        for name, title, torch, numpy, source in (
            (
                "sigmoid",
                "a sigmoid",
                "(scores - math.log(n)).sigmoid()",
                "1 / (1 + np.exp(np.log(n) - scores))",
                "Ramapuram et al. 2024",
            ),
            (
                "sparsemax",
                "sparsemax",
                "sparsemax(scores, -1)",
                "attnviewer.normalize(scores, 'sparsemax')",
                "Martins and Astudillo 2016",
            ),
            (
                "entmax15",
                "1.5-entmax",
                "entmax15(scores, -1)",
                "attnviewer.normalize(scores, 'entmax15')",
                "Peters et al. 2019",
            ),
            (
                "hardmax",
                "hardmax",
                "F.one_hot(scores.argmax(-1), n).float()",
                "attnviewer.normalize(scores, 'hardmax')",
                "ONNX, operator Hardmax",
            ),
            (
                "sum",
                "a division by the sum",
                "scores / scores.sum(-1, keepdim=True)",
                "scores / scores.sum(-1, keepdims=True)",
                "attnviewer's normaliser “sum”",
            ),
        )
    ),
)
