"""The same attention by PyTorch's fused function, where that covers the variant."""

from attnviewer.compute import Trace
from attnviewer.compute.stages import (
    AddBias,
    ApplyMask,
    Scale,
    Score,
)
from attnviewer.io.export.program.expected import Expected
from attnviewer.io.export.program.names import variable


def fused_code(trace: Trace, expected: Expected) -> str:
    """Return a call of ``scaled_dot_product_attention`` on the variables of a program.

    "" where it does not cover the variant: it supports only scaled, biased and masked
    dot products with softmax, and its result for a query without keys depends on the
    version.
    """
    pipeline = trace.pipeline
    if not pipeline.only_normalizes:
        return ""
    compare, normalize, mix = pipeline.comparison, pipeline.normalize, pipeline.mix
    points = pipeline.on_scores
    plain = (
        isinstance(compare, Score)
        and normalize.normalizer.name == "softmax"
        and normalize.normalizer.temperature == 1.0
        and all(isinstance(stage, Scale | AddBias | ApplyMask) for stage in points)
    )
    held = any(s.pins is not None for s in (compare, *points, normalize, mix))
    if not plain or held or expected.rows(normalize).blind:
        return ""
    queries, keys = compare.inputs
    arguments = [variable(name) for name in (queries, keys, mix.inputs[1])]
    kinds = {type(stage) for stage in points}
    if AddBias in kinds:
        added = "torch.where(seen, added, -inf)" if ApplyMask in kinds else "added"
        arguments.append(f"attn_mask={added}")
    elif ApplyMask in kinds:
        arguments.append("attn_mask=seen")
    scales = [stage for stage in points if isinstance(stage, Scale)]
    if not scales:
        arguments.append("scale=1.0")
    elif scales[0].factor is not None:
        arguments.append(f"scale={float(scales[0].factor)!r}")
    n_heads = trace.n_heads(pipeline.weights)
    if {trace.n_heads(keys), trace.n_heads(mix.inputs[1])} != {n_heads}:
        arguments.append("enable_gqa=True")
    written = "".join(f"    {argument},\n" for argument in arguments)
    return (
        "fused = torch.nn.functional.scaled_dot_product_attention(\n"
        f"{written})\n"
        f"{expected.check_same('fused', mix.name)}"
    )
