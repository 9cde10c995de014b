"""The notes of a document that comes from a model."""

from collections.abc import Sequence

from attnviewer.compute import Disentangled, RelativeBias
from attnviewer.models.outputs import Outputs


def head_notes(
    run: Outputs,
    layer: int,
    head: int | None,
    sharing: Sequence[int],
    *,
    shares_gains: bool = False,
) -> str:
    """Return the notes of the document of a layer's attention.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    head : int or None
        The head; None for the whole layer.
    sharing : sequence of int
        The other heads with the same keys and values.
    shares_gains : bool
        Whether all heads have the same gains of the norm of queries and keys.
    """
    model = run.model
    crosses = run.spec(layer).context
    of_layer = f"{'cross-attention' if crosses else 'attention'} of layer {layer}"
    what = (
        f"The {of_layer}"
        if head is None
        else f"Head {head} of {f'the {of_layer}' if crosses else f'layer {layer}'}"
    )
    return (
        f"{what} of {model.name} ({model.architecture.family}). X is what the layers "
        "before it make of the sentence, after the norm; the weights are the model's. "
        "Edited weights can be applied to the model."
        f"{_of_heads(sharing)}{_of_gains(head, shares_gains)}"
        f"{_of_layers(run, layer)}{_of_relative(run, layer)}{_of_context(run, layer)}"
    )


def _of_heads(sharing: Sequence[int]) -> str:
    """Say which heads share keys and values."""
    if not sharing:
        return ""
    several = len(sharing) > 1
    return (
        f" {_listed([f'H{head}' for head in sharing])} {'use' if several else 'uses'} "
        "the same keys and values: changes of W_K and W_V that you apply affect "
        f"{'them' if several else 'it'} as well."
    )


def _of_gains(head: int | None, shared: bool) -> str:
    """Say that all heads have the same gains."""
    if head is None or not shared:
        return ""
    return (
        " All heads of the layer share the gains of the QK norm: changes that you "
        "apply to them affect all heads."
    )


def _of_layers(run: Outputs, layer: int) -> str:
    """Say which layers have the same weights."""
    others = run.model.architecture.layers_sharing(layer)
    if not others:
        return ""
    return (
        f" {_listed([f'L{other}' for other in others])} "
        f"{'have' if others[1:] else 'has'} the same weights in the checkpoint; "
        f"changes that you apply affect L{layer} alone."
    )


def _of_relative(run: Outputs, layer: int) -> str:
    """Say where an edit counts that is applied to a table shared by layers."""
    positions = run.spec(layer).positions
    if isinstance(positions, Disentangled):
        return (
            " R is one table for all heads and layers; changes that you apply to it "
            "affect all heads of this layer."
        )
    if isinstance(positions, RelativeBias):
        return (
            " The relative bias is one table for all layers; changes that you apply to "
            "it affect this layer."
        )
    return ""


def _of_context(run: Outputs, layer: int) -> str:
    """Say what the keys and values of cross-attention are computed from."""
    if not run.spec(layer).context:
        return ""
    return " The second sequence is the encoder's output."


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
