"""Record what transformers generates from tiny checkpoints, and how it filters logits.

Not a test. By hand, from the root of the repository, with torch and transformers:

    python -m tests.models.record_generation
"""

import json
import tempfile
from pathlib import Path

import torch
import transformers

from tests.models import checkpoints
from tests.models.generated import CASES, FILTERS, LOGITS, N_TOKENS, PATH, PROMPT, Case


def _greedy(case: Case) -> list[int]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = checkpoints.write(case.family, Path(temporary), **case.options)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float64, attn_implementation="eager"
        )
        out = model.eval().generate(
            torch.tensor([PROMPT]),
            do_sample=False,
            max_new_tokens=N_TOKENS,
            eos_token_id=case.options.get("eos_token_id"),
            pad_token_id=0,
        )
    return out[0, len(PROMPT) :].tolist()


def _filtered(options: dict[str, float]) -> list[float]:
    config = transformers.GenerationConfig(do_sample=True, **options)
    logits, ids = torch.tensor([LOGITS], dtype=torch.float64), torch.tensor([[0]])
    for name, make in (
        ("temperature", transformers.TemperatureLogitsWarper),
        ("top_k", transformers.TopKLogitsWarper),
        ("top_p", transformers.TopPLogitsWarper),
    ):
        if name in options:
            logits = make(getattr(config, name))(ids, logits)
    return logits.softmax(-1)[0].tolist()


def main() -> None:
    told = {
        "transformers": transformers.__version__,
        "greedy": {name: _greedy(case) for name, case in CASES.items()},
        "filtered": {name: _filtered(options) for name, options in FILTERS.items()},
    }
    PATH.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
