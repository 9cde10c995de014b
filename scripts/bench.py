"""Measure attnviewer beside what else people use, in its environment.

``python3 scripts/bench.py [subject …] [options]``; ``--help`` lists both. What is
measured lies in the folder `benchmarks`, one file per subject.
"""

import subprocess
import sys

import environment


def main() -> int:
    environment.prepare()
    benchmarks = environment.ROOT / "scripts" / "benchmarks"
    command = [str(environment.PYTHON), str(benchmarks), *sys.argv[1:]]
    return subprocess.call(command)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
