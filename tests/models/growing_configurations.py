"""Configurations whose rotation changes with the length of the sentence."""

from tests.models.configurations import TWELVE, TWENTY, case

_DYNAMIC = {"rope_type": "dynamic", "factor": 4.0}
_LONGROPE = {
    "rope_type": "longrope",
    "short_factor": [1.0, 1.5, 2.0, 3.0],
    "long_factor": [1.0, 3.0, 6.0, 12.0],
    "original_max_position_embeddings": 8,
}

GROWING = {
    "llama_rope_dynamic": case(
        "llama",
        "the base grows: 20 tokens after training on 8",
        max_position_embeddings=8,
        rope_scaling=_DYNAMIC,
        ids=TWENTY,
    ),
    "llama_rope_dynamic_within": case(
        "llama",
        "within the trained length the base stays",
        max_position_embeddings=20,
        rope_scaling={"type": "dynamic", "factor": 4.0},
        ids=TWENTY,
    ),
    "llama_rope_longrope": case(
        "llama",
        "LongRoPE beyond the trained length, stretched by the longest over it",
        max_position_embeddings=32,
        rope_scaling=_LONGROPE,
        ids=TWELVE,
    ),
    "llama_rope_longrope_short": case(
        "llama",
        "LongRoPE within the trained length, with a factor of its own",
        max_position_embeddings=32,
        rope_parameters={**_LONGROPE, "rope_theta": 500.0, "attention_factor": 1.5},
    ),
    "smollm3_rope_dynamic": case(
        "smollm3",
        "the base grows where layers rotate at all",
        max_position_embeddings=8,
        rope_scaling=_DYNAMIC,
        no_rope_layers=[1, 0],
        ids=TWELVE,
    ),
    "gpt_neox_dynamic": case(
        "gpt_neox",
        "the base grows for half of the columns",
        max_position_embeddings=8,
        rope_scaling=_DYNAMIC,
        ids=TWELVE,
    ),
    "gpt_neox_longrope": case(
        "gpt_neox",
        "LongRoPE of half of the columns",
        rope_scaling={
            **_LONGROPE,
            "short_factor": [1.0, 2.0],
            "long_factor": [4.0, 9.0],
        },
        ids=TWELVE,
    ),
}
