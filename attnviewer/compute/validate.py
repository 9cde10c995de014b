"""Checks of the inputs of a pipeline, before anything is computed."""

from collections.abc import Callable, Mapping

import numpy as np

from attnviewer.compute.arguments import positive_number, whole_number
from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.building import check_mistakes
from attnviewer.compute.numbers import check_numbers, in_words
from attnviewer.compute.pin_checks import check_pins
from attnviewer.compute.position_checks import (
    check_among_keys,
    check_position,
    check_position_limits,
)
from attnviewer.compute.positions import (
    Disentangled,
    RelativeBias,
    Rotary,
    Sinusoidal,
    check_axes,
    check_count,
)
from attnviewer.compute.scoring import SCORES
from attnviewer.compute.spec import Spec

_ZEROS_AND_ONES = "; 'mask == 1' makes True and False of zeros and ones"
_MASK_HINTS = {
    "f": "; numbers to add to the scores are a bias",
    "i": _ZEROS_AND_ONES,
    "u": _ZEROS_AND_ONES,
}


def check_inputs(
    spec: Spec,
    inputs: Mapping[str, Array],
    called: Callable[[str], str] | None = None,
    *,
    numbers: bool = True,
) -> None:
    """Check that the arrays fit the spec and each other.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The arrays of `spec.input_names`, as `run` takes them.
    called : callable, optional
        Returns the name of an input in messages; ``'X' matrix`` by default.
    numbers : bool
        Whether to check every number; False where that was done before.

    Raises
    ------
    ValueError
        With the array, what it must be and what it is.
    """
    check = _Check(spec, inputs, called or in_words)
    check.kinds(numbers=numbers)
    if spec.given:
        check.given()
    else:
        check.sequences()
    if spec.projected:
        check.projections()
    if spec.extra_rows:
        check.extra_rows()
    check.score()
    check.qk_norm()
    check.positions()
    check.relative_bias()
    check.position_limits()
    check.broadcast()
    if spec.sinks:
        check.sinks()
    shapes = {name: inputs[name].shape for name in check.names}
    check_mistakes(spec, shapes)
    check_pins(spec, shapes)


class _Check:
    """The checks of one set of inputs, which share derived shapes."""

    def __init__(
        self, spec: Spec, inputs: Mapping[str, Array], called: Callable[[str], str]
    ) -> None:
        self.spec = spec
        self.names = spec.input_names
        self.inputs = inputs
        self.called = called

    def kinds(self, *, numbers: bool) -> None:
        for name in self.names:
            if name not in self.inputs:
                raise ValueError(
                    f"The {self.called(name)} must be given. Got none instead."
                )
            array = self.inputs[name]
            if 0 in array.shape:
                raise ValueError(
                    f"The {self.called(name)} must have dimensions of at least 1 each. "
                    f"Got shape {array.shape} instead."
                )
            if name == "mask":
                if array.dtype != np.bool_:
                    raise ValueError(
                        f"The {self.called(name)} must hold True where a query may "
                        f"look and False elsewhere. Got {array.dtype} instead"
                        f"{_MASK_HINTS.get(array.dtype.kind, '')}."
                    )
                continue
            if numbers:
                check_numbers(self.called(name), array, infinite=name == "bias")
        names = (name for name in self.names if name != "mask")
        types = dict.fromkeys(self.inputs[name].dtype for name in names)
        if len(types) > 1:
            raise ValueError(
                "The inputs must be of one floating-point type. "
                f"Got {' and '.join(map(str, types))} instead."
            )

    def given(self) -> None:
        if self.spec.score == "given":
            self._given_scores()
            return
        if self.spec.heads_joined:
            self._joined()
            return
        queries = self.shape("Q")
        if len(queries) < 2:
            self.refuse("Q", "at least 2 dimensions")
        for name in ("K", "V"):
            if len(self.shape(name)) != len(queries):
                self.refuse(
                    name, f"{len(queries)} dimensions, as {self.quoted('Q')} has"
                )
        lead = queries[:-2]
        keys = self.shape("K")
        if lead:
            self.check("K", (*lead[:-1], None, None, None))
            if lead[-1] % keys[-3]:
                raise ValueError(
                    f"The {self.called('Q')} must have a multiple of the {keys[-3]} "
                    f"heads of {self.quoted('K')}. Got {lead[-1]} instead."
                )
        self.check("V", (*keys[:-1], None))

    def _given_scores(self) -> None:
        self.check("V", (None, None))
        spec, n_keys = self.spec, self.shape("V")[0]
        self.check("S", (None, n_keys * spec.n_heads))
        self._divisible({"V": spec.kv_heads})

    def _joined(self) -> None:
        self.check("Q", (None, None))
        self.check("K", (None, None))
        self.check("V", (self.shape("K")[0], None))
        spec = self.spec
        self._divisible({"Q": spec.n_heads, "K": spec.kv_heads, "V": spec.kv_heads})

    def sequences(self) -> None:
        x = self.shape("X")
        if len(x) != 2 and not (len(x) == 3 and self.spec.has_head_axis):
            batch_too = ", or 3 with a batch" if self.spec.has_head_axis else ""
            self.refuse("X", f"2 dimensions{batch_too}")
        *batch, n, d_model = x
        if "context" in self.spec.sources:
            self.check("context", (*batch, None, None))
        if "values" in self.spec.sources:
            n_keys = self.shape(self.spec.sources[1])[-2]
            self.check("values", (*batch, n_keys, None))
        if "P" in self.names:
            table = self.shape("P")
            self.check("P", (None, d_model))
            if table[0] < n:
                self.refuse("P", f"at least {n} rows, one for each token")

    def projections(self) -> None:
        spec = self.spec
        for letter, source in zip("QKV", spec.sources, strict=True):
            self.check(f"W_{letter}", (self.shape(source)[-1], None))
        self._divisible(
            {"W_Q": spec.n_heads, "W_K": spec.kv_heads, "W_V": spec.kv_heads}
        )
        mixed = self.shape("W_V")[1] // spec.kv_heads * spec.n_heads
        if spec.output_gate is not None:
            gates = spec.n_heads if spec.output_gate == "headwise" else mixed
            self.check("W_G", (self.shape("X")[-1], gates))
        if spec.output_projection:
            self.check("W_O", (mixed, None))
        for name in spec.biases:
            columns = self.shape(f"W_{name[2:]}")[1]
            if self.shape(name) not in ((columns,), (1, columns)):
                self.refuse(name, f"shape ({columns},)")

    def _divisible(self, heads: Mapping[str, int]) -> None:
        """Check that columns can be divided among heads."""
        for name, count in heads.items():
            columns = self.shape(name)[1]
            if columns % count:
                label = "n_heads" if count == self.spec.n_heads else "n_kv_heads"
                raise ValueError(
                    f"The number of columns of {self.quoted(name)} must be divisible "
                    f"by {label} = {count}. Got {columns} columns instead."
                )

    def extra_rows(self) -> None:
        batch = self.shape(self.spec.sources[1])[:-2]
        rows = (
            self.shape("extra_keys")[-2] if len(self.shape("extra_keys")) > 1 else None
        )
        for name, letter in (("extra_keys", "K"), ("extra_values", "V")):
            columns = self.shape(f"W_{letter}")[1]
            own = batch if len(self.shape(name)) > 2 else ()
            self.check(name, (*own, rows, columns))

    def score(self) -> None:
        if self.spec.score == "given":
            return
        d_q, d_k = self._widths()
        scoring = SCORES[self.spec.score]
        if scoring.same_width:
            if d_q != d_k and self.spec.projected:
                self.check("W_K", (self.shape("W_K")[0], d_q * self.spec.kv_heads))
            elif d_q != d_k:
                keys = self.spec.sources[1]
                count = self.spec.kv_heads if self.spec.heads_joined else 1
                self.check(keys, (*self.shape(keys)[:-1], d_q * count))
            return
        if "w" in scoring.weights:
            self.check("w", (d_q, d_k))
            return
        self.check("w_q", (d_q, None))
        hidden = self.shape("w_q")[1]
        self.check("w_k", (d_k, hidden))
        if self.shape("v") not in ((hidden,), (1, hidden)):
            self.refuse("v", f"shape ({hidden},)")

    def _widths(self) -> tuple[int, int]:
        """Return the widths of a query and a key."""
        if self.spec.projected:
            return (
                self.shape("W_Q")[1] // self.spec.n_heads,
                self.shape("W_K")[1] // self.spec.kv_heads,
            )
        queries, keys, _ = self.spec.sources
        n_heads, n_kv_heads = 1, 1
        if self.spec.heads_joined:
            n_heads, n_kv_heads = self.spec.n_heads, self.spec.kv_heads
        return self.shape(queries)[-1] // n_heads, self.shape(keys)[-1] // n_kv_heads

    def qk_norm(self) -> None:
        norm, spec = self.spec.qk_norm, self.spec
        if norm is None:
            return
        counts = (spec.n_heads, spec.kv_heads)
        for side, width, count in zip("QK", self._widths(), counts, strict=True):
            whole = width * count
            sizes = {whole} if norm.full_width else {width, whole}
            for name in norm.inputs_of(side):
                if self.shape(name) not in {s for n in sizes for s in ((n,), (1, n))}:
                    listed = " or ".join(f"({size},)" for size in sorted(sizes))
                    self.refuse(name, f"shape {listed}")

    def positions(self) -> None:
        scheme = self.spec.positions
        if isinstance(scheme, Disentangled):
            self._relative(scheme)
        if isinstance(scheme, Sinusoidal | Rotary):
            check_position("offset", whole_number("offset", scheme.offset))
        if not isinstance(scheme, Rotary):
            return
        positive_number("base", scheme.base)
        for width in self._widths():
            turned = scheme.rotary_dim
            turned = width if turned is None else whole_number("rotary_dim", turned, 2)
            if turned % 2 or turned > width:
                raise ValueError(
                    "The 'rotary_dim' parameter must be even and at most the width of "
                    f"a head, {width}. Got {turned} instead."
                )
            if scheme.frequencies is not None:
                check_count(len(scheme.frequencies), turned)
            if scheme.axes is not None:
                check_axes(scheme.axes, turned)
        if scheme.axes is not None:
            self._position_ids(scheme.axes.n_axes)

    def _position_ids(self, n_axes: int) -> None:
        queries, keys, _ = self.spec.sources
        batch = self.shape(queries)[: self._lead()]
        own = batch if len(self.shape("position_ids")) > 2 else ()
        n_queries, n_keys = self.shape(queries)[-2], self.shape(keys)[-2]
        self.check("position_ids", (*own, n_keys, n_axes))
        check_among_keys(self.spec.query_offset, batch, n_queries, n_keys)

    def _relative(self, scheme: Disentangled) -> None:
        for term in scheme.terms:
            side = "K" if term == "c2p" else "Q"
            if scheme.own_weights:
                self.check(f"W_{side}R", (None, self.shape(f"W_{side}")[1]))
            weight = f"W_{side}R" if scheme.own_weights else f"W_{side}"
            self.check("R", (2 * scheme.span, self.shape(weight)[0]))

    def relative_bias(self) -> None:
        if isinstance(self.spec.positions, RelativeBias):
            expected = self.spec.positions.n_buckets, self.spec.n_heads
            self.check("relative_bias", expected)

    def position_limits(self) -> None:
        batch = self.shape(self.spec.sources[0])[: self._lead()]
        check_position_limits(self.spec, batch)

    def _lead(self) -> int:
        """Return the end of the batch axes in the shape of the queries."""
        spec = self.spec
        return -3 if spec.given and not spec.heads_joined else -2

    def broadcast(self) -> None:
        shape = self._scores()
        extra = self.shape("extra_keys")[-2] if self.spec.extra_rows else 0
        for name in ("bias", "mask"):
            if name not in self.names:
                continue
            own = self.shape(name)
            if extra and own and own[-1] == shape[-1] - extra:
                own = (*own[:-1], shape[-1])
            try:
                fits = np.broadcast_shapes(own, shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise ValueError(
                    f"The {self.called(name)} must have a shape that broadcasts to "
                    f"that of the scores, {shape}. Got {self.shape(name)} instead."
                )

    def sinks(self) -> None:
        heads = self.spec.n_heads
        if self.shape("sinks") not in ((heads,), (1, heads)):
            self.refuse("sinks", f"shape ({heads},), one for each head")

    def _scores(self) -> Shape:
        queries, keys, _ = self.spec.sources
        n_keys = self.shape(keys)[-2]
        if self.spec.extra_rows:
            n_keys += self.shape("extra_keys")[-2]
        *lead, n_queries, _ = self.shape(queries)
        heads = (self.spec.n_heads,) if self.spec.has_head_axis else ()
        in_lead = self.spec.given and not self.spec.heads_joined
        return *lead, *(() if in_lead else heads), n_queries, n_keys

    def shape(self, name: str) -> Shape:
        return self.inputs[name].shape

    def check(self, name: str, expected: tuple[int | None, ...]) -> None:
        shape = self.shape(name)
        if len(shape) == len(expected) and all(
            want in (None, got) for want, got in zip(expected, shape, strict=True)
        ):
            return
        written = ", ".join("any" if want is None else str(want) for want in expected)
        self.refuse(name, f"shape ({written})")

    def quoted(self, name: str) -> str:
        """Return the name of an input without its kind."""
        return self.called(name).partition(" ")[0]

    def refuse(self, name: str, expected: str) -> None:
        raise ValueError(
            f"The {self.called(name)} must have {expected}. "
            f"Got {self.shape(name)} instead."
        )
