"""Record what transformers computes for tiny checkpoints of all families.

Not a test. By hand, from the root of the repository, with torch, transformers and what
the tests need installed:

    python -m tests.models.record_references [NAME ...]

Each configuration below is written by `checkpoints`, loaded in double precision with
eager attention, and run; the results go, rounded to single precision, into
tests/data/models/recorded. It stops if a tensor of a checkpoint is not used, if one is
missing (it would be random), or if single precision is too coarse to reproduce a
result, and says how far each result is from that of the family's first configuration.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import transformers

from tests.models import checkpoints
from tests.models.configurations import CONFIGURATIONS, Configuration
from tests.models.fused_configurations import FUSED
from tests.models.growing_configurations import GROWING
from tests.models.normalised import NORMALISED
from tests.models.recorded import FOLDER, digest

_AUTO = {
    "ForCausalLM": transformers.AutoModelForCausalLM,
    "LMHeadModel": transformers.AutoModelForCausalLM,
    "ForMaskedLM": transformers.AutoModelForMaskedLM,
}


def _run(
    folder: Path, ids: tuple[int, ...], dtype: torch.dtype
) -> tuple[str, dict[str, np.ndarray]]:
    config = json.loads((folder / "config.json").read_text())
    [architecture] = config["architectures"]
    auto = next(
        (auto for end, auto in _AUTO.items() if architecture.endswith(end)),
        transformers.AutoModel,
    )
    # The faster products of experts are not for double precision.
    eager = {"experts_implementation": "eager"} if "num_local_experts" in config else {}
    model, loading = auto.from_pretrained(
        folder,
        dtype=dtype,
        attn_implementation="eager",
        output_loading_info=True,
        **eager,
    )
    wrong = {kind: names for kind, names in loading.items() if names}
    if wrong:
        raise SystemExit(f"{architecture}: {wrong}")
    model.eval()
    with torch.no_grad():
        out = model(
            torch.tensor([ids]), output_hidden_states=True, output_attentions=True
        )
        last = model.base_model(torch.tensor([ids])).last_hidden_state
    assert torch.equal(last, out.hidden_states[-1])
    *states, last = out.hidden_states
    results = {"attentions": torch.cat(out.attentions)}
    if last.shape != states[0].shape:  # projected (OPT)
        results["last_hidden_state"] = last[0]
    else:
        states.append(last)
    results["hidden_states"] = torch.cat(states)
    if auto is transformers.AutoModelForCausalLM or (
        auto is transformers.AutoModelForMaskedLM
        and checkpoints.FAMILIES[config["model_type"]].masked_logits
    ):
        results["logits"] = out.logits[0]
    return type(model).__name__, {k: v.double().numpy() for k, v in results.items()}


def _record(name: str, case: Configuration) -> dict[str, np.ndarray]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = checkpoints.write(case.family, Path(temporary), **case.options)
        weights = digest(folder)
        architecture, exact = _run(folder, case.input_ids, torch.float64)
        _, coarse = _run(folder, case.input_ids, torch.float32)
    for key, want in exact.items():
        # A third of what the tests allow, so that another order of sums passes.
        np.testing.assert_allclose(coarse[key], want, rtol=3e-5, atol=7e-6, err_msg=key)
    rounded = {key: values.astype(np.float32) for key, values in exact.items()}
    np.savez_compressed(FOLDER / f"{name}.npz", **rounded)
    told = {
        "architecture": architecture,
        "family": case.family,
        "options": case.options,
        "input_ids": case.input_ids,
        "note": case.note,
        "weights_sha256": weights,
        "transformers": transformers.__version__,
        "torch": torch.__version__.partition("+")[0],
    }
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
    return exact


def main(names: list[str]) -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    FOLDER.mkdir(parents=True, exist_ok=True)
    first: dict[str, dict[str, np.ndarray]] = {}
    for name, case in (CONFIGURATIONS | NORMALISED | FUSED | GROWING).items():
        if names and name not in names:
            continue
        results = _record(name, case)
        plain = first.setdefault(case.family, results)
        n = min(len(results["hidden_states"][0]), len(plain["hidden_states"][0]))
        far = results["hidden_states"][-1, :n] - plain["hidden_states"][-1, :n]
        print(name, n, f"{np.abs(far).max():.2g}", *results)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
