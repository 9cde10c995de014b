"""How the checkpoints of each family are laid out, as tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_GPT2 = {
    "wte": "vd",
    "wpe": "pd",
    "h.#.ln_1": "d+d",
    "h.#.attn.c_attn": "da+a",
    "h.#.attn.c_proj": "dd+d",
    "h.#.ln_2": "d+d",
    "h.#.mlp.c_fc": "df+f",
    "h.#.mlp.c_proj": "fd+d",
    "ln_f": "d+d",
}
"""The shape of each weight and, after the plus, of its bias; # stands for each layer.

d is the width of the model, f of its feed-forward layers, q of all queries, k of all
keys and m of a head; v counts the vocabulary, p positions, t types of tokens, e is the
width of the embeddings, a is 3 d, and g is 2 f. r counts relative positions, b
positions that are added though others are relative; what a configuration has none of is
left out.
"""

_LLAMA = {
    "embed_tokens": "vd",
    "layers.#.input_layernorm": "d",
    "layers.#.self_attn.q_proj": "qd",
    "layers.#.self_attn.k_proj": "kd",
    "layers.#.self_attn.v_proj": "kd",
    "layers.#.self_attn.o_proj": "dq",
    "layers.#.post_attention_layernorm": "d",
    "layers.#.mlp.gate_proj": "fd",
    "layers.#.mlp.up_proj": "fd",
    "layers.#.mlp.down_proj": "df",
    "norm": "d",
}
_QWEN2 = _LLAMA | {
    "layers.#.self_attn.q_proj": "qd+q",
    "layers.#.self_attn.k_proj": "kd+k",
    "layers.#.self_attn.v_proj": "kd+k",
}
_GEMMA2 = _LLAMA | {
    "layers.#.pre_feedforward_layernorm": "d",
    "layers.#.post_feedforward_layernorm": "d",
}
_STABLELM = _LLAMA | {
    "layers.#.input_layernorm": "d+d",
    "layers.#.post_attention_layernorm": "d+d",
    "norm": "d+d",
}
_STABLELM_NORMS = _STABLELM | {
    f"layers.#.self_attn.{side}_layernorm.norms.{head}": "m"
    for side, heads in (("q", 4), ("k", 2))
    for head in range(heads)
}
_QWEN3 = _LLAMA | {
    "layers.#.self_attn.q_norm": "m",
    "layers.#.self_attn.k_norm": "m",
}
_GEMMA3 = _QWEN3 | _GEMMA2
_OLMO2 = {
    **{name: shape for name, shape in _LLAMA.items() if "input_layernorm" not in name},
    "layers.#.post_feedforward_layernorm": "d",
    "layers.#.self_attn.q_norm": "q",
    "layers.#.self_attn.k_norm": "k",
}

_BERT = {
    "embeddings.word_embeddings": "vd",
    "embeddings.position_embeddings": "pd",
    "embeddings.token_type_embeddings": "td",
    "embeddings.LayerNorm": "d+d",
    "encoder.layer.#.attention.self.query": "dd+d",
    "encoder.layer.#.attention.self.key": "dd+d",
    "encoder.layer.#.attention.self.value": "dd+d",
    "encoder.layer.#.attention.output.dense": "dd+d",
    "encoder.layer.#.attention.output.LayerNorm": "d+d",
    "encoder.layer.#.intermediate.dense": "fd+f",
    "encoder.layer.#.output.dense": "df+d",
    "encoder.layer.#.output.LayerNorm": "d+d",
}
_ELECTRA = _BERT | {
    "embeddings.word_embeddings": "ve",
    "embeddings.position_embeddings": "pe",
    "embeddings.token_type_embeddings": "te",
    "embeddings.LayerNorm": "e+e",
}
_ALBERT_LAYER = "encoder.albert_layer_groups.#.albert_layers.0"
_ALBERT = {
    **{k: v for k, v in _ELECTRA.items() if k.startswith("embeddings.")},
    "encoder.embedding_hidden_mapping_in": "de+d",
    f"{_ALBERT_LAYER}.attention.query": "dd+d",
    f"{_ALBERT_LAYER}.attention.key": "dd+d",
    f"{_ALBERT_LAYER}.attention.value": "dd+d",
    f"{_ALBERT_LAYER}.attention.dense": "dd+d",
    f"{_ALBERT_LAYER}.attention.LayerNorm": "d+d",
    f"{_ALBERT_LAYER}.ffn": "fd+f",
    f"{_ALBERT_LAYER}.ffn_output": "df+d",
    f"{_ALBERT_LAYER}.full_layer_layer_norm": "d+d",
}
_MODERNBERT = {
    "embeddings.tok_embeddings": "vd",
    "embeddings.norm": "d",
    "layers.#.attn_norm": "d",
    "layers.#.attn.Wqkv": "ad",
    "layers.#.attn.Wo": "dd",
    "layers.#.mlp_norm": "d",
    "layers.#.mlp.Wi": "gd",
    "layers.#.mlp.Wo": "df",
    "final_norm": "d",
}
_DEBERTA = {
    "embeddings.word_embeddings": "ve",
    "embeddings.position_embeddings": "be",
    "embeddings.token_type_embeddings": "te",
    "embeddings.embed_proj": "de",
    "embeddings.LayerNorm": "d+d",
    "encoder.layer.#.attention.self.query_proj": "dd+d",
    "encoder.layer.#.attention.self.key_proj": "dd+d",
    "encoder.layer.#.attention.self.value_proj": "dd+d",
    **{k: v for k, v in _BERT.items() if ".dense" in k or "output.LayerNorm" in k},
    "encoder.rel_embeddings": "rd",
}
_DISTILBERT = {
    "embeddings.word_embeddings": "vd",
    "embeddings.position_embeddings": "pd",
    "embeddings.LayerNorm": "d+d",
    "transformer.layer.#.attention.q_lin": "dd+d",
    "transformer.layer.#.attention.k_lin": "dd+d",
    "transformer.layer.#.attention.v_lin": "dd+d",
    "transformer.layer.#.attention.out_lin": "dd+d",
    "transformer.layer.#.sa_layer_norm": "d+d",
    "transformer.layer.#.ffn.lin1": "fd+f",
    "transformer.layer.#.ffn.lin2": "df+d",
    "transformer.layer.#.output_layer_norm": "d+d",
}

_GPT2_CONFIG = {
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "n_ctx": 16,
    "n_embd": 32,
    "n_head": 4,
    "n_layer": 2,
    "n_positions": 16,
    "tie_word_embeddings": True,
    "vocab_size": 48,
}
_LLAMA_CONFIG = {
    "hidden_act": "silu",
    "hidden_size": 32,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "tie_word_embeddings": False,
    "vocab_size": 48,
}
_GEMMA_CONFIG = _LLAMA_CONFIG | {
    "head_dim": 16,
    "hidden_act": "gelu_pytorch_tanh",
    "tie_word_embeddings": True,
}
_BERT_CONFIG = {
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 48,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 16,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "pad_token_id": 0,
    "type_vocab_size": 2,
    "vocab_size": 48,
}
_DEBERTA_CONFIG = _BERT_CONFIG | {
    "layer_norm_eps": 1e-7,
    "max_position_embeddings": 24,
    "pos_att_type": ["p2c", "c2p"],
    "position_biased_input": False,
    "position_buckets": 4,
    "relative_attention": True,
    "share_att_key": True,
    "type_vocab_size": 0,
}
_NARROW_CONFIG = _BERT_CONFIG | {"embedding_size": 16, "num_hidden_layers": 3}
_MODERNBERT_CONFIG = {
    "hidden_activation": "gelu",
    "hidden_size": 32,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "norm_eps": 1e-5,
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "cls_token_id": 1,
    "eos_token_id": 2,
    "sep_token_id": 2,
    "local_attention": 6,
    "vocab_size": 48,
}
_ROBERTA_CONFIG = _BERT_CONFIG | {
    "layer_norm_eps": 1e-5,
    "max_position_embeddings": 18,
    "pad_token_id": 1,
    "type_vocab_size": 1,
}
_DISTILBERT_CONFIG = {
    "activation": "gelu",
    "dim": 32,
    "hidden_dim": 48,
    "max_position_embeddings": 16,
    "n_heads": 4,
    "n_layers": 2,
    "pad_token_id": 0,
    "sinusoidal_pos_embds": False,
    "vocab_size": 48,
}


@dataclass(frozen=True)
class Family:
    """How the checkpoints of a family are laid out.

    ``base`` and ``head`` name its architectures without and with a language model's
    head, ``base_only`` and ``head_only`` what only these have, and ``prefix`` is what
    the names of the base's tensors begin with below a head. The first layer lacks the
    tensors ``not_in_first``; with ``masked_logits``, a head for masked tokens is read.
    """

    base: str
    head: str
    prefix: str
    config: Mapping[str, object]
    tensors: Mapping[str, str]
    head_only: Mapping[str, str] = field(default_factory=dict)
    base_only: Mapping[str, str] = field(default_factory=dict)
    norms_around_zero: bool = False
    not_in_first: tuple[str, ...] = ()
    masked_logits: bool = False

    @property
    def decodes(self) -> bool:
        return self.head.endswith(("ForCausalLM", "LMHeadModel"))


_LINEAR_HEAD = {"lm_head": "vd"}
_POOLER = {"pooler.dense": "dd+d"}
_BERT_HEAD = {
    "cls.predictions.transform.dense": "dd+d",
    "cls.predictions.transform.LayerNorm": "d+d",
    "cls.predictions": "+v",
}
_DEBERTA_HEAD = {
    "cls.predictions.transform.dense": "ed+e",
    "cls.predictions.transform.LayerNorm": "e+e",
    "cls.predictions": "+v",
}
_ROBERTA_HEAD = {"lm_head.dense": "dd+d", "lm_head.layer_norm": "d+d", "lm_head": "+v"}
_ELECTRA_HEAD = {
    "generator_predictions.dense": "ed+e",
    "generator_predictions.LayerNorm": "e+e",
    "generator_lm_head": "+v",
}
_ALBERT_HEAD = {
    "predictions.dense": "ed+e",
    "predictions.LayerNorm": "e+e",
    "predictions": "+v",
}
_MODERNBERT_HEAD = {"head.dense": "dd", "head.norm": "d", "decoder": "+v"}
_DISTILBERT_HEAD = {
    "vocab_transform": "dd+d",
    "vocab_layer_norm": "d+d",
    "vocab_projector": "+v",
}


def _decoder(name: str, tensors: Mapping[str, str], **options: object) -> Family:
    config = options.pop("config", _LLAMA_CONFIG)
    return Family(
        options.pop("base", f"{name}Model"),
        f"{name}ForCausalLM",
        "model.",
        config,
        tensors,
        _LINEAR_HEAD,
        **options,
    )


FAMILIES = {
    "gpt2": Family(
        "GPT2Model",
        "GPT2LMHeadModel",
        "transformer.",
        _GPT2_CONFIG,
        _GPT2,
        _LINEAR_HEAD,
    ),
    "llama": _decoder("Llama", _LLAMA),
    "mistral": _decoder("Mistral", _LLAMA),
    "qwen2": _decoder("Qwen2", _QWEN2),
    "gemma": _decoder("Gemma", _LLAMA, config=_GEMMA_CONFIG, norms_around_zero=True),
    "gemma2": _decoder(
        "Gemma2",
        _GEMMA2,
        config=_GEMMA_CONFIG
        | {
            "attn_logit_softcapping": 5.0,
            "final_logit_softcapping": 3.0,
            "hidden_activation": "gelu_pytorch_tanh",
            "query_pre_attn_scalar": 8,
            "sliding_window": 4,
        },
        norms_around_zero=True,
    ),
    "qwen3": _decoder("Qwen3", _QWEN3, config=_LLAMA_CONFIG | {"head_dim": 16}),
    "olmo2": _decoder("Olmo2", _OLMO2),
    "smollm3": _decoder("SmolLM3", _LLAMA, config=_LLAMA_CONFIG | {"pad_token_id": 0}),
    "stablelm": _decoder("StableLm", _STABLELM),
    "stablelm_parallel": _decoder(
        "StableLm",
        {k: v for k, v in _STABLELM.items() if "post_attention" not in k},
        config=_LLAMA_CONFIG
        | {"model_type": "stablelm", "use_parallel_residual": True},
    ),
    "stablelm_norms": _decoder(
        "StableLm",
        _STABLELM_NORMS,
        config=_LLAMA_CONFIG | {"model_type": "stablelm", "qk_layernorm": True},
    ),
    "gemma3_text": _decoder(
        "Gemma3",
        _GEMMA3,
        base="Gemma3TextModel",
        config={
            **{k: v for k, v in _GEMMA_CONFIG.items() if k != "rope_theta"},
            "hidden_activation": "gelu_pytorch_tanh",
            "query_pre_attn_scalar": 8,
            "sliding_window": 4,
            "layer_types": ["sliding_attention", "full_attention"],
        },
        norms_around_zero=True,
    ),
    "bert": Family(
        "BertModel",
        "BertForMaskedLM",
        "bert.",
        _BERT_CONFIG,
        _BERT,
        _BERT_HEAD,
        _POOLER,
    ),
    "roberta": Family(
        "RobertaModel",
        "RobertaForMaskedLM",
        "roberta.",
        _ROBERTA_CONFIG,
        _BERT,
        _ROBERTA_HEAD,
        _POOLER,
    ),
    "xlm-roberta": Family(
        "XLMRobertaModel",
        "XLMRobertaForMaskedLM",
        "roberta.",
        _ROBERTA_CONFIG,
        _BERT,
        _ROBERTA_HEAD,
        _POOLER,
    ),
    "distilbert": Family(
        "DistilBertModel",
        "DistilBertForMaskedLM",
        "distilbert.",
        _DISTILBERT_CONFIG,
        _DISTILBERT,
        _DISTILBERT_HEAD,
    ),
    "electra": Family(
        "ElectraModel",
        "ElectraForMaskedLM",
        "electra.",
        _NARROW_CONFIG,
        _ELECTRA | {"embeddings_project": "de+d"},
        _ELECTRA_HEAD,
        masked_logits=True,
    ),
    "albert": Family(
        "AlbertModel",
        "AlbertForMaskedLM",
        "albert.",
        _NARROW_CONFIG | {"hidden_act": "gelu_new", "num_hidden_groups": 1},
        _ALBERT,
        _ALBERT_HEAD,
        {"pooler": "dd+d"},
        masked_logits=True,
    ),
    "albert_inner": Family(
        "AlbertModel",
        "AlbertForMaskedLM",
        "albert.",
        _NARROW_CONFIG
        | {"model_type": "albert", "hidden_act": "gelu_new"}
        | {"num_hidden_groups": 1, "inner_group_num": 2},
        _ALBERT
        | {name.replace("layers.0", "layers.1"): _ALBERT[name] for name in _ALBERT},
        _ALBERT_HEAD,
        {"pooler": "dd+d"},
        masked_logits=True,
    ),
    "modernbert": Family(
        "ModernBertModel",
        "ModernBertForMaskedLM",
        "model.",
        _MODERNBERT_CONFIG,
        _MODERNBERT,
        _MODERNBERT_HEAD,
        not_in_first=("layers.#.attn_norm",),
        masked_logits=True,
    ),
    "deberta-v2": Family(
        "DebertaV2Model",
        "DebertaV2ForMaskedLM",
        "deberta.",
        _DEBERTA_CONFIG,
        _DEBERTA,
        _DEBERTA_HEAD,
        masked_logits=True,
    ),
}
