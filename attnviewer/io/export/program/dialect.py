"""The libraries that programs are written for: NumPy or PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass

from attnviewer.compute import notation
from attnviewer.compute.notation import Library
from attnviewer.io.export.program.own_functions import function_code


@dataclass(frozen=True, slots=True)
class Dialect:
    """A library as the generated programs use it.

    Parameters
    ----------
    library : str
        Its display name.
    setup : str
        The lines that import it.
    arrays : Library
        Its functions for the notation of code.
    functions : mapping of str to str
        The helper functions that only this library has.
    fused : bool
        Whether it has a built-in function for the whole attention.
    """

    library: str
    setup: str
    arrays: Library
    functions: Mapping[str, str]
    fused: bool = False

    def function(self, name: str) -> str:
        """Return the code of a function."""
        return self.functions.get(name) or function_code(name, self.arrays)


_UNPACK = '''
def unpack(dtype, shape, text):
    """Return the array whose compressed bytes are written in base64."""
    content = zlib.decompress(base64.b64decode(text))
    array = np.frombuffer(content, dtype).reshape(shape)
    return array if array.dtype == bool else array.astype(float)
'''

_CHECK = '''
def check(name, computed, expected, tolerance):
    """Assert that a step holds the expected numbers."""
    expected = np.array(expected)
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    # Numbers below the smallest normal one have fewer digits.
    least = tolerance * size + np.finfo(float).tiny
    np.testing.assert_allclose(
        computed, expected, rtol=tolerance, atol=least, err_msg=name
    )
    print(f"{name}: as expected")
'''

_CHECK_SUMMARY = '''
def check_summary(name, computed, finite, total, size, cells, tolerance):
    """Assert that a large step has the expected sums, and numbers in some cells."""
    numbers = computed.reshape(-1)
    places = [k * (len(numbers) - 1) // (len(cells) - 1) for k in range(len(cells))]
    kept = numbers[np.isfinite(numbers)]
    assert len(kept) == finite, f"{name}: {len(kept)} numbers are finite"
    close = {"rtol": tolerance, "atol": tolerance * size, "err_msg": name}
    np.testing.assert_allclose([kept.sum(), np.abs(kept).sum()], [total, size], **close)
    close["atol"] = tolerance * np.abs(kept).max(initial=0)
    np.testing.assert_allclose(numbers[places], cells, **close)
    print(f"{name}: as expected")
'''

NUMPY = Dialect(
    "NumPy",
    "import numpy as np",
    notation.NUMPY,
    {"unpack": _UNPACK, "check": _CHECK, "check_summary": _CHECK_SUMMARY},
)

_TORCH_UNPACK = '''
def unpack(dtype, shape, text):
    """Return the tensor whose compressed bytes are written in base64."""
    content = bytearray(zlib.decompress(base64.b64decode(text)))
    types = {"<f8": torch.float64, "<f4": torch.float32, "<f2": torch.float16}
    tensor = torch.frombuffer(content, dtype=types.get(dtype, torch.bool))
    tensor = tensor.reshape(shape)
    return tensor if tensor.dtype == torch.bool else tensor.double()
'''

_TORCH_CHECK = '''
def check(name, computed, expected, tolerance):
    """Assert that a step holds the expected numbers."""
    expected = torch.as_tensor(expected)
    kept = expected[expected.isfinite()].abs()
    size = kept.max().item() if len(kept) else 0.0
    # Numbers below the smallest normal one have fewer digits.
    least = tolerance * size + torch.finfo(torch.float64).tiny
    close = {"rtol": tolerance, "atol": least, "equal_nan": True}
    torch.testing.assert_close(computed, expected, **close)
    print(f"{name}: as expected")
'''

_TORCH_CHECK_SUMMARY = '''
def check_summary(name, computed, finite, total, size, cells, tolerance):
    """Assert that a large step has the expected sums, and numbers in some cells."""
    numbers = computed.reshape(-1)
    places = [k * (len(numbers) - 1) // (len(cells) - 1) for k in range(len(cells))]
    kept = numbers[numbers.isfinite()]
    assert len(kept) == finite, f"{name}: {len(kept)} numbers are finite"
    sums, largest = torch.stack([kept.sum(), kept.abs().sum()]), kept.abs().max().item()
    close = {"rtol": tolerance, "atol": tolerance * size, "equal_nan": True}
    torch.testing.assert_close(sums, torch.tensor([total, size]), **close)
    close["atol"] = tolerance * largest
    torch.testing.assert_close(numbers[places], torch.tensor(cells), **close)
    print(f"{name}: as expected")
'''

TORCH = Dialect(
    "PyTorch",
    "import torch\n\ntorch.set_default_dtype(torch.float64)",
    notation.TORCH,
    {
        "unpack": _TORCH_UNPACK,
        "check": _TORCH_CHECK,
        "check_summary": _TORCH_CHECK_SUMMARY,
    },
    fused=True,
)
