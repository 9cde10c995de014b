"""The supported families of models, each a table of names and a small adapter."""

from collections.abc import Callable, Mapping

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bart import read_bart
from attnviewer.models.families.bert import read_bert, read_distilbert, read_roberta
from attnviewer.models.families.clip import (
    read_clip,
    read_clip_text,
    read_clip_vision,
)
from attnviewer.models.families.deberta import read_deberta_v2
from attnviewer.models.families.electra import read_albert, read_electra
from attnviewer.models.families.gemma import read_gemma, read_gemma2
from attnviewer.models.families.gemma3 import read_gemma3, read_gemma3_text
from attnviewer.models.families.gpt2 import read_gpt2
from attnviewer.models.families.gpt_neox import read_gpt_neox
from attnviewer.models.families.gpt_oss import read_gpt_oss
from attnviewer.models.families.llama import read_llama, read_mistral, read_qwen2
from attnviewer.models.families.modernbert import read_modernbert
from attnviewer.models.families.mpnet import read_mpnet
from attnviewer.models.families.olmo2 import read_olmo2
from attnviewer.models.families.opt import read_opt
from attnviewer.models.families.phi3 import read_phi3
from attnviewer.models.families.qwen3 import read_qwen3
from attnviewer.models.families.smollm3 import read_smollm3
from attnviewer.models.families.stablelm import read_stablelm
from attnviewer.models.families.t5 import read_t5
from attnviewer.models.families.vit import (
    read_deit,
    read_dinov2,
    read_dinov2_with_registers,
    read_vit,
)

FAMILIES: Mapping[str, Callable[[Mapping[str, object]], Architecture]] = {
    "albert": read_albert,
    "bart": read_bart,
    "bert": read_bert,
    "camembert": read_roberta,
    "clip": read_clip,
    "clip_text_model": read_clip_text,
    "clip_vision_model": read_clip_vision,
    "deit": read_deit,
    "dinov2": read_dinov2,
    "dinov2_with_registers": read_dinov2_with_registers,
    "deberta-v2": read_deberta_v2,
    "distilbert": read_distilbert,
    "electra": read_electra,
    "gemma": read_gemma,
    "gemma2": read_gemma2,
    "gemma3": read_gemma3,
    "gemma3_text": read_gemma3_text,
    "gpt2": read_gpt2,
    "gpt_neox": read_gpt_neox,
    "gpt_oss": read_gpt_oss,
    "llama": read_llama,
    "mistral": read_mistral,
    "modernbert": read_modernbert,
    "mpnet": read_mpnet,
    "mt5": read_t5,
    "olmo2": read_olmo2,
    "opt": read_opt,
    "phi3": read_phi3,
    "qwen2": read_qwen2,
    "qwen3": read_qwen3,
    "roberta": read_roberta,
    "smollm3": read_smollm3,
    "stablelm": read_stablelm,
    "vit": read_vit,
    "t5": read_t5,
    "xlm-roberta": read_roberta,
}
"""The function that reads a configuration as an `Architecture`, by model type."""
