"""Roles of arrays by their names, as papers and checkpoints use them."""

import re
from dataclasses import dataclass

from attnviewer.document.matrices import BIAS, MASK

FUSED = "QKV"
"""Stands for W_Q, W_K and W_V (or their biases) side by side in one array."""

_DATA = {
    "X": "x|x_in|emb|embs|embeds?|embeddings?|inputs?|hidden_states?"
    "|words?|(?:word|token)[ _]embeddings?",
    "context": "context|ctx|memory|x_?kv|encoder_hidden_states?",
    "P": "p|pe|pos|positions?|position_table|positional_encodings?",
    "Q": "q|query|queries|(?:q|query)_(?:states|layer)",
    "K": "k|keys?|(?:k|key)_(?:states|layer)",
    "V": "v|values?|(?:v|value)_(?:states|layer)",
    MASK: "mask|attn_mask|attention_mask",
    "weights": "weights|attn|attentions?|output_attentions|(?:attn|attention)"
    "_(?:weights?|probs?|patterns?)|pattern",
    "scores": "scores|(?:attn|attention)_scores",
    BIAS: "bias|attn_bias|attention_bias|score_bias|alibi",
}
_LETTERS = (("Q", "q", "query"), ("K", "k", "key"), ("V", "v", "value"))
_OUTPUT = "o_proj|out_proj|output_proj|c_proj|out_lin|to_out(?:\\.0)?|output\\.dense"
_FUSED = "c_attn|qkv|qkv_proj|wqkv|w_qkv|to_qkv"
_STORED = "weight|kernel"


def _weights() -> dict[str, str]:
    """Return patterns of the names of weights and biases, after the block's prefix."""
    found = {
        "W_O": f"w_?o|(?:{_OUTPUT})(?:[._](?:{_STORED}))?"
        f"|(?:o|out|proj|linear_o)[._](?:{_STORED})|output[ _]weights",
        "b_O": f"b_?o|(?:{_OUTPUT}|o|out|proj|linear_o)[._]bias",
        "W_G": f"w_?g|w_gate|(?:g_proj|linear_g)(?:[._](?:{_STORED}))?",
        f"W_{FUSED}": f"in_proj[._]weight|(?:{_FUSED})(?:\\.(?:{_STORED}))?",
        f"b_{FUSED}": f"b_?qkv|in_proj[._]bias|(?:{_FUSED})\\.bias",
    }
    for name, letter, word in _LETTERS:
        layer = f"{letter}_proj|{word}_proj|to_{letter}|{letter}_lin|linear_{letter}"
        either = f"(?:{letter}|{word})"
        found[f"W_{name}"] = (
            f"w_?{letter}(?:\\.(?:{_STORED}))?|w_?{word}"
            f"|(?:{layer})(?:[._](?:{_STORED}))?|{either}[._](?:{_STORED})"
            f"|{either}[ _](?:weights|(?:weight[ _])?matrix)|weights?[ _]{either}"
        )
        found[f"b_{name}"] = (
            f"b_?{letter}|b_{word}|(?:{layer}|w{letter}|{letter}|{word})[._]bias"
            f"|{word}[ _]bias"
        )
    return found


_FLAGS = re.IGNORECASE
_DATA_NAMES = {role: re.compile(names, _FLAGS) for role, names in _DATA.items()}
_WEIGHT_NAMES = {
    role: re.compile(
        # Layers are separated by dots or, in Flax, by slashes.
        rf"((?:.*[./])?)(?:{names})".replace("\\.", "[./]").replace("[._]", "[._/]"),
        _FLAGS | re.DOTALL,
    )
    for role, names in _weights().items()
}
_INNER = re.compile(r"\bself[./]\Z")
"""BERT has its output projection one level above the others."""
_LINEAR = re.compile(r".*(?:\.|_proj_)weight", _FLAGS | re.DOTALL)
_CONV1D = re.compile(r".*c_(?:attn|proj)\.weight", _FLAGS | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """The role of an array according to its name.

    Parameters
    ----------
    role : str
        The role; `FUSED` for Q, K and V in one.
    block : str
        The prefix that it shares with the other arrays of its layer.
    """

    role: str
    block: str = ""


def named(name: str) -> Named | None:
    """Return the role of an array by its name; None if the name has none."""
    for role, pattern in _DATA_NAMES.items():
        if pattern.fullmatch(name):
            return Named(role)
    for role, pattern in _WEIGHT_NAMES.items():
        match = pattern.fullmatch(name)
        if match is not None:
            return Named(role, _INNER.sub("", match[1]))
    return None


def is_transposed_layer(name: str) -> bool:
    """Return whether an array is named like a weight of PyTorch's Linear.

    Such weights are stored as (out, in); those of GPT-2's Conv1D and of Flax are not.
    """
    return bool(_LINEAR.fullmatch(name)) and not _CONV1D.fullmatch(name)
