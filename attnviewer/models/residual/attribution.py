"""Attribution of a logit to components."""

import numpy as np

from attnviewer.models.outputs import Outputs
from attnviewer.models.residual.contributions import Contributions
from attnviewer.models.residual.decomposition import output_components
from attnviewer.models.residual.writes import writes_below
from attnviewer.models.token_positions import token_position


def attribution(
    run: Outputs,
    token: str | int,
    against: str | int | None = None,
    position: int = -1,
) -> Contributions:
    """Split a logit, or the difference of two, over embeddings, heads, MLPs and biases.

    Component x_a of the last stream contributes (x_a ⊙ w / σ) · (u_t − u_t'), with the
    weight w and the scale σ of the final norm as they are in this run, and the columns
    u of the unembedding; of x_a, a layer norm subtracts the mean, and its bias is a
    component of its own. Their sum is the logit before a cap (Gemma 2), also called
    direct logit attribution: what a component adds by way of later layers counts for
    those.

    Parameters
    ----------
    run : ModelTrace
        The run of a decoder.
    token : str or int
        The token t as the vocabulary spells it, a text that is one token, or its id.
    against : str or int, optional
        The token t' whose logit is subtracted.
    position : int
        The token after which t would come; by default the last one.

    Returns
    -------
    Contributions
        With ``embedding``, ``heads`` (n_layers, n_heads), ``mlps`` (n_layers,) and
        ``biases``.

    Raises
    ------
    IndexError
        If there is no such position.
    ValueError
        If the model predicts no tokens, or something is no single token.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"; Wang et al.
    2023, "Interpretability in the Wild", arXiv:2211.00593, for differences of logits.

    Examples
    --------
    >>> run.attribution("Ġwind", against="Ġmilk").sorted(5)  # doctest: +SKIP
    """
    model = run.model
    ids = [model.id_of(t) for t in (token, against) if t is not None]
    own, *others = model.weights.unembedding(ids).astype(np.float64)
    direction = own - others[0] if others else own  # (d_model,)
    place = token_position(position, len(run.ids))
    tokens = np.array([place])  # (1,)
    parts = output_components(run, tokens, writes_below(run, model.n_layers, tokens))
    values = parts.values[:, 0] @ direction  # (c,)
    named = " − ".join(f"'{name}'" for name in model.readable(model.names(ids)))
    capped = " before the cap" if model.architecture.logit_cap is not None else ""
    what = f"logit of {named} after token {place}{capped}"
    return Contributions(what, parts.components, values)
