"""Runs of a model side by side: as is, with other weights, over another sentence."""

from dataclasses import dataclass, replace

from attnviewer.compute import Array
from attnviewer.models.layer_documents import Put, with_puts
from attnviewer.models.trace import ModelTrace


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """A run of a model, and the run that it is compared with.

    Parameters
    ----------
    own : ModelTrace
        The run with the model's own weights.
    run : ModelTrace
        The run with the puts applied; `own` if there are none.
    puts : tuple of Put
        The replaced weights; later ones take precedence.
    other : ModelTrace or None
        The run over another sentence, with the same weights as `run`.
    """

    own: ModelTrace
    run: ModelTrace
    puts: tuple[Put, ...] = ()
    other: ModelTrace | None = None

    @classmethod
    def over(cls, run: ModelTrace) -> "Experiment":
        """Return an experiment without changes."""
        return cls(run, run)

    @classmethod
    def of(cls, run: ModelTrace) -> "Experiment":
        """Return the experiment with the changes of a run."""
        puts = [
            Put(layer, None, {**run.unchanged().weights(layer), **weights})
            for layer, weights in run.changes.items()
        ]
        return cls.over(run.unchanged()).with_puts(tuple(puts))

    @property
    def compared(self) -> ModelTrace | None:
        """The run to compare with: another sentence, or the model's own weights."""
        if self.other is not None:
            return self.other
        return self.own if self.puts else None

    def constant(self, layer: int, head: int | None) -> Array | None:
        """Return the b_O that a head was put back with, (d_model,).

        None for a head without one, and for a whole layer.
        """
        constant = None
        for put in self.puts:
            if put.layer == layer and put.head in (None, head):
                constant = None if put.head is None else put.weights.get("b_O")
        return constant

    def with_run(self, run: ModelTrace) -> "Experiment":
        """Return the experiment over another sentence."""
        return replace(self, own=run, run=with_puts(run, self.puts))

    def with_puts(self, puts: tuple[Put, ...]) -> "Experiment":
        """Return the experiment with other puts.

        Raises
        ------
        ValueError
            If they do not fit the model.
        """
        other = None if self.other is None else with_puts(self.other, puts)
        return replace(self, run=with_puts(self.own, puts), puts=puts, other=other)

    def beside(self, run: ModelTrace | None) -> "Experiment":
        """Return the experiment compared with another sentence, or with none."""
        other = None if run is None else with_puts(run, self.puts)
        return replace(self, other=other)
