"""Run the benchmarks: each comparison in a process of its own, then the table.

A fresh process has fresh memory and idle threads, whatever was measured before it.
"""

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import machine
import report
from comparison import Comparison, Comparisons, Settings

SUBJECTS = {
    "pass": "full_pass",
    "edit": "edits",
    "drift": "drift",
    "pins": "pins",
    "tables": "tables",
    "csv": "csv_export",
    "edit-to-paint": "edit_to_paint",
    "model-forward": "model_forward",
    "models": "model_layers",
    "survey": "survey",
    "long": "long_context",
    "long-heatmap": "long_heatmap",
    "seek": "seek",
    "train": "train",
    "doctor": "doctor",
    "startup": "startup",
}
"""What can be measured: the module of each subject, by the subject's name."""


def main(arguments: list[str]) -> int:
    parser = make_parser()
    given = parser.parse_args(arguments)
    for subject in given.subjects:
        if subject not in SUBJECTS:
            parser.error(f"no subject '{subject}'; there are {', '.join(SUBJECTS)}")
    settings = Settings(given.quick, given.tokens, given.rounds)
    if given.only is not None:
        print(json.dumps(measured(given.subjects[0], given.only, settings)))
        return 0
    if given.json is not None and not given.json.parent.is_dir():
        parser.error(f"there is no folder {given.json.parent}")
    about = {**machine.describe(), "settings": settings.described()}
    print(report.header(about), flush=True)
    results: list[dict[str, Any]] = []
    failed: list[str] = []
    for subject in given.subjects or SUBJECTS:
        for place, comparison in enumerate(comparisons(subject, settings)):
            print(f"\n{subject}: {comparison.title}", flush=True)
            result = in_a_process(subject, place, settings)
            if result is None:
                failed.append(f"{subject}: {comparison.title}")
                continue
            print(report.table(result), flush=True)
            results.append({"subject": subject, "title": comparison.title, **result})
    if given.json is not None:
        whole = {"machine": about, "comparisons": results, "failed": failed}
        given.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if failed:
        print(f"\nFailed: {'; '.join(failed)}")
    return int(bool(failed))


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench.py", description="Measure attnviewer beside what else people use."
    )
    parser.add_argument(
        "subjects",
        nargs="*",
        metavar="subject",
        help=f"what to measure: {', '.join(SUBJECTS)}; all by default",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="small sizes and few rounds, to see that all runs; its times say nothing",
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write every single time there, too"
    )
    parser.add_argument(
        "--tokens",
        type=positive,
        metavar="N",
        help="the only length instead of the usual",
    )
    parser.add_argument(
        "--rounds",
        type=positive,
        metavar="N",
        help="how often each variant is timed; by default as often as time allows",
    )
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    return parser


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def in_a_process(subject: str, place: int, settings: Settings) -> dict[str, Any] | None:
    """Measure one comparison; None if its process failed, which it then has said."""
    here = str(Path(__file__).parent)
    options = [*settings.options(), "--only", str(place)]
    done = subprocess.run(
        [sys.executable, here, subject, *options],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    if done.returncode:
        print(f"  ended with code {done.returncode}")
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    result["notes"] += machine.load()
    return result


def measured(subject: str, place: int, settings: Settings) -> dict[str, Any]:
    comparison = comparisons(subject, settings)[place]
    return comparison.measure(settings).described()


def comparisons(subject: str, settings: Settings) -> list[Comparison]:
    """Return the comparisons of one subject, whose module alone is loaded."""
    made: Comparisons = importlib.import_module(SUBJECTS[subject]).comparisons
    return made(settings)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
