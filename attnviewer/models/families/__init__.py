"""The supported families of models, each a table of names and a small adapter."""

from collections.abc import Callable, Mapping

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bart import read_bart
from attnviewer.models.families.bert import read_bert, read_distilbert, read_roberta
from attnviewer.models.families.gemma import read_gemma, read_gemma2
from attnviewer.models.families.gpt2 import read_gpt2
from attnviewer.models.families.llama import read_llama, read_mistral, read_qwen2
from attnviewer.models.families.mpnet import read_mpnet
from attnviewer.models.families.t5 import read_t5

FAMILIES: Mapping[str, Callable[[Mapping[str, object]], Architecture]] = {
    "bart": read_bart,
    "bert": read_bert,
    "camembert": read_roberta,
    "distilbert": read_distilbert,
    "gemma": read_gemma,
    "gemma2": read_gemma2,
    "gpt2": read_gpt2,
    "llama": read_llama,
    "mistral": read_mistral,
    "mpnet": read_mpnet,
    "mt5": read_t5,
    "qwen2": read_qwen2,
    "roberta": read_roberta,
    "t5": read_t5,
    "xlm-roberta": read_roberta,
}
"""The function that reads a configuration as an `Architecture`, by model type."""
