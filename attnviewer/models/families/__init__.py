"""The supported families of models, each a table of names and a small adapter."""

from collections.abc import Callable, Mapping

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import read_bert, read_distilbert, read_roberta
from attnviewer.models.families.gemma import read_gemma, read_gemma2
from attnviewer.models.families.gpt2 import read_gpt2
from attnviewer.models.families.gpt_neox import read_gpt_neox
from attnviewer.models.families.gpt_oss import read_gpt_oss
from attnviewer.models.families.llama import read_llama, read_mistral, read_qwen2
from attnviewer.models.families.opt import read_opt
from attnviewer.models.families.phi3 import read_phi3

FAMILIES: Mapping[str, Callable[[Mapping[str, object]], Architecture]] = {
    "bert": read_bert,
    "camembert": read_roberta,
    "distilbert": read_distilbert,
    "gemma": read_gemma,
    "gemma2": read_gemma2,
    "gpt2": read_gpt2,
    "gpt_neox": read_gpt_neox,
    "gpt_oss": read_gpt_oss,
    "llama": read_llama,
    "mistral": read_mistral,
    "opt": read_opt,
    "phi3": read_phi3,
    "qwen2": read_qwen2,
    "roberta": read_roberta,
    "xlm-roberta": read_roberta,
}
"""The function that reads a configuration as an `Architecture`, by model type."""
