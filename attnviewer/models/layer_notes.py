"""What the notes of a document say of the layer or head that it is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import Link


def notes_on(link: "Link") -> str:
    """Return what the document of a link shows, in a few sentences."""
    model, layer = link.run.model, link.layer
    kind = "cross-attention" if link.spec.context else "attention"
    what = (
        f"The {kind} of layer {layer}"
        if link.head is None
        else f"Head {link.head} of the {kind} of layer {layer}"
        if link.spec.context
        else f"Head {link.head} of layer {layer}"
    )
    *before, last = [f"H{head}" for head in link.sharing] or [""]
    shared = f"{', '.join(before)} and {last}" if before else last
    follow = (
        f" {shared} {'use' if link.sharing[1:] else 'uses'} the same keys and values, "
        "and what is put back of W_K and W_V is theirs as well."
        if shared
        else ""
    )
    return (
        f"{what} of {model.name} ({model.architecture.family}). X is what the layers "
        "before it make of the sentence, after the norm; the weights are the model's. "
        f"Edited weights can be put back into the model.{follow}{_more(link)}"
    )


def _more(link: "Link") -> str:
    """Return what is particular about the second sequence, and about shared tables."""
    text = ""
    if link.spec.context:
        text += " The second sequence is the encoder's output."
    if "relative_bias" in link.spec.input_names:
        text += (
            " The relative bias is one table for all layers; what is put back of it "
            "counts in this layer."
        )
    return text
