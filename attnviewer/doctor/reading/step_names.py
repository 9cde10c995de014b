"""Steps by their names in code and libraries."""

import re

from attnviewer.compute.arguments import check_name
from attnviewer.document.array_roles.names import named

PREFIX = "mine_"
STEPS = (
    *("Q", "K", "V", "Q_rotated", "K_rotated", "scores", "scaled", "capped"),
    *("biased", "masked", "weights", "heads", "gated", "concatenated", "output"),
)
"""The steps that an implementation may show."""
_SIDES = (("Q", "q", "query"), ("K", "k", "key"), ("V", "v", "value"))
_SCORE = r"(?:(?:attn|attention)_)?(?:scores?|logits)"
_NAMES = {
    (step,): names
    for step, names in {
        "scores": r"qk|qk_?t|dots?|sim(?:ilarity)?|raw_scores|scores_raw",
        "scaled": rf"scaled_{_SCORE}|{_SCORE}_scaled",
        "capped": rf"(?:soft)?capped_{_SCORE}|{_SCORE}_(?:soft)?capped",
        "biased": rf"biased_{_SCORE}|{_SCORE}_(?:biased|with_bias)",
        "masked": rf"masked_{_SCORE}|{_SCORE}_masked",
        "weights": r"probs|probabilities|p_attn|alphas?|a|softmax(?:ed)?"
        r"|(?:attn|attention)_(?:scores_)?softmax|attn_output_weights",
        "heads": r"head_outputs?|heads_out(?:put)?|per_head(?:_outputs?)?|o_heads|z",
        "gated": r"gated_(?:heads?|output|attn_output|context)",
        "concatenated": r"concat|merged(?:_heads)?|heads_(?:merged|concat(?:enated)?)",
        "output": r"out|outputs|y|result|final(?:_output)?|mha_out(?:put)?"
        r"|attention_output",
    }.items()
} | {
    # One variable that a library's function overwrites step by step.
    ("scores", "scaled", "capped", "biased", "masked"): r"(?:attn|attention)_scores"
    r"|(?:attn|attention)_logits|logits",
    ("concatenated", "heads", "output"): r"context(?:_layer|_vec)?|ctx",
    ("output", "concatenated", "heads"): r"attn_out(?:put)?|o|sdpa_out(?:put)?",
}
for _step, _letter, _word in _SIDES:
    _side = rf"{_letter}|{_word}"
    _NAMES[(_step,)] = (
        rf"(?:mixed_)?{_word}_layer|(?:{_side})_(?:proj(?:ected)?|heads?)"
        rf"|{_letter}s|x{_letter}"
    )
    _NAMES[(_step, f"{_step}_rotated")] = rf"{_word}_states?"
    _turned = r"(?:rot(?:ated|ary)?|rope|roped|embed(?:ded)?|pe)"
    _NAMES[(f"{_step}_rotated",)] = (
        rf"(?:{_side})_{_turned}|{_turned}[ _](?:{_side})|(?:{_word})_states_{_turned}"
    )
_PATTERNS = [(steps, re.compile(text, re.IGNORECASE)) for steps, text in _NAMES.items()]


def steps_named(name: str) -> tuple[str, ...]:
    """Return the steps that an array may be by its name, the usual one first.

    Parameters
    ----------
    name : str
        The name, with or without `PREFIX`.

    Raises
    ------
    ValueError
        If it is the name of none.
    """
    bare = name.removeprefix(PREFIX)
    for step in STEPS:
        if bare.lower() == step.lower():
            return (step,)
    for steps, pattern in _PATTERNS:
        if pattern.fullmatch(bare):
            return steps
    known = named(bare)
    if known is not None and known.role in STEPS:
        return (known.role,)
    check_name("step", bare, STEPS)
    raise AssertionError
