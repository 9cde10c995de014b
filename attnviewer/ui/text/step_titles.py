"""The full titles of steps and axes."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from attnviewer.compute import Axis

CONTEXT = "Steps"
TITLES: dict[str, object] = {
    "X": QT_TRANSLATE_NOOP("Steps", "Embeddings X"),
    "context": QT_TRANSLATE_NOOP("Steps", "Second sequence"),
    "values": QT_TRANSLATE_NOOP("Steps", "Sequence of the values"),
    "P": QT_TRANSLATE_NOOP("Steps", "Positions P"),
    "X + P": QT_TRANSLATE_NOOP("Steps", "Embeddings and positions X + P"),
    "R": QT_TRANSLATE_NOOP("Steps", "Relative positions R"),
    "K_R": QT_TRANSLATE_NOOP("Steps", "Keys of relative positions"),
    "Q_R": QT_TRANSLATE_NOOP("Steps", "Queries of relative positions"),
    "c2p": QT_TRANSLATE_NOOP("Steps", "Content-to-position scores"),
    "p2c": QT_TRANSLATE_NOOP("Steps", "Position-to-content scores"),
    "summed": QT_TRANSLATE_NOOP("Steps", "Summed scores"),
    "W_KR": QT_TRANSLATE_NOOP("Steps", "Relative key weights W_KR"),
    "W_QR": QT_TRANSLATE_NOOP("Steps", "Relative query weights W_QR"),
    "b_KR": QT_TRANSLATE_NOOP("Steps", "Relative key bias b_KR"),
    "b_QR": QT_TRANSLATE_NOOP("Steps", "Relative query bias b_QR"),
    "bias": QT_TRANSLATE_NOOP("Steps", "Score bias"),
    "position_ids": QT_TRANSLATE_NOOP("Steps", "Positions along the axes"),
    "relative_bias": QT_TRANSLATE_NOOP("Steps", "Relative position bias"),
    "mask": QT_TRANSLATE_NOOP("Steps", "Mask"),
    "b_Q": QT_TRANSLATE_NOOP("Steps", "Query bias b_Q"),
    "b_K": QT_TRANSLATE_NOOP("Steps", "Key bias b_K"),
    "b_V": QT_TRANSLATE_NOOP("Steps", "Value bias b_V"),
    "b_O": QT_TRANSLATE_NOOP("Steps", "Output bias b_O"),
    "w": QT_TRANSLATE_NOOP("Steps", "Score weights w"),
    "w_q": QT_TRANSLATE_NOOP("Steps", "Score weights of queries w_q"),
    "w_k": QT_TRANSLATE_NOOP("Steps", "Score weights of keys w_k"),
    "v": QT_TRANSLATE_NOOP("Steps", "Score vector v"),
    "extra_keys": QT_TRANSLATE_NOOP("Steps", "Extra keys"),
    "extra_values": QT_TRANSLATE_NOOP("Steps", "Extra values"),
    "extended K": QT_TRANSLATE_NOOP("Steps", "Keys and extra keys"),
    "extended V": QT_TRANSLATE_NOOP("Steps", "Values and extra values"),
    "sinks": QT_TRANSLATE_NOOP("Steps", "Sink logits"),
    "rotated X": QT_TRANSLATE_NOOP("Steps", "Rotated embeddings"),
    "rotated Q": QT_TRANSLATE_NOOP("Steps", "Rotated queries"),
    "rotated K": QT_TRANSLATE_NOOP("Steps", "Rotated keys"),
    "normed Q": QT_TRANSLATE_NOOP("Steps", "Normalised queries"),
    "normed K": QT_TRANSLATE_NOOP("Steps", "Normalised keys"),
    "normed split Q": QT_TRANSLATE_NOOP("Steps", "Normalised queries by head"),
    "normed split K": QT_TRANSLATE_NOOP("Steps", "Normalised keys by head"),
    "normed rotated Q": QT_TRANSLATE_NOOP("Steps", "Normalised rotated queries"),
    "normed rotated K": QT_TRANSLATE_NOOP("Steps", "Normalised rotated keys"),
    "rotated normed Q": QT_TRANSLATE_NOOP("Steps", "Rotated normalised queries"),
    "rotated normed K": QT_TRANSLATE_NOOP("Steps", "Rotated normalised keys"),
    "gain_Q": QT_TRANSLATE_NOOP("Steps", "Gain of the query norm"),
    "gain_K": QT_TRANSLATE_NOOP("Steps", "Gain of the key norm"),
    "shift_Q": QT_TRANSLATE_NOOP("Steps", "Shift of the query norm"),
    "shift_K": QT_TRANSLATE_NOOP("Steps", "Shift of the key norm"),
    "S": QT_TRANSLATE_NOOP("Steps", "Given scores S"),
    "split S": QT_TRANSLATE_NOOP("Steps", "Given scores by head"),
    "split Q": QT_TRANSLATE_NOOP("Steps", "Queries by head"),
    "split K": QT_TRANSLATE_NOOP("Steps", "Keys by head"),
    "split V": QT_TRANSLATE_NOOP("Steps", "Values by head"),
    "unit X": QT_TRANSLATE_NOOP("Steps", "Unit-length embeddings"),
    "unit Q": QT_TRANSLATE_NOOP("Steps", "Unit-length queries"),
    "unit K": QT_TRANSLATE_NOOP("Steps", "Unit-length keys"),
    "tempered": QT_TRANSLATE_NOOP("Steps", "Scores scaled by length"),
    "capped": QT_TRANSLATE_NOOP("Steps", "Capped scores"),
    "biased": QT_TRANSLATE_NOOP("Steps", "Biased scores"),
    "W_Q": QT_TRANSLATE_NOOP("Steps", "Query weights W_Q"),
    "W_K": QT_TRANSLATE_NOOP("Steps", "Key weights W_K"),
    "W_V": QT_TRANSLATE_NOOP("Steps", "Value weights W_V"),
    "W_G": QT_TRANSLATE_NOOP("Steps", "Gate weights W_G"),
    "W_O": QT_TRANSLATE_NOOP("Steps", "Output weights W_O"),
    "Q": QT_TRANSLATE_NOOP("Steps", "Queries Q"),
    "K": QT_TRANSLATE_NOOP("Steps", "Keys K"),
    "V": QT_TRANSLATE_NOOP("Steps", "Values V"),
    "G": QT_TRANSLATE_NOOP("Steps", "Gate logits G"),
    "scores": QT_TRANSLATE_NOOP("Steps", "Scores"),
    "scaled": QT_TRANSLATE_NOOP("Steps", "Scaled scores"),
    "masked": QT_TRANSLATE_NOOP("Steps", "Masked scores"),
    "weights": QT_TRANSLATE_NOOP("Steps", "Attention weights"),
    "heads": QT_TRANSLATE_NOOP("Steps", "Head outputs"),
    "gated": QT_TRANSLATE_NOOP("Steps", "Gated head outputs"),
    "concatenated": QT_TRANSLATE_NOOP("Steps", "Concatenated heads"),
    "output": QT_TRANSLATE_NOOP("Steps", "Output"),
}
AXES: dict[Axis, object] = {
    "tokens": QT_TRANSLATE_NOOP("Steps", "tokens"),
    "queries": QT_TRANSLATE_NOOP("Steps", "queries"),
    "keys": QT_TRANSLATE_NOOP("Steps", "keys"),
    "distances": QT_TRANSLATE_NOOP("Steps", "relative positions"),
    "features": QT_TRANSLATE_NOOP("Steps", "features"),
}


def step_title(step: str) -> str:
    """Return the title of a step; its name if it has no other."""
    return QCoreApplication.translate(CONTEXT, str(TITLES.get(step, step)))


def axis_name(axis: Axis) -> str:
    """Return the name of an axis, such as that of a step's rows."""
    return QCoreApplication.translate(CONTEXT, str(AXES[axis]))
