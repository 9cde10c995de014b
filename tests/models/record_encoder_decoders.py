"""Record what transformers computes for tiny MPNet, T5, mT5 and BART.

Not a test. By hand, from the root of the repository, with torch, transformers and what
the tests need installed:

    python -m tests.models.record_encoder_decoders

Each model below gets the numbers that `checkpoints.numbers` has for its tensors' names,
so that only the configuration, the names and the shapes are stored with the results.
Eager attention in double precision; the results are rounded to single precision.
"""

import json

import numpy as np
import torch
import transformers

from tests.models.checkpoints import numbers
from tests.models.encoder_decoders import CENTRES, FOLDER

_T5 = {"vocab_size": 23, "d_model": 16, "d_kv": 6, "d_ff": 20, "num_heads": 2}
_T5_HEAD = {
    **_T5,
    "num_layers": 1,
    "eos_token_id": 2,
    "pad_token_id": 1,
    "decoder_start_token_id": 0,
}
_BART = {
    "vocab_size": 23,
    "d_model": 16,
    "encoder_ffn_dim": 20,
    "decoder_ffn_dim": 12,
    "max_position_embeddings": 24,
}
_MPNET = {
    "vocab_size": 23,
    "hidden_size": 16,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "intermediate_size": 20,
    "max_position_embeddings": 60,
    "initializer_range": 0.3,
}
CASES = {
    # More tokens than distances with a bucket of their own, padding among them.
    "mpnet": ("MPNetModel", _MPNET, 40, 0),
    "mpnet_masked_lm": ("MPNetForMaskedLM", _MPNET, 5, 0),
    "t5_encoder": ("T5EncoderModel", {**_T5, "num_layers": 2}, 30, 0),
    "t5": (
        "T5ForConditionalGeneration",
        {
            **_T5,
            "num_layers": 2,
            "num_decoder_layers": 1,
            "relative_attention_num_buckets": 8,
            "relative_attention_max_distance": 12,
        },
        14,
        17,
    ),
    "t5_v1_1": (
        "T5ForConditionalGeneration",
        {
            **_T5,
            "num_layers": 1,
            "feed_forward_proj": "gated-gelu",
            "tie_word_embeddings": False,
        },
        9,
        1,
    ),
    "mt5": ("MT5ForConditionalGeneration", {**_T5, "num_layers": 1}, 3, 20),
    "bart": (
        "BartForConditionalGeneration",
        {
            **_BART,
            "encoder_layers": 2,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 4,
            "scale_embedding": True,
            "activation_function": "relu",
        },
        24,
        5,
    ),
    "bart_untied": (
        "BartForConditionalGeneration",
        {
            **_BART,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
            "tie_word_embeddings": False,
        },
        7,
        4,
    ),
    "bart_classifier": (
        "BartForSequenceClassification",
        {
            **_BART,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
            "num_labels": 3,
        },
        6,
        0,
    ),
    "bart_answers": (
        "BartForQuestionAnswering",
        {
            **_BART,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
        },
        5,
        0,
    ),
    "bart_classifier_padded": (
        "BartForSequenceClassification",
        {
            **_BART,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
        },
        6,
        0,
    ),
    "t5_classifier": (
        "T5ForSequenceClassification",
        {**_T5_HEAD, "num_labels": 3},
        6,
        0,
    ),
    "mt5_answers": ("MT5ForQuestionAnswering", _T5_HEAD, 5, 0),
    "t5_token_classifier": (
        "T5ForTokenClassification",
        {**_T5_HEAD, "num_labels": 4},
        5,
        0,
    ),
    "bart_base": (
        "BartModel",
        {
            **_BART,
            "encoder_layers": 1,
            "decoder_layers": 2,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
        },
        1,
        6,
    ),
}
_CLASSIFY = "SequenceClassification", "TokenClassification", "QuestionAnswering"
"""Classes that read the same sentence, which has to end with `END`."""
END = 2
_PADDED = {"bart_classifier_padded": [1, 5, 1]}
"""Padding and another token after that end."""
_RESULTS = (
    *("hidden_states", "attentions"),
    *("encoder_hidden_states", "encoder_attentions"),
    *("decoder_hidden_states", "decoder_attentions", "cross_attentions"),
)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (kind, options, n, m) in CASES.items():
        made = getattr(transformers, kind)
        config = made.config_class(**options, attn_implementation="eager")
        model = made(config).double().eval()
        shapes = {}
        tied = set(model.all_tied_weights_keys)
        for tensor, values in model.state_dict().items():
            if tensor in tied:
                continue
            shapes[tensor] = list(values.shape)
            centre = CENTRES * (values.ndim == 1 and tensor.endswith("weight"))
            values.copy_(torch.from_numpy(numbers(tensor, values.shape, centre)))
        random = np.random.default_rng(n)
        ids = random.integers(0, options["vocab_size"], n)
        if kind.endswith(_CLASSIFY):
            ids = np.append(random.integers(3, options["vocab_size"], n - 1), END)
            ids = np.append(ids, _PADDED.get(name, [])).astype(int)
        given = {"input_ids": torch.tensor([ids.tolist()])}
        started = random.integers(0, options["vocab_size"], m)
        if m:
            given["decoder_input_ids"] = torch.tensor([started.tolist()])
        with torch.no_grad():
            out = model(**given, output_hidden_states=True, output_attentions=True)
        results = {
            key: torch.cat(out[key]).numpy().astype(np.float32)
            for key in _RESULTS
            if out.get(key)
        }
        if kind.endswith(("ConditionalGeneration", *_CLASSIFY[:2])):
            results["logits"] = out.logits[0].numpy().astype(np.float32)
        if kind.endswith("QuestionAnswering"):
            both = torch.stack([out.start_logits[0], out.end_logits[0]], -1)
            results["logits"] = both.numpy().astype(np.float32)
        np.savez_compressed(FOLDER / f"{name}.npz", **results)
        told = {
            "config": {**json.loads(config.to_json_string()), "architectures": [kind]},
            "shapes": shapes,
            "input_ids": ids.tolist(),
            "decoder_input_ids": started.tolist(),
            "transformers": transformers.__version__,
        }
        text = json.dumps(told, sort_keys=True)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(name, sorted(results))  # noqa: T201


if __name__ == "__main__":
    main()
