"""The attention of a layer, as what is exported and drawn."""

from attnviewer.document import Labels
from attnviewer.document.checkpoint_location import location_name
from attnviewer.io.export import Computation
from attnviewer.models.locating import part_prefix
from attnviewer.models.patch_grid import token_grid
from attnviewer.models.trace import ModelTrace


def layer_computation(run: ModelTrace, layer: int) -> Computation:
    """Return the attention of a layer with its title and the names of its tokens.

    Parameters
    ----------
    run : ModelTrace
        The run; of cross-attention, the keys are tokens of the encoder.
    layer : int
        The layer, counted from zero.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If one of its numbers is not finite.
    """
    model, trace = run.model, run.attention(layer)
    tokens = model.readable(run.tokens)
    keys = model.readable(run.key_tokens) if trace.spec.context else tokens
    title = f"{model.name} · {part_prefix(run)}{location_name(layer)}"
    return Computation(title, Labels(tokens, keys, token_grid(run)), trace)
