"""A layer's attention, or a head of it, as a document; its weights put back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from attnviewer.compute import Array, Pin, Spec, Trace
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document import Document
from attnviewer.document.checkpoint_location import location_name
from attnviewer.document.found_groups import words
from attnviewer.document.matrices import is_row
from attnviewer.models.activations import Replaced, Replacement, Site
from attnviewer.models.blocks import ATTENTION_INPUTS
from attnviewer.models.changes import differing_from
from attnviewer.models.head_notes import head_notes
from attnviewer.models.head_pins import pins_of_head, with_head_pins
from attnviewer.models.head_slice import TOGETHER, HeadSlice
from attnviewer.models.locating import located, part_prefix
from attnviewer.models.patch_grid import token_grid
from attnviewer.models.trace import ModelTrace

MOST_WEIGHTS = 2**25
"""Maximum number of weights of a layer that is opened as a whole; see `is_whole`."""


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """The place in a model that a document comes from.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    head : int or None
        The head, counted from zero; None for the whole layer.
    x : ndarray, shape (n, d_model)
        The layer's input, after its norm.
    spec : Spec
        The attention variant that the document had.
    """

    run: ModelTrace
    layer: int
    head: int | None
    x: Array
    spec: Spec

    @property
    def name(self) -> str:
        """The short name: ``L3``, or ``L3 H1``."""
        return part_prefix(self.run) + location_name(self.layer, self.head)

    @property
    def shares_gains(self) -> bool:
        """Whether all heads have the gains of the norm of queries and keys."""
        own = self.run.weights(self.layer)
        width = self.run.model.architecture.d_head
        return any(own[name].size == width for name in QK_NORM_INPUTS if name in own)

    @property
    def sharing(self) -> tuple[int, ...]:
        """The other heads with the same keys and values; none for a whole layer."""
        if self.head is None:
            return ()
        group = self.run.spec(self.layer).sharing_with(self.head)
        return tuple(head for head in group if head != self.head)


def link_of(document: Document) -> Link | None:
    """Return where in a model a document comes from; None if it does not."""
    link = document.link
    return link if isinstance(link, Link) else None


def is_whole(run: ModelTrace) -> bool:
    """Return whether a layer of a run's model can be opened with all its heads."""
    shapes = run.model.architecture.shapes()
    names = ("W_QKV", "W_Q", "W_K", "W_V", "W_O")
    return sum(prod(shapes[n]) for n in names if n in shapes) <= MOST_WEIGHTS


def attention_document(
    run: ModelTrace,
    layer: int,
    head: int | None = None,
    title: str | None = None,
    constant: Array | None = None,
) -> Document:
    """Return the attention of a layer as a document linked to its run.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer, counted from zero.
    head : int, optional
        One head of it alone: its columns of W_Q, W_K and W_V and its rows of W_O, so
        that the output is its contribution to the hidden states. All heads by default.
    title : str, optional
        The document's title; by default from the model, layer and head.
    constant : ndarray, shape (d_model,), optional
        The constant contribution of a head that was put back: a b_O of its own.

    Returns
    -------
    Document
        X is the layer's input, after its norm; its groups are the words of the
        sub-tokens. See `link_of` for its origin.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If one of its numbers is not finite.
    """
    trace = run.attention(layer)
    inputs = {name: trace[name] for name in trace.spec.input_names}
    link = _link(run, layer, head, trace)
    spec, model = link.spec, run.model
    if head is not None:
        inputs = HeadSlice.of(run, head).select(inputs)
        spec = replace(spec, pins=pins_of_head(run, layer, head))
        if constant is not None:
            inputs["b_O"] = constant
            spec = replace(spec, biases=(*spec.biases, "b_O"))
    tokens = model.readable(run.tokens)
    keys = model.readable(run.key_tokens) if spec.context else ()
    document = Document(
        title or f"{model.name} · {link.name}",
        tokens,
        {name: np.atleast_2d(array) for name, array in inputs.items()},
        spec,
        notes=head_notes(
            run, layer, head, link.sharing, shares_gains=link.shares_gains
        ),
        context_tokens=keys,
        checkpoint=located(run, layer, head),
        grid=token_grid(run),
        groups=words(tokens),
        context_groups=words(keys),
    )
    document.link = link
    return document


def link_to(run: ModelTrace, layer: int, head: int | None = None) -> Link:
    """Return the `link` of a document that was saved.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If one of its numbers is not finite.
    """
    return _link(run, layer, head, run.attention(layer))


def _link(run: ModelTrace, layer: int, head: int | None, trace: Trace) -> Link:
    # Documents have an axis of heads only if there are several.
    spec = replace(trace.spec, head_axis=False)
    if head is not None:
        part = HeadSlice.of(run, head)
        if part.together and not is_whole(run):
            raise ValueError(f"{TOGETHER} The whole layer is too large to be opened.")
        spec = part.spec(spec)
    return Link(run, layer, head, trace["X"], spec)


@dataclass(frozen=True, slots=True, eq=False)
class WeightPatch:
    """Weights and pins of a document, to replace a model's.

    Parameters
    ----------
    layer : int
        The layer.
    head : int or None
        The head; None for the whole layer.
    weights : mapping of str to ndarray
        W_Q, W_K, W_V, W_O and the biases as the document has them, in float32.
    pins : tuple of Pin
        The pins of the document.
    replaced : mapping of Site to Replacement
        Of a whole layer, what replaces its activations outside of the attention.
    """

    layer: int
    head: int | None
    weights: Mapping[str, Array]
    pins: tuple[Pin, ...] = ()
    replaced: Replaced = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The short name of its target: ``L3``, or ``L3 H1``."""
        return location_name(self.layer, self.head)


def patch_of(document: Document) -> WeightPatch:
    """Return the present weights and pins of a document that comes from a model.

    X, which comes from the layers before, is not included, nor are other choices such
    as mask or normaliser. Tables of relative positions, which layers share in the
    checkpoint, are those of this layer alone.

    Raises
    ------
    ValueError
        If the document does not come from a model.
    """
    link = link_of(document)
    if link is None:
        raise ValueError(
            "The 'document' must be one of a model's heads. "
            f"Got '{document.title}' instead."
        )
    # A norm that the model does not have is another choice.
    others = set(QK_NORM_INPUTS) - set(link.spec.input_names)
    names = [
        name
        for name in document.spec.input_names
        if name in ATTENTION_INPUTS and name not in others
    ]
    weights = {name: weight_of(name, document.matrix(name)) for name in names}
    replaced = {} if link.head is not None else replaced_in(link.run, link.layer)
    return WeightPatch(link.layer, link.head, weights, document.pins, replaced)


def replaced_in(run: ModelTrace, layer: int) -> Replaced:
    """Return what replaces activations of a layer, as `changed_layers` counts them.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    """
    last = run.model.n_layers - 1
    return {
        site: rows
        for site, rows in run.replaced.items()
        if min(site.layer, last) == layer
    }


def with_patches(run: ModelTrace, patches: Iterable[WeightPatch]) -> ModelTrace:
    """Return a run over the same sentence with weights replaced and cells pinned.

    Parameters
    ----------
    run : ModelTrace
        The run; its own changes are dropped.
    patches : iterable of WeightPatch
        The weights, later ones over earlier ones.

    Returns
    -------
    ModelTrace
        The new run; `run.unchanged()` if no number differs from the model's.

    Raises
    ------
    ValueError
        If weights or pins do not fit the model, or are not the same ones.
    """
    return applied(run, patches)[0]


def applied(
    run: ModelTrace, patches: Iterable[WeightPatch]
) -> tuple[ModelTrace, tuple[WeightPatch, ...]]:
    """Return what `with_patches` does, and those of the patches that change the run.

    Others, such as the model's own weights, are not among them.
    """
    run = run.unchanged()
    patches = tuple(patches)
    effective: list[WeightPatch] = []
    for patch in sorted(_lasting(patches), key=lambda patch: patch.layer):
        changed = _with_patch(run, patch)
        if changed is not run:
            effective.append(patch)
        run = changed
    return run, tuple(patch for patch in patches if patch in effective)


def _with_patch(run: ModelTrace, patch: WeightPatch) -> ModelTrace:
    """Return a run with a patch beside its changes; the same one if nothing differs."""
    differing = differing_weights(run, patch)
    if differing:
        run = run.with_weights(patch.layer, differing)
    if any(pin.enabled for pin in patch.pins):
        run = with_head_pins(run, patch.layer, patch.head, patch.pins)
    for site, rows in patch.replaced.items():
        _check_tokens(run, site, rows)
        run = run.with_activations({site: rows.values}, rows.positions)
    return run


def differing_weights(run: ModelTrace, patch: WeightPatch) -> dict[str, Array]:
    """Return the weights of the whole layer that a patch makes differ from a run's.

    Raises
    ------
    ValueError
        If they do not fit the model.
    """
    present = {
        name: array
        for name, array in run.weights(patch.layer).items()
        if name in ATTENTION_INPUTS
    }
    part = None if patch.head is None else HeadSlice.of(run, patch.head)
    new = _complete(patch.weights, present if part is None else part.select(present))
    if part is not None:
        new = part.merge(new, present)
    return differing_from(present, new)


def _check_tokens(run: ModelTrace, site: Site, rows: Replacement) -> None:
    if len(rows.values) != len(run.ids):
        raise ValueError(
            f"The replaced {site.name} must have a row for each token, "
            f"{len(run.ids)} in all. Got {len(rows.values)} instead."
        )


def _complete(
    own: Mapping[str, Array], replaced: Mapping[str, Array]
) -> dict[str, Array]:
    """Return weights with zeros for biases that were removed.

    Raises
    ------
    ValueError
        If a weight is missing, or the model does not have such a bias.
    """
    complete: dict[str, Array] = {}
    for name, array in replaced.items():
        if name not in own and not name.startswith("b_"):
            raise ValueError(
                f"The 'document' must have {name} to be applied to the model. "
                "Got a variant without it instead."
            )
        complete[name] = own.get(name, np.zeros_like(array))
    for name in own.keys() - replaced.keys():
        if name == "b_O":
            complete[name] = own[name]
        elif own[name].any():
            raise ValueError(
                f"The '{name}' must be zero to be applied to the model, which has "
                "none. Got other numbers instead."
            )
    return complete


def weight_of(name: str, matrix: Array) -> Array:
    """Return a copy of a document's matrix in the form of the model's weight."""
    with np.errstate(over="ignore"):  # infinite numbers are refused later, by name
        return (matrix[0] if is_row(name) else matrix).astype(np.float32)


def _lasting(patches: Iterable[WeightPatch]) -> list[WeightPatch]:
    """Return the puts that no later one replaces, in order."""
    lasting: list[WeightPatch] = []
    for patch in patches:
        lasting = [before for before in lasting if not _replaces(patch, before)]
        lasting.append(patch)
    return lasting


def _replaces(patch: WeightPatch, before: WeightPatch) -> bool:
    return patch.layer == before.layer and patch.head in (None, before.head)
