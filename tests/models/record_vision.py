"""Record what transformers computes for tiny models of pictures, and for CLIP.

Not a test. By hand, from the root of the repository, with torch, transformers, Pillow
and what the tests need installed:

    python -m tests.models.record_vision

Each configuration is filled with the numbers of `checkpoints`, loaded in double
precision with eager attention, and run. The results go into tests/data/models/vision,
with the names and shapes of the tensors; so do what the image processors of
transformers, on Pillow 12, make of pictures of whole numbers.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import transformers

from tests.io.matrices.files import safetensors
from tests.models.vision import recorded_vision
from tests.models.vision.recorded_vision import FOLDER, image, tensors

_SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "image_size": 12,
    "patch_size": 4,
}
_REGISTERS = {**_SMALL, "mlp_ratio": 2, "num_register_tokens": 3}
_TEXT = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "vocab_size": 40,
    "max_position_embeddings": 12,
    "projection_dim": 8,
    "bos_token_id": 38,
    "eos_token_id": 39,
    "pad_token_id": 1,
}
_IDS = (38, 3, 17, 39, 5, 39)
_CASES: dict[str, tuple[str, str, dict[str, object], dict[str, object]]] = {
    "vit_wide": (
        "ViTModel",
        "ViTConfig",
        {**_SMALL, "image_size": [8, 13], "patch_size": [4, 3], "qkv_bias": False},
        {"pixels": (3, 8, 13)},
    ),
    "vit_classifier": (
        "ViTForImageClassification",
        "ViTConfig",
        {**_SMALL, "num_channels": 1, "hidden_act": "relu", "layer_norm_eps": 0.1},
        {"pixels": (1, 12, 12)},
    ),
    "deit": ("DeiTModel", "DeiTConfig", _SMALL, {"pixels": (3, 12, 12)}),
    "dinov2": (
        "Dinov2Model",
        "Dinov2Config",
        {**_SMALL, "mlp_ratio": 2},
        {"pixels": (3, 12, 12)},
    ),
    "dinov2_larger": (
        "Dinov2Model",
        "Dinov2Config",
        {**_SMALL, "mlp_ratio": 2},
        {"pixels": (3, 21, 16)},
    ),
    "dinov2_smaller": (
        "Dinov2Model",
        "Dinov2Config",
        {**_SMALL, "mlp_ratio": 2},
        {"pixels": (3, 8, 5)},
    ),
    "dinov2_gated": (
        "Dinov2Model",
        "Dinov2Config",
        {**_SMALL, "mlp_ratio": 2, "use_swiglu_ffn": True},
        {"pixels": (3, 12, 12)},
    ),
    "dinov2_registers": (
        "Dinov2WithRegistersModel",
        "Dinov2WithRegistersConfig",
        {**_REGISTERS, "use_swiglu_ffn": True},
        {"pixels": (3, 12, 12)},
    ),
    "dinov2_registers_larger": (
        "Dinov2WithRegistersModel",
        "Dinov2WithRegistersConfig",
        _REGISTERS,
        {"pixels": (3, 21, 16)},
    ),
    "dinov2_registers_smaller": (
        "Dinov2WithRegistersModel",
        "Dinov2WithRegistersConfig",
        _REGISTERS,
        {"pixels": (3, 8, 5)},
    ),
    "clip": (
        "CLIPModel",
        "CLIPConfig",
        {
            "text_config": _TEXT,
            "vision_config": {**_SMALL, "projection_dim": 8},
            "projection_dim": 8,
        },
        {"pixels": (3, 12, 12), "ids": _IDS},
    ),
    "clip_text_old_end": (
        "CLIPTextModelWithProjection",
        "CLIPTextConfig",
        {**_TEXT, "eos_token_id": 2, "hidden_act": "gelu"},
        {"ids": _IDS},
    ),
}

_PROCESSORS: dict[str, tuple[str, dict[str, object], tuple[int, int]]] = {
    "vit_down": ("ViT", {"size": {"height": 9, "width": 14}}, (31, 23)),
    "vit_up": ("ViT", {"size": 16, "image_mean": [0.4, 0.5, 0.6]}, (5, 7)),
    "clip_tall": (
        "CLIP",
        {"size": {"shortest_edge": 9}, "crop_size": {"height": 8, "width": 8}},
        (29, 13),
    ),
    "clip_wide": ("CLIP", {"size": 9, "crop_size": 7}, (10, 40)),
    "clip_padded": ("CLIP", {"do_resize": False, "crop_size": 9}, (6, 14)),
    "deit": ("DeiT", {"size": 20, "crop_size": 15}, (33, 17)),
    "bit_lanczos": (
        "Bit",
        {"size": {"shortest_edge": 8}, "crop_size": 8, "resample": 1},
        (19, 30),
    ),
    "vit_plain": (
        "ViT",
        {"do_rescale": False, "do_normalize": False, "size": 6},
        (50, 41),
    ),
    "vit_column": ("ViT", {"size": 9}, (303, 3)),
    "vit_offset": ("ViT", {"rescale_factor": 1 / 127.5, "size": 6}, (6, 6)),
}


def _outputs(out: object) -> Iterator[tuple[str, torch.Tensor]]:
    yield "hidden_states", torch.cat(out.hidden_states)
    yield "attentions", torch.cat(out.attentions)


def _results(
    model: torch.nn.Module, given: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    asked = {"output_hidden_states": True, "output_attentions": True}
    results: dict[str, torch.Tensor] = {}
    if isinstance(model, transformers.CLIPModel):
        for part, own, name in (
            (model.text_model, "input_ids", "text"),
            (model.vision_model, "pixel_values", "vision"),
        ):
            out = part(**{own: given[own]}, **asked)
            results |= {f"{name}_{k}": v for k, v in _outputs(out)}
        out = model(**given)
        # CLIPModel returns them at unit length.
        results["text_embeds"] = model.get_text_features(
            given["input_ids"]
        ).pooler_output[0]
        results["vision_embeds"] = model.get_image_features(
            given["pixel_values"]
        ).pooler_output[0]
        results["logits_per_text"] = out.logits_per_text
        return results
    out = model(**given, **asked)
    results |= dict(_outputs(out))
    if hasattr(out, "text_embeds"):
        results["embeds"] = out.text_embeds[0]
    elif hasattr(out, "last_hidden_state"):
        results["embeds"] = out.last_hidden_state[0, 0]
    return results


def _record(name: str) -> None:
    kind, config_kind, options, inputs = _CASES[name]
    config = getattr(transformers, config_kind)(**options)
    config._attn_implementation = "eager"
    model = getattr(transformers, kind)(config)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model.save_pretrained(folder)
        from safetensors.numpy import load_file

        saved = load_file(folder / "model.safetensors")
        shapes = {name: list(a.shape) for name, a in sorted(saved.items())}
        (folder / "model.safetensors").write_bytes(
            safetensors(tensors(shapes), __metadata__={"format": "pt"})
        )
        told = json.loads((folder / "config.json").read_text())
        model, loading = type(model).from_pretrained(
            folder,
            dtype=torch.float64,
            attn_implementation="eager",
            output_loading_info=True,
        )
        wrong = {key: names for key, names in loading.items() if names}
        if wrong:
            raise SystemExit(f"{name}: {wrong}")
    model.eval()
    given = {}
    if "ids" in inputs:
        given["input_ids"] = torch.tensor([inputs["ids"]])
    if "pixels" in inputs:
        pixels = recorded_vision.pixels(name, inputs["pixels"])
        given["pixel_values"] = torch.tensor(pixels[np.newaxis], dtype=torch.float64)
    with torch.no_grad():
        results = _results(model, given)
    np.savez_compressed(
        FOLDER / f"{name}.npz",
        **{k: v.double().numpy().astype(np.float32) for k, v in results.items()},
    )
    text = json.dumps({"config": told, "shapes": shapes, **inputs}, indent=1)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(name, *results)  # noqa: T201


def _record_processors() -> None:
    told, arrays = {}, {}
    for name, (kind, options, size) in _PROCESSORS.items():
        module = (
            f"transformers.models.{kind.lower()}.image_processing_pil_{kind.lower()}"
        )
        processor = getattr(
            __import__(module, fromlist=["x"]), f"{kind}ImageProcessorPil"
        )(**options)
        from PIL import Image

        out = processor(Image.fromarray(image(name, size)), return_tensors="np")
        arrays[name] = out["pixel_values"][0].astype(np.float32)
        told[name] = {
            "config": {"image_processor_type": f"{kind}ImageProcessor", **options},
            "size": size,
        }
    np.savez_compressed(FOLDER / "preprocessed.npz", **arrays)
    text = json.dumps(told, indent=1) + "\n"
    (FOLDER / "preprocessed.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for case in sys.argv[1:] or _CASES:
        _record(case)
    _record_processors()
