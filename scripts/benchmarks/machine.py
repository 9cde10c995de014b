"""What the numbers were measured on."""

import importlib
import importlib.metadata
import importlib.util
import os
import platform
from typing import Any

import numpy as np

import attnviewer

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def describe() -> dict[str, Any]:
    """Return versions and threads."""
    about: dict[str, Any] = {
        "platform": platform.platform(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "attnviewer": attnviewer.__version__,
        "numpy": np.__version__,
        "blas": _blas(),
    }
    for name in ("torch", "transformers", "scipy", "matplotlib"):
        about[name] = version(name) or "not installed"
    if version("torch"):
        about["torch threads"] = import_optional("torch").get_num_threads()
    return about


def load() -> list[str]:
    """Say how busy the machine is, ourselves included; nothing on Windows."""
    if not hasattr(os, "getloadavg"):
        return []
    return [f"Load average of the last minute: {os.getloadavg()[0]:.2f}."]


def version(package: str) -> str | None:
    """Return the version of a package; None if it cannot be imported."""
    if importlib.util.find_spec(package) is None:
        return None
    return importlib.metadata.version(package)


def import_optional(module: str) -> Any:
    """Import what is no dependency, and so has no types here."""
    return importlib.import_module(module)


def left_out(package: str, baselines: str) -> list[str]:
    """Say which baselines are left out, and why; nothing if none are."""
    if version(package):
        return []
    return [
        f"Left out: {baselines}; {package} is not installed "
        f"(.venv's pip install {package} brings it)."
    ]


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:  # noqa: PTH123
            names = [line for line in lines if line.startswith("model name")]
        return names[0].split(":")[1].strip()
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def _blas() -> str:
    config: Any = np.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {})
    given = {v: os.environ[v] for v in THREAD_VARIABLES if v in os.environ}
    threads = ", ".join(f"{name}={count}" for name, count in given.items())
    name = f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()
    return f"{name}, threads: {threads or 'its default, one per CPU'}"
