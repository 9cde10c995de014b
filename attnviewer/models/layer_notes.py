"""What the document of a layer, or of a head, says of itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import Link


def notes_of(link: "Link") -> str:
    """Return the notes of a document that comes from a model."""
    model, layer = link.run.model, link.layer
    what = (
        f"The attention of layer {layer}"
        if link.head is None
        else f"Head {link.head} of layer {layer}"
    )
    return (
        f"{what} of {model.name} ({model.architecture.family}). X is what the layers "
        "before it make of the sentence, after the norm; the weights are the model's. "
        f"Edited weights can be put back into the model.{_shared(link)}"
    )


def _shared(link: "Link") -> str:
    """Return which other heads have the weights that a head puts back."""
    *before, last = [f"H{head}" for head in link.sharing] or [""]
    heads = f"{', '.join(before)} and {last}" if before else last
    told = ""
    if heads:
        told += (
            f" {heads} {'use' if link.sharing[1:] else 'uses'} the same keys and "
            "values, and what is put back of W_K and W_V is theirs as well."
        )
    if link.head is not None and link.shares_gains:
        told += (
            " All heads of the layer have the same gains of the norm of queries and "
            "keys: those that are put back are theirs as well."
        )
    return told
