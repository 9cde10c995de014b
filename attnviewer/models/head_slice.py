"""One head's part of a layer's weights."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import Array, Spec
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.head_groups import serving_head
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document.matrices import SINKS
from attnviewer.models.architecture import Architecture
from attnviewer.models.outputs import Outputs

TOGETHER = (
    "A head cannot be opened alone where queries and keys are normalised over all "
    "heads together."
)


@dataclass(frozen=True, slots=True)
class HeadSlice:
    """One head's part of a layer's weights.

    Parameters
    ----------
    head : int
        The head.
    queries, keys : slice
        Its columns of W_Q, and of W_K and W_V.
    together : bool
        Whether its queries and keys are normalised together with those of all heads.
    """

    head: int
    queries: slice
    keys: slice
    together: bool = False

    @classmethod
    def of(cls, run: Outputs, head: int) -> "HeadSlice":
        """Return the slice of a head.

        Raises
        ------
        IndexError
            If there is no such head.
        """
        return cls.within(run.model.architecture, head)

    @classmethod
    def within(cls, architecture: Architecture, head: int) -> "HeadSlice":
        """Return the slice of a head of any layer of an architecture.

        Raises
        ------
        IndexError
            If there is no such head.
        """
        number, count = whole_number("head", head), architecture.n_heads
        if not 0 <= number < count:
            raise IndexError(
                f"The 'head' must be from 0 to {count - 1}. Got {number} instead."
            )
        width = architecture.d_head
        shared = serving_head(number, count, architecture.n_kv_heads)
        norm = architecture.attention[0].qk_norm
        return cls(
            number,
            slice(number * width, (number + 1) * width),
            slice(shared * width, (shared + 1) * width),
            norm is not None and norm.full_width,
        )

    def spec(self, spec: Spec) -> Spec:
        """Return the spec of the head alone; b_O belongs to all heads together.

        Raises
        ------
        ValueError
            If queries and keys are normalised over all heads together.
        """
        if self.together:
            raise ValueError(TOGETHER)
        biases = tuple(name for name in spec.biases if name != "b_O")
        own = replace(spec, n_heads=1, n_kv_heads=None, head_axis=False, biases=biases)
        return replace(own, pins=())

    def select(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Return the head's part of a layer's inputs."""
        return {
            name: array[self._part(name, array)]
            for name, array in inputs.items()
            if name != "b_O"
        }

    def merge(
        self, own: Mapping[str, Array], present: Mapping[str, Array]
    ) -> dict[str, Array]:
        """Return a layer's weights with those of the head replaced.

        The head's b_O is added to that of all heads.

        Raises
        ------
        ValueError
            If the shape of one has changed.
        """
        whole: dict[str, Array] = {}
        for name, array in own.items():
            if name == "b_O":
                before = present.get("b_O", np.zeros_like(array))  # (d_model,)
                whole[name] = before + array
                continue
            new = present[name].copy()
            part = self._part(name, present[name])
            if new[part].shape != array.shape:
                raise ValueError(
                    f"The '{name}' of the head must have shape {new[part].shape} to "
                    f"be applied to the model. Got {array.shape} instead."
                )
            new[part] = array
            whole[name] = new
        return whole

    def _part(
        self, name: str, array: Array
    ) -> slice | tuple[slice, slice] | tuple[slice]:
        every = slice(None)
        if name == "W_O":
            return self.queries, every
        if name == SINKS:
            return slice(self.head, self.head + 1)
        if name == "relative_bias":
            return every, slice(self.head, self.head + 1)
        side = name.rpartition("_")[2]
        columns = self.queries if side in ("Q", "QR") else self.keys
        if name in QK_NORM_INPUTS:
            shared = array.shape[-1] == columns.stop - columns.start
            return every if shared else columns
        if name.startswith("W_"):
            return every, columns
        return columns if name.startswith("b_") else every
