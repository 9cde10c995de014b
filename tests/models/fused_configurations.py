"""Configurations of GPT-NeoX, OPT, Phi-3 and gpt-oss whose results are recorded."""

from tests.models.configurations import TWELVE, case

_LONGROPE = {
    "type": "longrope",
    "short_factor": [1.0, 1.5, 2.0, 3.0],
    "long_factor": [1.0, 3.0, 6.0, 12.0],
}
_YARN = {
    "rope_type": "yarn",
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}

FUSED = {
    "gpt_neox": case(
        "gpt_neox", "parallel layers; half of the columns turn", ids=TWELVE
    ),
    "gpt_neox_sequential": case(
        "gpt_neox",
        "one after the other; a quarter turns, as the newest files say it; no biases",
        use_parallel_residual=False,
        attention_bias=False,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 500.0,
            "partial_rotary_factor": 0.25,
        },
        leave_out=["rotary_pct", "rotary_emb_base"],
    ),
    "gpt_neox_yarn": case(
        "gpt_neox",
        "the factor of YaRN acts on the columns that turn alone",
        rope_scaling=_YARN,
        ids=TWELVE,
    ),
    "opt": case("opt", "positions start at row 2; tied", ids=TWELVE),
    "opt_unbiased": case(
        "opt",
        "no biases, another activation",
        enable_bias=False,
        activation_function="gelu",
    ),
    "opt_plain": case("opt_plain", "norms have neither weights nor biases"),
    "opt_350m": case(
        "opt_350m",
        "norms after the sums, none at the end; embeddings are projected in and out",
    ),
    "phi3": case("phi3", "fused projections; multi-query"),
    "phi3_window": case(
        "phi3",
        "a window of 4; half of the columns turn",
        sliding_window=4,
        partial_rotary_factor=0.5,
        ids=TWELVE,
    ),
    "phi3_short": case(
        "phi3",
        "LongRoPE within the trained length of 8",
        rope_scaling=_LONGROPE,
    ),
    "phi3_long": case(
        "phi3",
        "LongRoPE beyond the trained length, of half of the columns",
        rope_scaling={
            "type": "longrope",
            "short_factor": [1.0, 2.0],
            "long_factor": [4.0, 9.0],
        },
        partial_rotary_factor=0.5,
        ids=TWELVE,
    ),
    "gpt_oss": case(
        "gpt_oss", "sinks; every second layer has a window of 4; YaRN", ids=TWELVE
    ),
    "gpt_oss_clamped": case(
        "gpt_oss",
        "a clamp that is felt; no biases of attention; windows elsewhere; one expert",
        attention_bias=False,
        layer_types=["full_attention", "sliding_attention"],
        swiglu_limit=0.25,
        num_experts_per_tok=1,
        ids=TWELVE,
    ),
    "gpt_oss_bfloat16": case("gpt_oss", "experts in bfloat16", dtype="bfloat16"),
}
