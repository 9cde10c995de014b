"""The parts of a model in words, for messages on the tensors that hold them."""

_WEIGHTED = {
    "Q": "the queries",
    "K": "the keys",
    "V": "the values",
    "QKV": "the queries, keys and values",
    "QR": "the queries for relative positions",
    "KR": "the keys for relative positions",
    "O": "the output of the attention",
    "gate": "the gate of the feed-forward network",
    "up": "the hidden units of the feed-forward network",
    "gate_up": "the gate and the hidden units of the feed-forward network",
    "down": "the output of the feed-forward network",
    "router": "the router to the experts",
    "embedding": "the embeddings, to the width of the layers",
    "tokens": "the embeddings of the tokens, to the width of the layers",
    "unembedding": "the last hidden states, to the width of the embeddings",
    "projection": "the projection to the space that texts and pictures share",
    "head": "the dense layer before the logits",
    "decoder": "the logits",
}
"""What weights ``W_…`` and biases ``b_…`` yield."""
_KINDS = {
    "W_": "the weights of ",
    "b_": "the bias of ",
    "expert_W_": "the experts' weights of ",
    "expert_b_": "the experts' biases of ",
    "scale_": "the scales of ",
}
_NORMS = {
    "attention_input": "before the attention",
    "attention_output": "after the attention",
    "attention_sum": "after the attention and the sum",
    "feed_input": "before the feed-forward network",
    "feed_output": "after the feed-forward network",
    "feed_sum": "after the feed-forward network and the sum",
    "embedding": "of the embeddings",
    "projected": "of the embeddings in the width of the layers",
    "final": "after the last layer",
    "head": "before the logits",
    "R_norm": "of the relative positions",
    "gain_Q": "of the queries",
    "gain_K": "of the keys",
    "shift_Q": "of the queries",
    "shift_K": "of the keys",
}
_OTHERS = {
    "tokens": "the embeddings of the tokens",
    "places": "the embeddings of the positions",
    "types": "the embeddings of the segments",
    "R": "the embeddings of the relative positions",
    "relative_bias": "the biases of the relative positions",
    "sinks": "the logits of the attention sinks",
    "unembedding": "the table that predicts tokens",
    "decoder": "the table of the logits",
    "logit_bias": "the bias of the logits",
    "class": "the embedding of the token for the whole picture",
    "distillation": "the embedding of the token for distillation",
    "registers": "the embeddings of the registers",
    "similarity_scale": "the scale of similarities of texts and pictures",
    "patches.weight": "the weights of the patches",
    "patches.bias": "the bias of the patches",
}


def part_in_words(part: str) -> str:
    """Return what a part of `Architecture.names` is: the weights of the queries.

    A part without words of its own is called by its name.
    """
    if part in _OTHERS:
        return _OTHERS[part]
    for kind, words in _KINDS.items():
        if part.startswith(kind) and (of := part.removeprefix(kind)) in _WEIGHTED:
            return words + _WEIGHTED[of]
    norm, _, side = part.partition(".")
    if norm in _NORMS:
        shifts = side == "bias" or norm.startswith("shift")
        return f"the {'bias' if shifts else 'weight'} of the norm {_NORMS[norm]}"
    return part
