"""A run of a model over a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from attnviewer.compute import Array, Pin, check_pins
from attnviewer.models.activations.reading import activation, activations, is_step
from attnviewer.models.activations.replacement import Replaced, Replacement
from attnviewer.models.activations.replacing import (
    NewValues,
    check_aligned,
    in_order,
    new_values,
    pins_at,
)
from attnviewer.models.activations.site import Site
from attnviewer.models.beside import Beside
from attnviewer.models.blocks import ATTENTION_INPUTS
from attnviewer.models.changes import (
    Changes,
    copied,
    differing_from,
    locked,
    replacements,
)
from attnviewer.models.run_html import run_html, run_text
from attnviewer.models.run_parts import RunParts
from attnviewer.models.token_positions import token_positions
from attnviewer.models.tokenizing import Encoded

if TYPE_CHECKING:
    from attnviewer.models.model import Model


class ModelTrace(RunParts):
    """The computation of a model over one sentence, layer by layer, in float32.

    Made by `Model.run`. Everything is computed on first access, and no further than
    needed; hidden states are kept.

    Parameters
    ----------
    model : Model
        The model.
    encoded : Encoded
        The sentence.
    changes : mapping of int to mapping of str to ndarray
        Attention weights that replace the model's, by layer and name.
    streams : iterable of ndarray
        Results of `stream` that are known already, from the embeddings on.
    pins : mapping of int to tuple of Pin
        Pins of the attention, by layer.
    replaced : mapping of Site to Replacement
        What replaces activations outside of the attention.
    beside : Beside or None
        Of the decoder of an encoder–decoder, its encoder and the other attention.

    Attributes
    ----------
    ids : tuple of int
        The tokens' ids.
    tokens : tuple of str
        The tokens as the tokenizer spells them, special ones included.
    model, encoded, changes, pins, replaced, beside
        The parameters.
    """

    def __reduce__(self) -> tuple[object, ...]:
        parts = self.model, self.encoded, copied(self.changes)
        changed = dict(self.pins), dict(self.replaced), self.beside
        return _run_again, (*parts, tuple(self._streams), *changed)

    def _repr_html_(self) -> str:
        return run_html(self)

    def __repr__(self) -> str:
        return run_text(self)

    def with_weights(self, layer: int, weights: Mapping[str, Array]) -> "ModelTrace":
        """Return the run over the same sentence with other weights in a layer.

        Nothing is computed yet; known results of earlier layers are shared. Layers that
        have their weights in common (ALBERT) are replaced one by one.

        Parameters
        ----------
        layer : int
            The layer.
        weights : mapping of str to ndarray
            Those of ``W_Q``, ``W_K``, ``W_V``, ``W_O``, ``b_Q``, ``b_K``, ``b_V``,
            ``b_O``, ``gain_Q``, ``gain_K``, ``sinks``, ``relative_bias`` and ``R`` that
            differ, with their shapes in `weights`; b_O may be given even if the model
            has none. They replace those of earlier changes.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a name is unknown, or a shape or a number does not fit.
        """
        layer = self._layer(layer)
        shapes = {name: array.shape for name, array in self.weights(layer).items()}
        shapes.setdefault("b_O", (self.model.architecture.d_model,))
        changed = replacements(layer, weights, shapes)
        own = self.model.weights.layer(layer, ATTENTION_INPUTS)
        every = {**self.changes.get(layer, {}), **changed}
        differing = differing_from(own, every)
        others = {k: kept for k, kept in self.changes.items() if k != layer}
        changes = {**others, layer: differing} if differing else others
        return self._changed(layer + 1, changes=changes)

    def with_pins(self, layer: int, pins: Sequence[Pin]) -> "ModelTrace":
        """Return the run over the same sentence with other pins in a layer.

        Nothing is computed yet; known results of earlier layers are shared.

        Parameters
        ----------
        layer : int
            The layer.
        pins : sequence of Pin
            All pins of its attention, whose steps are those of `attention`.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If a pin does not fit its step.
        """
        layer = self._layer(layer)
        others = {k: kept for k, kept in self.pins.items() if k != layer}
        every = {**others, layer: tuple(pins)} if pins else others
        run = self._changed(layer + 1, pins=every)
        check_pins(run.spec(layer), run.attention_shapes(layer))
        return run

    def activation(self, site: Site) -> Array:
        """Return the activation at a site, in float32 and read-only.

        Parameters
        ----------
        site : Site
            The activation; its shape stands there.

        Raises
        ------
        IndexError
            If there is no such layer or head.
        ValueError
            If a number up to there is not finite.
        """
        return activation(self, site)

    def with_activations(
        self,
        activations: Mapping[Site, NewValues],
        positions: int | Sequence[int] | None = None,
    ) -> "ModelTrace":
        """Return the run over the same sentence with activations replaced.

        What follows an activation is computed from the replaced one: with f the model
        after a site, f(a) becomes f(a′). Known results of earlier layers are shared.
        Steps of the attention are replaced by pins.

        Parameters
        ----------
        activations : mapping of Site to array_like or callable
            What each activation becomes: an array of its shape (see `Site`), or a
            function that returns one, given a copy of the activation. Functions are
            called at once, in the order of the computation: each is given what those
            before it lead to.
        positions : int or sequence of int, optional
            The tokens whose rows are replaced, negative ones counted from the last; by
            default all. Rows of scores and weights are those of the queries.

        Raises
        ------
        IndexError
            If there is no such layer, head or token.
        ValueError
            If a shape or a number does not fit, or a function raises an error.
        TypeError
            If a key is no site, or an array does not hold real numbers.

        References
        ----------
        Heimersheim and Nanda, "How to use and interpret activation patching", 2024,
        arXiv:2404.15255.

        Examples
        --------
        >>> from attnviewer.models import Site, load
        >>> run = load("gpt2").run("A cat")  # doctest: +SKIP
        >>> site = Site("heads", layer=1, head=2)
        >>> run.with_activations({site: lambda z: 2 * z})  # doctest: +SKIP
        """
        rows = token_positions(positions, len(self.ids))
        run = self
        for site in in_order(activations):
            values = new_values(run, site, activations[site])
            if rows:
                run = run._with_activation(site, values, rows)
        return run

    def patched(
        self,
        other: "ModelTrace",
        sites: Site | Iterable[Site],
        positions: int | Sequence[int] | None = None,
    ) -> "ModelTrace":
        """Return the run with activations of another run: activation patching.

        Parameters
        ----------
        other : ModelTrace
            The run that the activations are taken from, over as many tokens: token i
            of one stands for token i of the other.
        sites : Site or iterable of Site
            The activations.
        positions : int or sequence of int, optional
            The tokens whose rows are replaced; by default all.

        Raises
        ------
        IndexError
            If there is no such layer, head or token.
        ValueError
            If the runs have different numbers of tokens, or models of other shapes.

        References
        ----------
        Wang et al., "Interpretability in the Wild", 2023, arXiv:2211.00593;
        Zhang and Nanda, "Towards Best Practices of Activation Patching", 2024,
        arXiv:2309.16042.
        """
        check_aligned(self, other)
        chosen = in_order([sites] if isinstance(sites, Site) else sites)
        return self.with_activations(dict(activations(other, chosen)), positions)

    @property
    def changed_layers(self) -> frozenset[int]:
        """The layers with replaced weights, pins or replaced activations.

        The output of the last layer counts as part of that layer.
        """
        last = self.model.n_layers - 1
        outside = (min(site.layer, last) for site in self.replaced)
        return frozenset((*self.changes, *self.pins, *outside))

    def unchanged(self) -> "ModelTrace":
        """Return the run over the same sentence with the model's own numbers.

        Changes of the other parts of an encoder–decoder stay.
        """
        if not self.changed_layers:
            return self
        inside = (layer + 1 for layer in (*self.changes, *self.pins))
        known = min((*inside, *map(_streams_before, self.replaced)))
        return self._changed(known, changes={}, pins={}, replaced={})

    def _with_activation(
        self, site: Site, values: Array, positions: tuple[int, ...]
    ) -> "ModelTrace":
        """Return the run with rows of an activation replaced, which fit."""
        if is_step(site.kind):
            pins = pins_at(self, site, values, positions)
            return self.with_pins(site.layer, (*self.pins.get(site.layer, ()), *pins))
        new = Replacement(values, positions)
        every = {**self.replaced, site: new.over(self.replaced.get(site))}
        run = self._changed(_streams_before(site), replaced=every)
        if site.kind == "stream" and len(self._streams) > site.layer:
            run._streams.append(new.apply(self._streams[site.layer]))
        return run

    def _changed(
        self,
        known: int,
        changes: Changes | None = None,
        pins: Mapping[int, tuple[Pin, ...]] | None = None,
        replaced: Replaced | None = None,
    ) -> "ModelTrace":
        """Return the run with other changes, and the first `known` streams of its own.

        Changes that are not given stay.
        """
        return ModelTrace(
            self.model,
            self.encoded,
            self.changes if changes is None else changes,
            tuple(self._streams[:known]),
            self.pins if pins is None else pins,
            self.replaced if replaced is None else replaced,
            self.beside,
        )


def _streams_before(site: Site) -> int:
    """Return how many of the streams do not depend on an activation."""
    return site.layer + (site.kind != "stream")


def _run_again(
    model: "Model",
    encoded: Encoded,
    changes: Changes,
    streams: tuple[Array, ...],
    pins: Mapping[int, tuple[Pin, ...]],
    replaced: Replaced = MappingProxyType({}),
    beside: Beside | None = None,
) -> ModelTrace:
    """Rebuild the run of a pickle."""
    for rows in streams:
        rows.flags.writeable = False
    return ModelTrace(model, encoded, locked(changes), streams, pins, replaced, beside)
