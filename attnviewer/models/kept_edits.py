"""Whether the edits of a document go back into its model, or change its scores."""

from dataclasses import replace

import numpy as np

from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document import Document
from attnviewer.models.blocks import ATTENTION_PARTS
from attnviewer.models.head_pins import pins_of_head
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.layer_documents import link_of, weight_of


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
