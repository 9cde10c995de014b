"""MPNet (Song et al. 2020): BERT with a relative bias shared by all layers."""

from collections.abc import Mapping
from dataclasses import replace

from attnviewer.compute import RelativeBias
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import (
    BERT_NAMES,
    LAYER,
    ROBERTA_HEADS,
    places_after,
    read_bert,
)
from attnviewer.models.families.fields import refuse
from attnviewer.models.families.naming import linear, norm

_ATTENTION = f"{LAYER}.attention"
_NAMES = {
    **{part: name for part, name in BERT_NAMES.items() if part != "types"},
    **linear("Q", f"{_ATTENTION}.attn.q"),
    **linear("K", f"{_ATTENTION}.attn.k"),
    **linear("V", f"{_ATTENTION}.attn.v"),
    **linear("O", f"{_ATTENTION}.attn.o"),
    **norm("attention_sum", f"{_ATTENTION}.LayerNorm"),
    "relative_bias": "encoder.relative_attention_bias.weight",
}
_BUCKETS = 32
"""The only number that the published code computes with."""
_PADDING = 1
"""The id that positions skip, whatever the configuration says of padding."""


def read_mpnet(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of MPNet."""
    refuse(config, relative_attention_num_buckets=_BUCKETS)
    bert, scheme = read_bert(config), RelativeBias(_BUCKETS)
    rows = bert.n_positions or 0
    return replace(
        bert,
        family="MPNet",
        # Always an encoder, whatever is_decoder says.
        attention=tuple(
            replace(spec, positions=scheme, causal=False) for spec in bert.attention
        ),
        names=_NAMES,
        prefixes=("", "mpnet."),
        n_positions=places_after(_PADDING, rows),
        padding=_PADDING,
        n_types=0,
        heads=ROBERTA_HEADS,
    )
