"""scaled_dot_product_attention, nn.MultiheadAttention, and autograd's gradients."""

import numpy as np

from attnviewer import alibi_bias, attention, multi_head_attention

from .cases import Case


def scaled_dot_product(case: Case) -> dict[str, np.ndarray]:
    # A boolean mask says who attends, as attnviewer's does; causal is top-left.
    mask = case.inputs.get("attn_mask")
    boolean = mask is not None and mask.dtype == np.bool_
    return _attend(case, **{"mask" if boolean else "bias": mask})


def scaled_dot_product_with_alibi(case: Case) -> dict[str, np.ndarray]:
    n_q, n_k = (case.inputs[name].shape[-2] for name in ("Q", "K"))
    return _attend(case, bias=alibi_bias(case.attrs["num_heads"], n_q, n_k))


def _attend(case: Case, **mask: np.ndarray | None) -> dict[str, np.ndarray]:
    trace = attention(
        *(case.inputs[name] for name in ("Q", "K", "V")),
        scale=case.attrs.get("scale"),
        softcap=case.attrs.get("softcap"),
        causal=case.attrs["is_causal"],
        **mask,
    )
    return {"output": trace["output"], "weights": trace["weights"]}


def multi_head(case: Case) -> dict[str, np.ndarray]:
    inputs = case.inputs
    crossed = not case.attrs["self_attention"]
    extra_keys, extra_values = _extra_rows(case)
    trace = multi_head_attention(
        inputs["query"],
        # torch's Linear keeps its weights as (out, in).
        *(inputs[f"W_{name}"].T for name in "qkvo"),
        **{f"b_{name}": inputs.get(f"b_{name}") for name in "qkvo"},
        context=inputs["key"] if crossed else None,
        values=inputs["value"] if crossed else None,
        n_heads=case.attrs["num_heads"],
        extra_keys=extra_keys,
        extra_values=extra_values,
        **_masks(inputs, n_extra=0 if extra_keys is None else len(extra_keys)),
    )
    weights = trace["weights"]  # (batch, h, n_q, n_k)
    return {
        "output": trace["output"],
        "weights": weights,
        "weights_mean": weights.mean(axis=1),
    }


def _extra_rows(case: Case) -> tuple[np.ndarray, np.ndarray] | tuple[None, None]:
    """Return the keys and values after the sequence: first the learned, then zero."""
    inputs = case.inputs
    keys, values = [], []
    if case.attrs["add_bias_kv"]:
        keys.append(inputs["bias_k"])
        values.append(inputs["bias_v"])
    if case.attrs["add_zero_attn"]:
        keys.append(np.zeros_like(inputs["W_k"][:, 0]))
        values.append(np.zeros_like(inputs["W_v"][:, 0]))
    return (np.stack(keys), np.stack(values)) if keys else (None, None)


def _masks(inputs: dict[str, np.ndarray], n_extra: int) -> dict[str, np.ndarray]:
    """Return mask and bias; True is blocked there, and all see the extra keys."""
    options: dict[str, np.ndarray] = {}
    seen = []
    if "key_padding_mask" in inputs:
        seen.append(~inputs["key_padding_mask"][:, None, None])  # (batch, 1, 1, n_k)
    if "attn_mask" in inputs:
        mask = inputs["attn_mask"]  # (n_q, n_k)
        if mask.dtype == np.bool_:
            seen.append(~mask)
        else:
            options["bias"] = np.pad(mask, [(0, 0), (0, n_extra)])
    if seen:
        mask = seen[0] if len(seen) == 1 else seen[0] & seen[1]
        widths = [(0, 0)] * (mask.ndim - 1) + [(0, n_extra)]
        options["mask"] = np.pad(mask, widths, constant_values=True)
    return options


def gradients(case: Case) -> dict[str, np.ndarray]:
    """Derive the sum of C times the output, and one single weight."""
    attrs, inputs = case.attrs, case.inputs
    trace = multi_head_attention(
        *(inputs[name] for name in ("X", "W_Q", "W_K", "W_V", "W_O")),
        context=inputs.get("X_kv"),
        n_heads=attrs["num_heads"],
        causal=attrs["is_causal"],
        scale=attrs["scale"],
        softcap=attrs["softcap"],
    )
    index = tuple(attrs["weight_index"])
    one = np.zeros_like(trace["weights"])
    one[index] = 1
    of_loss = trace.backward({"output": inputs["C"]})
    of_weight = trace.backward({"weights": one})
    results = {
        "loss": np.sum(inputs["C"] * trace["output"]),
        "weight": trace["weights"][index],
        "output": trace["output"],
        "weights": trace["weights"],
    }
    for recorded in inputs.keys() - {"C"}:
        name = "context" if recorded == "X_kv" else recorded
        results[f"dloss_{recorded}"] = of_loss[name]
        results[f"dweight_{recorded}"] = of_weight[name]
    return results
