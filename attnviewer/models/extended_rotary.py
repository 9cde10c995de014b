"""Rotary positions of sentences that are longer than those of the training."""

from dataclasses import dataclass, replace

from attnviewer.compute import Rotary, Spec
from attnviewer.compute.positions.stretching import dynamic_base


@dataclass(frozen=True, slots=True)
class ExtendedRotary:
    """The rotation of queries and keys in sentences beyond a model's trained length.

    Parameters
    ----------
    trained_length : int
        Up to how many tokens nothing changes.
    rotary : Rotary
        The positions of longer sentences.
    factor : float or None
        How fast the base of `rotary` grows with the length, as `dynamic_base` takes
        it; None where all longer sentences have the same frequencies.
    n_columns : int
        How many columns of a head rotate, where the base grows.
    """

    trained_length: int
    rotary: Rotary
    factor: float | None = None
    n_columns: int = 0

    def changes_at(self, n_tokens: int) -> bool:
        """Return whether so many tokens have other angles than one fewer."""
        if self.factor is None:
            return n_tokens == self.trained_length + 1
        return n_tokens > self.trained_length

    def applied(self, spec: Spec, n_tokens: int) -> Spec:
        """Return the attention of a layer for a sentence of so many tokens.

        Parameters
        ----------
        spec : Spec
            That within the trained length; without rotary positions it stays.
        n_tokens : int
            The length of the sentence.
        """
        if n_tokens <= self.trained_length or not isinstance(spec.positions, Rotary):
            return spec
        rotary = self.rotary
        if self.factor is not None:
            base = dynamic_base(
                self.n_columns,
                rotary.base,
                factor=self.factor,
                length=n_tokens,
                trained_length=self.trained_length,
            )
            rotary = replace(rotary, base=base)
        return replace(spec, positions=rotary)
