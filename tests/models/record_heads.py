"""Record the logits that transformers computes with the heads of all families.

Not a test. By hand, from the root of the repository, with torch, transformers and what
the tests need installed:

    python -m tests.models.record_heads

Each class below is filled with the numbers of `checkpoints`, loaded in double precision
and run; the logits go with the configuration and the shapes of the tensors into
tests/data/models/heads.json.
"""

import json
import tempfile
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import load_file

from tests.io.matrices.files import safetensors
from tests.models.output_heads import FILE, IDS
from tests.models.vision import recorded_vision
from tests.models.vision.recorded_vision import tensors

_SMALL = {
    "vocab_size": 19,
    "hidden_size": 12,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 10,
    "max_position_embeddings": 16,
}
_NARROW = {**_SMALL, "embedding_size": 8}
_DISTIL = {
    "vocab_size": 19,
    "dim": 12,
    "n_layers": 1,
    "n_heads": 2,
    "hidden_dim": 10,
    "max_position_embeddings": 16,
}
_DEBERTA = {
    **_SMALL,
    "type_vocab_size": 0,
    "relative_attention": True,
    "position_buckets": 3,
    "pos_att_type": ["c2p", "p2c"],
    "share_att_key": True,
    "pooler_hidden_size": 12,
}
_LLAMA = {**_SMALL, "num_key_value_heads": 1, "pad_token_id": 1, "eos_token_id": 2}
_NAMED = {"id2label": {0: "bad", 1: "fair", 2: "good"}}
_OPT = {
    "vocab_size": 19,
    "hidden_size": 12,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "ffn_dim": 10,
    "max_position_embeddings": 16,
    "word_embed_proj_dim": 6,
    "do_layer_norm_before": False,
}
_GPT2 = {
    "vocab_size": 19,
    "n_embd": 12,
    "n_layer": 1,
    "n_head": 2,
    "n_positions": 16,
    "pad_token_id": 1,
}
_VIT = {
    "hidden_size": 12,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 10,
    "image_size": 8,
    "patch_size": 4,
}
_LM, _SEQUENCE, _TOKEN = "MaskedLM", "SequenceClassification", "TokenClassification"
_ANSWER, _PICTURE, _PRE = "QuestionAnswering", "ImageClassification", "PreTraining"
_FOUR = (_LM, _SEQUENCE, _TOKEN, _ANSWER)
_FAMILIES: dict[str, tuple[dict[str, object], tuple[str, ...]]] = {
    "Bert": (
        {**_SMALL, "hidden_act": "relu"},
        (*_FOUR, "NextSentencePrediction", _PRE),
    ),
    "Roberta": (_SMALL | {"hidden_act": "relu"}, (*_FOUR, "CausalLM")),
    "XLMRoberta": (_SMALL, (_LM, _SEQUENCE)),
    "Camembert": (_SMALL, (_LM, _SEQUENCE)),
    "DistilBert": ({**_DISTIL, "activation": "relu"}, _FOUR),
    "MPNet": (_SMALL, _FOUR),
    "Electra": ({**_NARROW, "hidden_act": "relu"}, (*_FOUR, _PRE)),
    "Albert": (_NARROW, (*_FOUR, _PRE)),
    "ModernBert": ({**_SMALL, "pad_token_id": 0}, _FOUR),
    "DebertaV2": ({**_DEBERTA, "pooler_hidden_act": "tanh"}, _FOUR),
    "Llama": (_LLAMA, (_SEQUENCE, _TOKEN, _ANSWER)),
    "Qwen3": ({**_LLAMA, "head_dim": 6}, (_SEQUENCE,)),
    "GPT2": (_GPT2, (_SEQUENCE, _TOKEN, _ANSWER)),
    "GPTNeoX": ({**_SMALL, "rotary_pct": 1.0}, (_SEQUENCE, _TOKEN)),
    "OPT": (_OPT, (_SEQUENCE, _ANSWER)),
    "ViT": (_VIT, (_PICTURE,)),
    "DeiT": (_VIT, (_PICTURE,)),
    "Dinov2": (_VIT | {"mlp_ratio": 1}, (_PICTURE,)),
    "Dinov2WithRegisters": (
        _VIT | {"mlp_ratio": 1, "num_register_tokens": 3},
        (_PICTURE,),
    ),
}
_MORE: dict[str, tuple[str, dict[str, object]]] = {
    "ModernBertForSequenceClassification_mean": (
        "ModernBertForSequenceClassification",
        {
            **_FAMILIES["ModernBert"][0],
            "classifier_pooling": "mean",
            "classifier_bias": True,
            "norm_bias": True,
            "classifier_activation": "relu",
        },
    ),
    "BertForMaskedLM_untied": (
        "BertForMaskedLM",
        {**_SMALL, "tie_word_embeddings": False},
    ),
    "BertForSequenceClassification_number": (
        "BertForSequenceClassification",
        {**_SMALL, "num_labels": 1},
    ),
    "DebertaV2ForMaskedLM_new": ("DebertaV2ForMaskedLM", {**_DEBERTA, "legacy": False}),
}


def _record(kind: str, options: dict[str, object]) -> dict[str, object]:
    made = getattr(transformers, kind)
    model = made(made.config_class(**options))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model.save_pretrained(folder)
        saved = load_file(folder / "model.safetensors")
        shapes = {name: list(a.shape) for name, a in sorted(saved.items())}
        (folder / "model.safetensors").write_bytes(
            safetensors(tensors(shapes), __metadata__={"format": "pt"})
        )
        told = json.loads((folder / "config.json").read_text())
        model, loading = made.from_pretrained(
            folder, dtype=torch.float64, output_loading_info=True
        )
    wrong = {key: names for key, names in loading.items() if names}
    if wrong:
        raise SystemExit(f"{kind}: {wrong}")
    model.eval()
    given: dict[str, torch.Tensor] = {"input_ids": torch.tensor([IDS])}
    if kind.endswith(_PICTURE):
        pixels = recorded_vision.pixels("heads", (3, 8, 8))
        given = {"pixel_values": torch.tensor(pixels[np.newaxis], dtype=torch.float64)}
    with torch.no_grad():
        out = model(**given)
    if kind.endswith(_ANSWER):
        logits = torch.stack([out.start_logits[0], out.end_logits[0]], dim=-1)
    else:
        logits = (out.prediction_logits if "prediction_logits" in out else out.logits)[
            0
        ]
    own = {
        key: value
        for key, value in told.items()
        if "dropout" not in key and key not in ("transformers_version", "dtype")
    }
    return {
        "config": own,
        "shapes": shapes,
        "logits": [float(f"{value:.7g}") for value in logits.flatten().tolist()],
        "shape": list(logits.shape),
    }


def main() -> None:
    cases = {
        f"{family}For{head}": (
            f"{family}For{head}",
            options | (_NAMED if head.endswith("Classification") else {}),
        )
        for family, (options, heads) in _FAMILIES.items()
        for head in heads
    } | _MORE
    recorded = {name: _record(*case) for name, case in cases.items()}
    lines = (
        f"{json.dumps(name)}: {json.dumps(case, separators=(',', ':'))}"
        for name, case in recorded.items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(recorded), FILE.stat().st_size)  # noqa: T201


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    main()
