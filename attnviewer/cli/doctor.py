"""``attnviewer doctor``: what is wrong with an implementation of attention."""

import argparse
import json
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviewer.cli.output import RefusedError, print_line
from attnviewer.cli.parsing import Parser, add_layer, command_parser
from attnviewer.sources import EXAMPLE_PREFIX, as_model

if TYPE_CHECKING:
    from attnviewer.doctor.diagnosis import Diagnosis, Finding

AGREES, DIFFERS = 0, 1
"""Exit codes; 2 is for what cannot be compared."""
_REPORTS = ".html", ".md"


def run_doctor(arguments: list[str]) -> int:
    """Compare an implementation's arrays with the right ones, and name the mistake."""
    options = _parser().parse_args(arguments)
    from attnviewer.doctor.lessons import PREFIX, lesson
    from attnviewer.io.npz_kinds import is_of_recording

    path, spec = options.file, options.spec
    _refuse_other_sources(path)
    if path.startswith(PREFIX):
        chosen = lesson(path.removeprefix(PREFIX))
        path, spec = chosen.path, spec or chosen.spec
    if is_of_recording(Path(path)):
        diagnosis = _of_recording(path, options.layer or 0, spec)
    elif options.layer is not None:
        raise RefusedError("argument --layer: only a recording has layers here.")
    else:
        diagnosis = _of_arrays(path, spec)
    if options.report is not None:
        from attnviewer.doctor.report import write_report

        write_report(diagnosis, options.report)
    if options.json:
        print_line(json.dumps(as_json(diagnosis)))
    else:
        for line in str(diagnosis).splitlines():
            print_line(line)
        if options.report is not None:
            print_line(f"{options.report} written")
    return AGREES if diagnosis.agrees else DIFFERS


def _of_arrays(path: str, spec: str) -> "Diagnosis":
    from attnviewer.doctor.diagnosing import diagnose_case
    from attnviewer.doctor.reading import read_case_file

    try:
        case = read_case_file(path, spec)
    except ValueError as error:
        raise RefusedError(f"argument --spec: {error}") from None
    return diagnose_case(case)


def _of_recording(path: str, layer: int, spec: str) -> "Diagnosis":
    """Compare what a layer gave with the attention of its queries, keys and values."""
    from attnviewer.doctor.reading import parse_options
    from attnviewer.recording import load_recording

    try:
        meant = parse_options(spec)
    except ValueError as error:
        raise RefusedError(f"argument --spec: {error}") from None
    try:
        return load_recording(path).diagnose(layer, **meant)
    except (ValueError, IndexError) as error:
        raise RefusedError(f"{path}: {error}") from None


def _refuse_other_sources(source: str) -> None:
    """Refuse what has no arrays of an implementation, and name where they come from."""
    if source.startswith(EXAMPLE_PREFIX):
        reason = "It is an example"
    elif source and as_model(source, None) is not None:
        reason = "It is a model, or a folder"
    else:
        return
    raise RefusedError(
        f"{source}: {reason}, without arrays of an implementation to compare. "
        "'attnviewer doctor --help' says what a file needs."
    )


def as_json(diagnosis: "Diagnosis") -> dict[str, Any]:
    """Return a diagnosis as what JSON can hold.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    """
    return {
        "agrees": diagnosis.agrees,
        "first_different": diagnosis.first_different,
        "findings": [_finding(finding) for finding in diagnosis.findings],
        "unexplained": [
            {"step": open_.step, "where": open_.where}
            for open_ in diagnosis.unexplained
        ],
        "harmless": list(diagnosis.harmless),
        "unseen": list(diagnosis.unseen),
        "precision": diagnosis.precision,
        "compared": list(diagnosis.compared),
        "notes": list(diagnosis.notes),
    }


def _finding(finding: "Finding") -> dict[str, Any]:
    return {
        "id": finding.id,
        "ids": list(finding.ids),
        "step": finding.step,
        "parameter": _number(finding.parameter),
        "evidence": _number(finding.evidence),
        "title": finding.title,
        "explanation": finding.explanation,
        "remedy": finding.remedy,
        "source": finding.source,
    }


def _number(value: float | None) -> float | None:
    """Return a number that JSON can hold; None for another."""
    return float(value) if value is not None and isfinite(value) else None


def _parser() -> Parser:
    parser = command_parser(
        "doctor",
        "Tell what is wrong with an implementation of attention: which step differs "
        "first from what its inputs give, and which mistake explains it. The exit code "
        "is 0 where all agrees up to rounding, 1 where it differs, and 2 where it "
        "cannot be compared.",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a .npz, .safetensors or .json file with the inputs (X and W_Q, W_K, W_V, "
        "or Q, K and V) and, as mine_STEP, what the implementation gave: mine_Q, "
        "mine_scores, mine_weights, mine_heads, mine_output ...; or a lesson of 'Find "
        "the bug' with what it is meant to be, such as bug:too-sure; or a recording",
    )
    add_layer(parser)
    parser.add_argument(
        "--spec",
        metavar="NAME=VALUE,...",
        default="",
        help="what is meant, such as n_heads=8,n_kv_heads=2,causal=true,"
        "positions=rope,rope_base=500000; also window=4 (the query's own key and the 3 "
        "before it) or window=[3,0], softcap=50, scale=1/8, normalizer=softmax1, "
        "key_lengths=[5,7], batch_first=false",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the diagnosis as JSON in one line"
    )
    parser.add_argument(
        "--report",
        metavar="FILE.html|.md",
        type=_report,
        help="write it as a page, too",
    )
    return parser


def _report(text: str) -> Path:
    if Path(text).suffix.lower() not in _REPORTS:
        raise argparse.ArgumentTypeError(
            f"the name must end in {' or '.join(_REPORTS)}. Got {text!r}"
        )
    return Path(text)
