"""Texts of the layers of a model as one map."""

from attnviewer.ui.state.layer_map import LayerMap, LayerWay
from attnviewer.ui.text.tokens import quoted_token
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Heads")


def way_titles() -> dict[LayerWay, str]:
    """Return what the ways to combine all layers are called in a list of choices."""
    return {
        "rollout": _tr("rollout"),
        "rollout_of_values": _tr("rollout of values"),
        "flow": _tr("flow"),
        "attention_gradient": _tr("attention × gradient"),
    }


def way_tips() -> dict[LayerWay, str]:
    """Return the formula of each way, and where it is from."""
    return {
        "rollout": _tr(
            "Attention rollout: Ã_l ⋯ Ã₁ Ã₀ with Ã = (A + I) / 2, A being the mean of "
            "the heads' weights in a layer.\nAbnar and Zuidema 2020, “Quantifying "
            "Attention Flow in Transformers”."
        ),
        "rollout_of_values": _tr(
            "Rollout whose A_ij is how much all heads of a layer together move from "
            "token j to token i, ‖Σ_h A_ij v_j W_O‖, as a share of its row.\nThe "
            "lengths: Kobayashi et al. 2020, “Attention is Not Only a Weight”."
        ),
        "flow": _tr(
            "Attention flow: the maximum flow from a token after the last layer to one "
            "of the sentence; the edges have the capacities (A + I) / 2.\nAbnar and "
            "Zuidema 2020, “Quantifying Attention Flow in Transformers”."
        ),
        "attention_gradient": _tr(
            "Σ A ⊙ ∂m/∂A over all heads of all layers. The metric m is the logit of "
            "the token that is most probable after the chosen one, or an encoder's "
            "cosine with the sentence that is compared.\nChefer, Gur and Wolf 2021, "
            "“Generic Attention-model Explainability”, who keep the positive part only."
        ),
    }


def map_title(found: LayerMap) -> str:
    """Return what a map of all layers is called."""
    way, end = found.choice.way, found.choice.end
    if way != "attention_gradient":
        pattern = _tr("{way} over all layers")
        if end is not None:
            pattern = _tr("{way} up to L{layer}")
        return pattern.format(way=way_titles()[way], layer=end)
    return _tr("attention × gradient of {metric}").format(metric=_metric(found))


def left_out(found: LayerMap) -> str:
    """Say in a sentence what a map leaves out."""
    return {
        "rollout": _tr(
            "Rollout leaves out the values, W_O, the MLPs, the norms and which head a "
            "weight is from; switch heads off in the Model panel to see what they "
            "change."
        ),
        "rollout_of_values": _tr(
            "Rollout of values leaves out the MLPs, the norms and which head moves "
            "what; switch heads off in the Model panel to see what they change."
        ),
        "flow": _tr(
            "Flow leaves out the values, W_O, the MLPs and the norms, and its rows do "
            "not add up to 1; switch heads off in the Model panel to see what they "
            "change."
        ),
        "attention_gradient": _tr(
            "The effect of small changes of single weights on {metric}, with the other "
            "weights of the row held fixed; switch heads off in the Model panel to see "
            "what they change."
        ).format(metric=_metric(found)),
    }[found.choice.way]


def _metric(found: LayerMap) -> str:
    """Return what is differentiated."""
    if not found.of:
        return _tr("the cosine")
    pattern = _tr("the logit of {token}")
    if found.choice.end is not None:
        pattern = _tr("the logit of {token} after token {position}")
    token = quoted_token(found.of)
    return pattern.format(token=token, position=found.choice.end)
