"""What a test of generation and the script that records transformers' share."""

import json
from dataclasses import dataclass, field
from pathlib import Path

PATH = Path(__file__).parents[1] / "data" / "models" / "generated.json"
PROMPT = (1, 2, 3, 4, 5)
LOGITS = (0.3, 2.0, -1.0, 1.1, 0.3, 1.9, -0.4, 0.8)
N_TOKENS = 24


@dataclass(frozen=True)
class Case:
    """A checkpoint of `checkpoints.write`."""

    family: str
    options: dict[str, object] = field(default_factory=dict)


CASES = {
    "gpt2": Case("gpt2", {"n_positions": 80, "n_ctx": 80}),
    "llama": Case("llama", {"max_position_embeddings": 80}),
    "window": Case("mistral", {"sliding_window": 5}),
    "capped": Case("gemma2", {"sliding_window": 5}),
    "end": Case("llama", {"eos_token_id": [24, 47]}),
}
FILTERS = {
    "temperature": {"temperature": 0.5},
    "top_k": {"top_k": 3},
    "top_p": {"top_p": 0.6},
    "all": {"temperature": 1.7, "top_k": 5, "top_p": 0.8},
}
"""What the probabilities of `LOGITS` are filtered by."""


def recorded() -> dict[str, dict[str, list[float]]]:
    return json.loads(PATH.read_text(encoding="utf-8"))
