"""Learned rows beside the weights: gains and shifts of norms, and sinks."""

import re
from collections.abc import Mapping
from dataclasses import replace

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.options import Options

_NORM = r"(?:{0}_?(?:layer)?norm|norm_{0}|{1}_(?:layer)?norm|{0}_ln|ln_{0})"
_ENDS = {
    "gain": r"(?:[._](?:weight|scale|gain|gamma))?",
    "shift": r"[._](?:bias|shift|beta)",
}
_PATTERNS = {
    f"{kind}_{letter}": re.compile(
        rf"(?:.*\.)?(?:{kind}_{letter}|{_NORM.format(letter, word)}{end})",
        re.IGNORECASE,
    )
    for letter, word in (("q", "query"), ("k", "key"))
    for kind, end in _ENDS.items()
}
_PATTERNS["sinks"] = re.compile(r"(?:.*\.)?(?:sinks?|attn_sinks?|s_aux)", re.IGNORECASE)


def learned_rows(arrays: Mapping[str, Numbers]) -> dict[str, str]:
    """Return which arrays are gains, shifts and sinks: their names, by what they are.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The inputs by the names that people give them.
    """
    return {
        role: name
        for role, pattern in _PATTERNS.items()
        for name in arrays
        if pattern.fullmatch(name)
    }


def with_learned_rows(
    options: Options, arrays: Mapping[str, Numbers], notes: list[str]
) -> Options:
    """Return options with the gains, shifts and sinks that are among the inputs.

    Those that the options have already stay. A norm that no option tells of is an RMS
    norm, or a layer norm where there is a shift.

    Parameters
    ----------
    options : Options
        What is meant.
    arrays : mapping of str to ndarray
        The inputs by the names that people give them.
    notes : list of str
        A sentence on a norm that only its arrays reveal is appended.
    """
    rows = learned_rows(arrays)
    sinks = rows.pop("sinks", None)
    if sinks is not None and options.sinks is None:
        options = replace(options, sinks=arrays[sinks])
    if not rows or options.qk_norm_weights is not None:
        return options
    weights = {role: arrays[name] for role, name in rows.items()}
    if options.qk_norm is None:
        kind = "layer" if any(role.startswith("shift") for role in rows) else "rms"
        names = " and ".join(repr(name) for name in rows.values())
        title = "a layer norm" if kind == "layer" else "an RMS norm"
        notes.append(f"{names} are read as those of {title} of queries and keys.")
        options = replace(options, qk_norm=kind)
    return replace(options, qk_norm_weights=weights)
