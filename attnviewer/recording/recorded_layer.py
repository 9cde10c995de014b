"""One recorded call of attention, as an attention variant."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attnviewer.compute import Array, Spec, Trace
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.run import run
from attnviewer.compute.stages.project import join_heads
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.from_arrays import diagnose
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.recording.call import Call
from attnviewer.recording.comparing import diagnosis_of


@dataclass(frozen=True, eq=False, repr=False)
class RecordedLayer:
    """The attention of one layer in a call of a module.

    Parameters
    ----------
    name : str
        The layer's name in the module; ``""`` for the module itself.
    spec : Spec
        The variant: given queries, keys and values, or given scores and values, which
        a computation has with their heads side by side.
    inputs : mapping of str to ndarray
        The arrays that the spec names: ``Q`` (batch, h, n_q, d_k), ``K`` (batch, h_kv,
        n_k, d_k) and ``V`` (batch, h_kv, n_k, d_v), after norms and rotation; ``mask``
        and ``bias`` broadcast to (batch, h, n_q, n_k).
    output : ndarray or None, shape (batch, h, n_q, d_v)
        The heads as the layer computed them, before they are joined.
    call : Call or None
        What was recorded of an nn.MultiheadAttention, projections and all.
    """

    name: str
    spec: Spec
    inputs: Mapping[str, Array]
    output: Array | None = None
    call: Call | None = None

    def __repr__(self) -> str:
        n_q, n_k = self.n_tokens
        return (
            f"<RecordedLayer {self.called}: batch {self.n_items}, "
            f"{self.spec.n_heads} heads, {n_q} queries, {n_k} keys>"
        )

    @property
    def called(self) -> str:
        """The name in quotes, or words for that of the module itself."""
        return f"'{self.name}'" if self.name else "the module"

    @property
    def n_items(self) -> int:
        """The number of batch items."""
        return len(self.inputs["V"])

    @property
    def n_tokens(self) -> tuple[int, int]:
        """The numbers of queries and of keys."""
        return (
            self.inputs[self.spec.sources[0]].shape[-2],
            self.inputs["V"].shape[-2],
        )

    @cached_property
    def differs_by_head(self) -> bool:
        """Whether its mask or bias differs between heads.

        A document then holds one head only.
        """
        given = (self.inputs[name] for name in (MASK, BIAS) if name in self.inputs)
        by_head = (array for array in given if array.ndim > 2 and array.shape[-3] > 1)
        return any((array != array[..., :1, :, :]).any() for array in by_head)

    @property
    def meant(self) -> dict[str, Any]:
        """The layer's intended computation, as options of `attnviewer.diagnose`."""
        spec = self.spec
        return {
            "n_heads": spec.n_heads,
            "scale": spec.scale,
            "softcap": spec.softcap,
            "causal": spec.causal,
        }

    def trace(self, batch: int = 0) -> Trace:
        """Compute every step of a batch item.

        Parameters
        ----------
        batch : int
            The batch item.

        Raises
        ------
        IndexError
            If there is no such item.
        ValueError
            If a number is not finite.
        """
        return run(self.spec, self.inputs_of(batch))

    def inputs_of(self, batch: int = 0) -> dict[str, Array]:
        """Return the inputs of a batch item, without its axis.

        Parameters
        ----------
        batch : int
            The batch item.

        Raises
        ------
        IndexError
            If there is no such item.
        """
        item = whole_number("batch", batch)
        if not 0 <= item < self.n_items:
            raise IndexError(
                f"The 'batch' must be from 0 to {self.n_items - 1}. Got {item} instead."
            )
        return {n: self._of_item(n, a, item) for n, a in self.inputs.items()}

    def diagnose(self, **options: Any) -> Diagnosis:
        """Compare what the layer computed with the attention of the same inputs.

        An nn.MultiheadAttention is compared from its input to its output.

        Parameters
        ----------
        **options
            What is meant, as for `attnviewer.diagnose`, in place of what was read.

        Raises
        ------
        ValueError
            If its output was not seen, or something does not fit.
        """
        if self.call is not None:
            return diagnosis_of(self.call, options)
        if self.output is None:
            raise ValueError(
                f"The output of {self.called} must be recorded to be compared. Got "
                "none instead; a recording of this layer alone, before it is saved, "
                "compares its projections."
            )
        return diagnose(self.inputs, {"heads": self.output}, **self.meant | options)

    def _of_item(self, name: str, array: Array, item: int) -> Array:
        if array.ndim < 4:  # the same for all items
            return array
        own: Array = array[item if len(array) > 1 else 0]  # (h, …, …)
        joined = self.spec.heads_joined and name in self.spec.sources
        return join_heads(own) if joined else own
