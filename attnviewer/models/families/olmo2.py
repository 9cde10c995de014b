"""OLMo 2 (OLMo team 2024): norms after attention and feed-forward layers."""

from collections.abc import Mapping
from dataclasses import replace

from attnviewer.compute import QKNorm
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import Positive, fields
from attnviewer.models.families.llama import Llama, biases_of, decoder

_OWN_NORMS = {
    "attention_output.weight": "layers.{}.post_attention_layernorm.weight",
    "feed_output.weight": "layers.{}.post_feedforward_layernorm.weight",
}
_NORMS_OF_LLAMA = ("attention_input.weight", "feed_input.weight")


class _Olmo2(Llama):
    rms_norm_eps: Positive = 1e-5
    pad_token_id: int | None = 1


def read_olmo2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of OLMo 2."""
    parsed = fields(config, _Olmo2)
    norm = QKNorm(full_width=True, epsilon=parsed.rms_norm_eps)
    olmo = decoder(config, parsed, "OLMo 2", biases_of(parsed), qk_norm=norm)
    kept = {n: t for n, t in olmo.names.items() if n not in _NORMS_OF_LLAMA}
    return replace(olmo, names=kept | _OWN_NORMS)
