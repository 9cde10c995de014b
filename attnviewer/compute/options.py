"""The options of the public attention functions, made into a spec and its inputs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from attnviewer.compute.arguments import (
    any_array,
    check_name,
    flag,
    float_type,
    real_array,
    real_number,
    whole_number,
)
from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.length_scale import NAMED as LENGTH_SCALES
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.pins import Pin
from attnviewer.compute.qk_norm import INPUTS as NORM_INPUTS
from attnviewer.compute.qk_norm import Kind as NormKind
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.scoring import SCORES
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import PerItem

Window: TypeAlias = tuple[int | None, int | None]
"""How many keys left and right of its own position a query sees; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of `attention`, documented there."""

    scale: float | None = None
    mask: ArrayLike | None = None
    bias: ArrayLike | None = None
    causal: bool = False
    window: Window | None = None
    chunk: int | None = None
    length_scale: str | LengthScale | None = None
    softcap: float | None = None
    normalizer: str = "softmax"
    temperature: float = 1.0
    query_offset: ArrayLike = 0
    key_lengths: ArrayLike | None = None
    score: str = "dot"
    score_weights: Mapping[str, ArrayLike] | None = None
    normalizer_options: Mapping[str, bool] | None = None
    qk_norm: str | QKNorm | None = None
    qk_norm_weights: Mapping[str, ArrayLike] | None = None
    sinks: ArrayLike | None = None
    pins: Sequence[Pin] = ()
    dtype: DTypeLike | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any], others: Iterable[str]) -> Self:
        """Make options from keyword arguments.

        Parameters
        ----------
        options : mapping of str to Any
            The arguments.
        others : iterable of str
            Other names that the function accepts, for the message.

        Raises
        ------
        ValueError
            If one of them is unknown.
        """
        known = [field.name for field in fields(cls)]
        for name in options:
            check_name("option", name, [*known, *others])
        return cls(**options)

    def arrays(
        self,
        given: Mapping[str, ArrayLike],
        optional: Mapping[str, ArrayLike | None] | None = None,
    ) -> dict[str, Array]:
        """Return all inputs in one floating-point type.

        Arrays that have it already are returned themselves.

        Parameters
        ----------
        given, optional : mapping of str to array_like
            The other arguments of the function; optional ones are left out where
            they are None.

        Returns
        -------
        dict of str to ndarray
            Copies by name, each of the shape of its argument.

        Raises
        ------
        TypeError, ValueError
            If one is missing, ragged, or does not hold real numbers.
        """
        named = dict(given)
        own = {"bias": self.bias, "sinks": self.sinks}
        for name, values in {**(optional or {}), **own}.items():
            if values is not None:
                named[name] = values
        named.update(self._score_inputs())
        named.update(self._norm_inputs())
        for name, values in named.items():
            if values is None:
                raise TypeError(
                    f"The {parameter(name)} must be an array. Got None instead."
                )
        arrays = {n: real_array(parameter(n), a) for n, a in named.items()}
        typed = {*given, *(optional or {})} - {"position_ids"}  # integers in general
        dtype = self._float_type([a for n, a in arrays.items() if n in typed])
        # Numbers that overflow become ±inf, which checking the inputs finds.
        with np.errstate(over="ignore"):
            inputs = {n: array.astype(dtype, copy=False) for n, array in arrays.items()}
        if self.mask is not None:
            inputs["mask"] = any_array(parameter("mask"), self.mask)
        return inputs

    def spec(self, batch: Shape, **choices: Any) -> Spec:
        """Return the spec of these options and of other choices.

        Parameters
        ----------
        batch : tuple of int
            The axes before the heads.
        **choices
            The rest of the spec.

        Raises
        ------
        ValueError
            If the combination is invalid.
        """
        if self.score == "given":
            raise ValueError(
                "The 'score' must compare queries with keys. Got 'given' instead, "
                "which is for a Spec and `run`, with scores S and values V."
            )
        return Spec(
            score=self.score,
            scale=None if self.scale is None else real_number("scale", self.scale),
            length_scale=self._length_scale(),
            softcap=None
            if self.softcap is None
            else real_number("softcap", self.softcap),
            bias=self.bias is not None,
            causal=flag("causal", self.causal),
            window=None if self.window is None else _window(self.window),
            chunk=None if self.chunk is None else whole_number("chunk", self.chunk, 1),
            mask=self.mask is not None,
            query_offset=_per_item("query_offset", self.query_offset, batch),
            key_lengths=None
            if self.key_lengths is None
            else _per_item("key_lengths", self.key_lengths, batch, least=0),
            normalizer=self.normalizer,
            temperature=real_number("temperature", self.temperature),
            normalizer_options=tuple(
                sorted(_named("normalizer_options", self.normalizer_options).items())
            ),
            qk_norm=self._norm(),
            sinks=self.sinks is not None,
            pins=_pins(self.pins),
            **choices,
        )

    def _length_scale(self) -> LengthScale | None:
        rule = self.length_scale
        if rule is None or isinstance(rule, LengthScale):
            return rule
        check_name("length_scale", rule, LENGTH_SCALES)
        return LENGTH_SCALES[rule]

    def _norm(self) -> QKNorm | None:
        """Return the norm of queries and keys; one given by name has the weights."""
        norm, given = self.qk_norm, _named("qk_norm_weights", self.qk_norm_weights)
        if norm is None or isinstance(norm, QKNorm):
            return norm
        check_name("qk_norm", norm, get_args(NormKind))
        has_gain, has_shift = (
            any(name.startswith(kind) for name in given) for kind in ("gain", "shift")
        )
        return QKNorm(kind=cast("NormKind", norm), gain=has_gain, shift=has_shift)

    def _norm_inputs(self) -> dict[str, ArrayLike]:
        norm = self._norm()
        wanted: list[str] = []
        if norm is not None:
            wanted += [*norm.inputs_of("Q"), *norm.inputs_of("K")]
        given = _named("qk_norm_weights", self.qk_norm_weights)
        names = {name.lower(): name for name in wanted}
        if given and not wanted:
            raise ValueError(
                "The 'qk_norm_weights' parameter must be None without a norm that has "
                f"weights. Got {', '.join(given)} instead."
            )
        for name in given:
            check_name("qk_norm_weights", name, names)
        return _all_given({names[n]: a for n, a in given.items()}, wanted, "qk_norm")

    def _score_inputs(self) -> dict[str, ArrayLike]:
        check_name("score", self.score, SCORES)
        wanted = SCORES[self.score].weights
        given = _named("score_weights", self.score_weights)
        if given and not wanted:
            raise ValueError(
                "The 'score_weights' parameter must be None with "
                f"score='{self.score}'. Got {', '.join(given)} instead."
            )
        for name in given:
            check_name("score_weights", name, wanted)
        return _all_given(given, wanted, f"score='{self.score}'")

    def _float_type(self, arrays: list[Array]) -> "np.dtype[np.floating[Any]]":
        """Return the type that everything is computed in."""
        if self.dtype is not None:
            return float_type(self.dtype, _FLOATS)
        # Integers are exact in float64; floating-point arrays keep their type.
        types = [a.dtype if a.dtype.kind == "f" else np.float64 for a in arrays]
        joined = np.result_type(*types)
        return np.dtype(joined.type if joined.name in _FLOATS else np.float64)


_FLOATS = ("float16", "float32", "float64")


def parameter(name: str) -> str:
    """Return the name of a public function's input in messages."""
    if name in ("w", "w_q", "w_k", "v"):
        return f"'{name}' of 'score_weights'"
    if name in ("R", "W_KR", "b_KR", "W_QR", "b_QR"):
        return f"'{name}' of 'relative'"
    if name in NORM_INPUTS:
        return f"'{name.lower()}' of 'qk_norm_weights'"
    return f"'{'positions' if name == 'P' else name.lower()}' parameter"


def _all_given(
    given: Mapping[str, ArrayLike], wanted: Iterable[str], choice: str
) -> dict[str, ArrayLike]:
    """Return the arrays that go with a choice, of which none may be missing."""
    for name in wanted:
        if name not in given:
            raise ValueError(
                f"The {parameter(name)} must be given with {choice}. Got none instead."
            )
    return dict(given)


def _named(name: str, value: Mapping[str, Any] | None) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(
            f"The '{name}' parameter must be a mapping of names. "
            f"Got {type(value).__name__} instead."
        )
    return dict(value)


def _pins(pins: Sequence[Pin]) -> tuple[Pin, ...]:
    if not isinstance(pins, Sequence) or not all(isinstance(p, Pin) for p in pins):
        raise TypeError(
            f"The 'pins' parameter must be a sequence of Pin. Got {pins!r} instead."
        )
    return tuple(pins)


def _window(window: Window) -> Window:
    if not isinstance(window, tuple | list) or len(window) != 2:
        raise ValueError(
            "The 'window' parameter must be (left, right), each an integer or None. "
            f"Got {window!r} instead."
        )
    for side in window:
        if isinstance(side, int | np.integer) and side < 0:
            raise ValueError(
                "The 'window' parameter must count at least 0 keys on each side, or "
                f"None for all of them. Got {window!r} instead."
            )
    left, right = (
        None if side is None else whole_number("window", side) for side in window
    )
    return left, right


def _per_item(
    name: str, value: ArrayLike, batch: Shape, least: int | None = None
) -> PerItem:
    numbers = any_array(f"'{name}' parameter", value)
    if numbers.ndim and numbers.shape not in ((1,), batch):
        items = f" or an array of shape {batch}, one for each batch item"
        raise ValueError(
            f"The '{name}' parameter must be an integer{items if batch else ''}. "
            f"Got shape {numbers.shape} instead."
        )
    if numbers.ndim and numbers.dtype.kind not in "iu":
        raise TypeError(
            f"The '{name}' parameter must hold integers. Got {numbers.dtype} instead."
        )
    checked = [
        whole_number(name, number, least) for number in numbers.reshape(-1).tolist()
    ]
    if len(checked) == 1:
        return checked[0]
    return _nested(numbers.tolist())


def _nested(numbers: int | list[Any]) -> PerItem:
    if isinstance(numbers, list):
        return tuple(_nested(part) for part in numbers)
    return numbers
