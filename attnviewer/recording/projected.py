"""Calls of layers with projections of their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.recording.call import Call
from attnviewer.recording.masks import Masks, is_causal
from attnviewer.recording.projections import (
    JOINED,
    KEYS,
    OUTPUT,
    QUERIES,
    VALUES,
    Projection,
)
from attnviewer.recording.settings import (
    is_of_hugging_face,
    read_settings,
)
from attnviewer.recording.tensors import copied, parts

_SEPARATE = {QUERIES, KEYS, VALUES}
_MASKS = "attention_mask", "attn_mask", "mask", "src_mask", "causal_mask"
_PADDING = "key_padding_mask", "padding_mask"
_CACHED = (
    "The layer looked at keys of earlier calls in a cache, which are not recorded. "
    "Record a call on all tokens."
)


@dataclass
class Passage:
    """The arrays that went through the parts of a layer in its last call.

    Parameters
    ----------
    read, given : dict of str to ndarray
        What each projection read and gave, by role; and ``q_norm`` and ``k_norm``.
    notes : list of str
        Why something of it could not be read.
    """

    read: dict[str, Numbers] = field(default_factory=dict)
    given: dict[str, Numbers] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Forget the call before."""
        self.read.clear()
        self.given.clear()
        self.notes.clear()


@dataclass(frozen=True)
class Projected:
    """A layer whose projections are linear layers.

    Parameters
    ----------
    layer : torch.nn.Module
        The layer.
    projections : mapping of str to Projection
        By role.
    unnamed : tuple of Projection
        Linear layers one of which may be W_O, where that is not known.
    notes : tuple of str
        How the projections were recognised.
    """

    layer: Any
    projections: Mapping[str, Projection]
    unnamed: tuple[Projection, ...] = ()
    notes: tuple[str, ...] = ()

    def call(
        self, passage: Passage, arguments: Mapping[str, Any], result: object
    ) -> Call:
        """Return what a call shows.

        Parameters
        ----------
        passage : Passage
            What went through the projections.
        arguments : mapping of str to Any
            The arguments of the call.
        result : object
            What the layer returned.
        """
        call = Call(notes=[*self.notes, *passage.notes])
        if passage.notes:
            return call
        if self._read_cache(passage, arguments):
            call.notes.append(_CACHED)
            return call
        uncalled = self._uncalled(passage)
        if uncalled:
            names = ", ".join(map(repr, uncalled))
            call.notes.append(
                f"The projections are left out: the layer did not call {names}. "
                "Keys and values may be those of an earlier call."
            )
            return call
        output, *others = parts(result)
        if "q_norm" in passage.given and "k_norm" in passage.given:
            self._normalised(passage, call)
        else:
            self._inputs(passage, call)
            if self.unnamed:
                names = ", ".join(repr(layer.name) for layer in self.unnamed)
                call.notes.append(
                    "The output is left out: which of the linear layers makes it is "
                    f"not known by their names, {names}."
                )
            else:
                call.mine["output"] = copied("output", output)
        if OUTPUT in passage.read and call.inputs:
            call.mine["concatenated"] = passage.read[OUTPUT]
        n_queries, n_keys = self._lengths(passage)
        self._weights(others, (n_queries, n_keys), call)
        read_settings(self.layer, arguments, call)
        self._mask(arguments, call, (n_queries, n_keys))
        return call

    def _uncalled(self, passage: Passage) -> list[str]:
        """Return the names of projections that the layer went without."""
        if JOINED in passage.read or passage.read.keys() >= _SEPARATE:
            return []
        needed = self.projections.keys() - passage.read.keys() - {OUTPUT}
        return [self.projections[role].name for role in sorted(needed)]

    def _inputs(self, passage: Passage, call: Call) -> None:
        if JOINED in passage.read:
            call.inputs["X"] = passage.read[JOINED]
        else:
            x, keys, values = (passage.read[r] for r in (QUERIES, KEYS, VALUES))
            call.inputs["query"] = x
            call.inputs["key"] = keys
            call.inputs["value"] = values
            for role in (QUERIES, KEYS, VALUES):
                call.mine[role[-1]] = passage.given[role]
        for role, projection in self.projections.items():
            name = "qkv" if role == JOINED else role
            bias = "qkv.bias" if role == JOINED else f"b_{role[-1]}"
            call.inputs[name] = projection.weight
            if projection.bias is not None:
                call.inputs[bias] = projection.bias

    def _normalised(self, passage: Passage, call: Call) -> None:
        """Take queries and keys as they are after a norm of their own."""
        if VALUES not in passage.given:
            call.notes.append(
                "The values of a layer that normalises queries and keys cannot be "
                "taken from one joined projection. Call diagnose with Q, K and V."
            )
            return
        values = call.inputs["V"] = passage.given[VALUES]
        lengths = {"Q": values.shape[-2], "K": values.shape[-2]}
        for letter, name in (("Q", "q_norm"), ("K", "k_norm")):
            array = passage.given[name]
            if array.ndim == 4:  # (batch, n, h, d), or (batch, h, n, d)
                if array.shape[1] != lengths[letter]:
                    array = array.swapaxes(1, 2)
                array = array.reshape(*array.shape[:2], -1)
            call.inputs[letter] = array
        call.notes.append(
            "Queries and keys are taken after the norm of their own: the projections, "
            "the norm and the output projection are not compared."
        )

    def _weights(self, others: list[Any], lengths: tuple[int, int], call: Call) -> None:
        """Take the weights from what a layer returned behind the output."""
        for other in others:
            if tuple(getattr(other, "shape", ()))[-2:] == lengths:
                call.mine["weights"] = copied("weights", other)

    def _read_cache(self, passage: Passage, arguments: Mapping[str, Any]) -> bool:
        """Return whether keys of earlier calls were looked at, too."""
        # The argument's name depends on the version of transformers.
        caches = [c for c in arguments.values() if hasattr(c, "get_seq_length")]
        own = passage.read.get(JOINED, passage.read.get(KEYS))
        if own is None or not np.array_equal(own, passage.read.get(QUERIES, own)):
            return False
        return any(
            cache.get_seq_length(self.layer.layer_idx) > own.shape[-2]
            for cache in caches
        )

    def _lengths(self, passage: Passage) -> tuple[int, int]:
        x = passage.read.get(JOINED, passage.read.get(QUERIES))
        keys = passage.read.get(JOINED, passage.read.get(KEYS))
        assert x is not None
        assert keys is not None
        return x.shape[-2], keys.shape[-2]

    def _mask(
        self, arguments: Mapping[str, Any], call: Call, lengths: tuple[int, int]
    ) -> None:
        masks = Masks()
        for name in (*_MASKS, *_PADDING):
            tensor = arguments.get(name)
            if tensor is None or not hasattr(tensor, "shape"):
                continue
            mask = copied(name, tensor)
            if not mask.any():
                continue  # nothing is added, or nothing hidden
            hides = name in _PADDING
            if mask.dtype.kind == "b" or np.isin(mask, (0, 1)).all():
                mask = mask != 0
                hides = hides or self._hides(mask, name, call)
            if mask.ndim == 2 and mask.shape != lengths:
                mask = mask[:, None, None]  # (batch, 1, 1, n_k)
            elif mask.ndim == 3:
                mask = mask[:, None]  # (batch, 1, n_q, n_k)
            masks.add(mask[..., : lengths[1]], hides=hides)
        if masks.visible and is_of_hugging_face(self.layer):
            call.options.pop("causal", None)  # the mask says all of it
        masks.tell(call)

    def _hides(self, mask: Numbers, name: str, call: Call) -> bool:
        """Return whether 1 hides, of a mask whose name leaves it open."""
        if is_of_hugging_face(self.layer):
            return False
        square = mask.ndim > 1 and mask.shape[-1] == mask.shape[-2]
        if not square or is_causal(mask):
            return False
        own = mask.diagonal(0, -2, -1)
        if not own.any() and mask.any():
            call.notes.append(f"1 in '{name}' is taken to hide a key.")
            return True
        return False
