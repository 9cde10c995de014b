"""The supported families of models, each a table of names and a small adapter."""

from collections.abc import Callable, Mapping

from attnviewer.models.architecture import Architecture
from attnviewer.models.families.bert import read_bert, read_distilbert, read_roberta
from attnviewer.models.families.gemma import read_gemma, read_gemma2
from attnviewer.models.families.gemma3 import read_gemma3, read_gemma3_text
from attnviewer.models.families.gpt2 import read_gpt2
from attnviewer.models.families.llama import read_llama, read_mistral, read_qwen2
from attnviewer.models.families.olmo2 import read_olmo2
from attnviewer.models.families.qwen3 import read_qwen3
from attnviewer.models.families.smollm3 import read_smollm3

FAMILIES: Mapping[str, Callable[[Mapping[str, object]], Architecture]] = {
    "bert": read_bert,
    "camembert": read_roberta,
    "distilbert": read_distilbert,
    "gemma": read_gemma,
    "gemma2": read_gemma2,
    "gemma3": read_gemma3,
    "gemma3_text": read_gemma3_text,
    "gpt2": read_gpt2,
    "llama": read_llama,
    "mistral": read_mistral,
    "olmo2": read_olmo2,
    "qwen2": read_qwen2,
    "qwen3": read_qwen3,
    "roberta": read_roberta,
    "smollm3": read_smollm3,
    "xlm-roberta": read_roberta,
}
"""The function that reads a configuration as an `Architecture`, by model type."""
