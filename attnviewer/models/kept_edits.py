"""Comparison of a document with the model that it comes from."""

from dataclasses import replace

import numpy as np

from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document import Document
from attnviewer.models.blocks import ATTENTION_PARTS
from attnviewer.models.head_pins import pins_of_head
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.layer_documents import (
    differing_weights,
    link_of,
    patch_of,
    weight_of,
)
from attnviewer.models.trace import ModelTrace


def keeps_other_edits(document: Document) -> bool:
    """Return whether a document has edits that `patch_of` leaves out."""
    link = link_of(document)
    assert link is not None
    # Biases are added and removed with their weights.
    present, before = (
        replace(spec, biases=(), pins=()) for spec in (document.spec, link.spec)
    )
    if present != before:
        return True
    given = {"X": link.x}
    if present.context:
        given["context"] = link.run.context
    return any(
        not np.array_equal(document.matrix(name), array)
        for name, array in given.items()
    )


def differs_from(document: Document, run: ModelTrace) -> bool:
    """Return whether a document computes other numbers than its part of a model does.

    Title, notes, names and groups of tokens, and pins that are off, compute nothing.

    Parameters
    ----------
    document : Document
        A document that comes from a model.
    run : ModelTrace
        A run of this model, with the weights and pins that it computes with now.
    """
    if keeps_other_edits(document):
        return True
    patch = patch_of(document)
    pins = tuple(run.pins.get(patch.layer, ()))
    if patch.head is not None:
        pins = pins_of_head(run, patch.layer, patch.head)
    own, present = ([p for p in some if p.enabled] for some in (pins, patch.pins))
    if own != present:
        return True
    try:
        return bool(differing_weights(run, patch))
    except ValueError:  # as those that do not fit the model
        return True


def keeps_scores(document: Document, head: int) -> bool:
    """Return whether a head's scores in a document are still those of its run.

    Parameters
    ----------
    document : Document
        A document that comes from a model.
    head : int
        The head, counted in the model.
    """
    link = link_of(document)
    assert link is not None
    run, layer = link.run, link.layer
    pins = run.pins.get(layer, ())
    if link.head is not None:
        pins = tuple(pins_of_head(run, layer, link.head))
    if keeps_other_edits(document) or document.pins != pins:
        return False
    names = [n for n in ATTENTION_PARTS if n[2:] in ("Q", "K", "QR", "KR")]
    names += [*QK_NORM_INPUTS, "relative_bias", "R"]
    part, weights = HeadSlice.of(run, head), run.weights(layer)
    inputs = document.spec.input_names
    present = {n: weight_of(n, document.matrix(n)) for n in names if n in inputs}
    if link.head is None:
        present = part.select(present)
    before = part.select({n: weights[n] for n in names if n in weights})
    return present.keys() == before.keys() and all(
        np.array_equal(array, before[name]) for name, array in present.items()
    )
