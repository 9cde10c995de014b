"""Runs side by side: a model as is, with other weights, over another sentence."""

from dataclasses import dataclass, replace

from attnviewer.compute import Array
from attnviewer.models.generation.continued_pins import pins_over
from attnviewer.models.layer_documents import (
    WeightPatch,
    applied,
    replaced_in,
    with_patches,
)
from attnviewer.models.model import Model
from attnviewer.models.parts import own_part
from attnviewer.models.trace import ModelTrace


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """A run of a model, and the run that it is compared with.

    Parameters
    ----------
    original : ModelTrace
        The run with the model's own weights.
    run : ModelTrace
        The run with the patches applied; `original` if there are none.
    patches : tuple of WeightPatch
        The replaced weights; later ones take precedence.
    other : ModelTrace or None
        The run over another sentence, with the same weights as `run`.
    reference : ModelTrace or None
        The run of another checkpoint over the same sentence.
    """

    original: ModelTrace
    run: ModelTrace
    patches: tuple[WeightPatch, ...] = ()
    other: ModelTrace | None = None
    reference: ModelTrace | None = None

    @classmethod
    def over(cls, run: ModelTrace) -> "Experiment":
        """Return an experiment without changes."""
        return cls(run, run)

    @classmethod
    def of(cls, run: ModelTrace) -> "Experiment":
        """Return the experiment with the changes of a run."""
        patches = [
            WeightPatch(
                layer,
                None,
                run.weights(layer),
                run.pins.get(layer, ()),
                replaced_in(run, layer),
            )
            for layer in sorted(run.changed_layers)
        ]
        return cls.over(run.unchanged()).with_patches(tuple(patches))

    @property
    def compared(self) -> ModelTrace | None:
        """The run to compare with.

        Over another sentence, of another checkpoint, or with the model's own weights.
        """
        if self.other is not None:
            return self.other
        if self.reference is not None:
            return self.reference
        return self.original if self.patches else None

    def constant(self, layer: int, head: int | None) -> Array | None:
        """Return the b_O that a head was put back with, (d_model,).

        None for a head without one, and for a whole layer.
        """
        constant = None
        for patch in self.patches:
            if patch.layer == layer and patch.head in (None, head):
                constant = None if patch.head is None else patch.weights.get("b_O")
        return constant

    def with_run(self, run: ModelTrace) -> "Experiment":
        """Return the experiment over another sentence.

        Raises
        ------
        ValueError
            If the other checkpoint cannot run over it.
        """
        moved = replace(self, original=run, run=with_patches(run, self.patches))
        return moved.against(None if self.reference is None else self.reference.model)

    def against(self, model: Model | None) -> "Experiment":
        """Return the experiment compared with another checkpoint, or with none.

        Parameters
        ----------
        model : Model or None
            The other checkpoint, which `check_comparable` allows; of an
            encoder–decoder any of its parts.

        Raises
        ------
        ValueError
            If it cannot run over the sentence.
        """
        if model is None:
            return replace(self, reference=None)
        own = self.run
        if len(model.parts) > 1:
            model = model.part(own_part(own.model.architecture))
        if model.reads_pictures:  # prepared as for the open model
            return replace(self, reference=ModelTrace(model, own.encoded))
        read = (own.ids,) if own.beside is None else (own.beside.encoder.ids, own.ids)
        return replace(self, reference=model.run(*read))

    def continued(self, run: ModelTrace) -> "Experiment":
        """Return the experiment with its run continued, by its changes as they are."""
        count = len(run.ids)
        patches = tuple(
            replace(
                patch,
                pins=pins_over(self.run, patch.layer, patch.pins, count),
                replaced={s: rows.resized(count) for s, rows in patch.replaced.items()},
            )
            for patch in self.patches
        )
        return replace(self, original=run.unchanged(), run=run, patches=patches)

    def with_patches(self, patches: tuple[WeightPatch, ...]) -> "Experiment":
        """Return the experiment with other patches, as far as they change the run.

        Raises
        ------
        ValueError
            If they do not fit the model.
        """
        run, patches = applied(self.original, patches)
        other = None if self.other is None else with_patches(self.other, patches)
        return replace(self, run=run, patches=patches, other=other)

    def compared_with(self, run: ModelTrace | None) -> "Experiment":
        """Return the experiment compared with another sentence, or with none.

        Raises
        ------
        ValueError
            If the other tower of CLIP reads it.
        """
        own = self.run.model
        if run is not None and run.model is not own:
            raise ValueError(
                f"What is compared must be read by the same part, {own.name}. "
                f"Got an input of {run.model.name} instead."
            )
        other = None if run is None else with_patches(run, self.patches)
        return replace(self, other=other)
