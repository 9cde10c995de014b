"""Vision transformers: ViT (Dosovitskiy et al. 2020), DeiT, DINOv2."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

import msgspec

from attnviewer.compute import Spec
from attnviewer.io.strict_json import SchemaError
from attnviewer.models.architecture import Architecture
from attnviewer.models.families.fields import (
    Count,
    Layers,
    Positive,
    divided,
    fields,
)
from attnviewer.models.families.naming import decoder, linear, norm
from attnviewer.models.families.pictures import Sides, picture_input
from attnviewer.models.output_head import OutputHead

_LAYER = "encoder.layer.{}"
_SELF = f"{_LAYER}.attention.attention"


_SHARED = {
    "places": "embeddings.position_embeddings",
    "class": "embeddings.cls_token",
    **norm("patches", "embeddings.patch_embeddings.projection"),
    **linear("Q", f"{_SELF}.query"),
    **linear("K", f"{_SELF}.key"),
    **linear("V", f"{_SELF}.value"),
    **linear("O", f"{_LAYER}.attention.output.dense"),
    **norm("final", "layernorm"),
}
_VIT = {
    **_SHARED,
    **norm("attention_input", f"{_LAYER}.layernorm_before"),
    **norm("feed_input", f"{_LAYER}.layernorm_after"),
    **linear("up", f"{_LAYER}.intermediate.dense"),
    **linear("down", f"{_LAYER}.output.dense"),
}
_DINOV2_SHARED = {
    **_SHARED,
    **norm("attention_input", f"{_LAYER}.norm1"),
    "scale_O": f"{_LAYER}.layer_scale1.lambda1",
    **norm("feed_input", f"{_LAYER}.norm2"),
    "scale_down": f"{_LAYER}.layer_scale2.lambda1",
}
_DINOV2 = {
    **_DINOV2_SHARED,
    **linear("up", f"{_LAYER}.mlp.fc1"),
    **linear("down", f"{_LAYER}.mlp.fc2"),
}
_GATED = {
    **linear("gate_up", f"{_LAYER}.mlp.weights_in"),
    **linear("down", f"{_LAYER}.mlp.weights_out"),
}


class _ViT(msgspec.Struct):
    hidden_size: Count = 768
    num_hidden_layers: Layers = 12
    num_attention_heads: Count = 12
    intermediate_size: Count = 3072
    hidden_act: str = "gelu"
    layer_norm_eps: Positive = 1e-12
    image_size: Sides = 224
    patch_size: Sides = 16
    num_channels: Count = 3
    qkv_bias: bool = True


class _Dinov2(_ViT):
    layer_norm_eps: Positive = 1e-6
    patch_size: Sides = 14
    mlp_ratio: Positive = 4
    use_swiglu_ffn: bool = False


class _Registers(msgspec.Struct):
    num_register_tokens: Annotated[int, msgspec.Meta(ge=0, le=1024)] = 4


def read_vit(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of ViT."""
    return _architecture("ViT", fields(config, _ViT), _VIT, ("", "vit."))


def read_deit(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of DeiT (Touvron et al. 2020): a second special token."""
    names = {**_VIT, "distillation": "embeddings.distillation_token"}
    special = {"[CLS]": "class", "[DIST]": "distillation"}
    parsed = fields(config, _ViT)
    return _architecture("DeiT", parsed, names, ("", "deit."), special, "DeiT")


def read_dinov2(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of DINOv2 (Oquab et al. 2023).

    The scale of a branch is part of W_O, b_O, W_down and b_down here.
    """
    parsed = fields(config, _Dinov2)
    names = _DINOV2
    parsed.intermediate_size = max(1, int(parsed.hidden_size * parsed.mlp_ratio))
    if parsed.use_swiglu_ffn:
        names = {**_GATED, **_DINOV2_SHARED}
        parsed.intermediate_size = (int(parsed.intermediate_size * 2 / 3) + 7) // 8 * 8
        parsed.hidden_act = "silu"
    model = _architecture("DINOv2", parsed, names, ("", "dinov2."), None, "Bit")
    assert model.picture is not None
    # Positions are interpolated from a square, or not at all.
    height, width = model.picture.size
    if height != width:
        raise SchemaError(
            "The pictures must be square, as the table of positions is. "
            f"Got {height} × {width} instead.",
            "$.image_size",
        )
    rows, columns = model.picture.grid
    head = replace(model.heads["ForImageClassification"], reads="first and mean")
    return replace(
        model,
        picture=replace(model.picture, resizable=rows == columns),
        heads={"ForImageClassification": head},
    )


def read_dinov2_with_registers(config: Mapping[str, object]) -> Architecture:
    """Read the configuration of DINOv2 with registers (Darcet et al. 2023)."""
    count = fields(config, _Registers).num_register_tokens
    model = read_dinov2({"patch_size": 16, **config})
    assert model.picture is not None
    names, shapes = dict(model.names), dict(model.picture.shapes)
    if count:
        names["registers"] = "embeddings.register_tokens"
        shapes["registers"] = (1, count, model.d_model)
    heads = {
        name: replace(head, n_before_patches=1 + count)
        for name, head in model.heads.items()
    }
    return replace(
        model,
        family="DINOv2 with registers",
        names=names,
        prefixes=("", "dinov2_with_registers."),
        picture=replace(
            model.picture, shapes=shapes, antialiased=True, registers=count
        ),
        heads=heads,
    )


def _architecture(
    family: str,
    parsed: _ViT,
    names: Mapping[str, str],
    prefixes: tuple[str, ...],
    special: Mapping[str, str] | None = None,
    processor: str = "ViT",
) -> Architecture:
    biases = ("b_Q", "b_K", "b_V") if parsed.qkv_bias else ()
    spec = Spec(
        n_heads=parsed.num_attention_heads,
        head_axis=True,
        biases=(*biases, "b_O"),
        output_projection=True,
    )
    left_out = {"b_Q", "b_K", "b_V"}.difference(biases)
    wide = parsed.hidden_size
    given = picture_input(
        parsed.image_size,
        parsed.patch_size,
        parsed.num_channels,
        special or {"[CLS]": "class"},
        wide,
        stacked=True,
    )
    return Architecture(
        family=family,
        kind="encoder",
        attention=(spec,) * parsed.num_hidden_layers,
        d_model=wide,
        d_head=divided(
            wide, parsed.num_attention_heads, "hidden_size", "num_attention_heads"
        ),
        d_feed_forward=parsed.intermediate_size,
        n_tokens=0,
        names={part: name for part, name in names.items() if part not in left_out},
        prefixes=prefixes,
        norm="layer",
        epsilon=parsed.layer_norm_eps,
        activation=parsed.hidden_act,
        final_norm_is_apart=True,
        picture=given,
        pooled="first",
        processor=processor,
        heads={"ForImageClassification": OutputHead(decoder("classifier"), "first")},
    )
