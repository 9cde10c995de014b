"""What programs are written with: NumPy, or PyTorch, which speaks nearly the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.compute import notation
from attnviewer.compute.notation import Library
from attnviewer.io.export.program.own_functions import FUNCTIONS


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the code that is written with NumPy reads with another library.

    Parameters
    ----------
    library : str
        Its name, for people.
    setup : str
        The lines that import it.
    arrays : Library
        How rules are written with it.
    words : tuple of (str, str)
        What NumPy says and what it says instead, replaced in this order.
    functions : mapping of str to str
        Functions that read otherwise altogether.
    fused : bool
        Whether it has a function of its own for attention as a whole.
    """

    library: str
    setup: str
    arrays: Library
    words: tuple[tuple[str, str], ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)
    fused: bool = False

    def say(self, code: str) -> str:
        """Return code that is written with NumPy in this dialect."""
        for word, other in self.words:
            code = code.replace(word, other)
        return code

    def function(self, name: str) -> str:
        """Return the code of a function."""
        return self.functions.get(name) or self.say(FUNCTIONS[name])


NUMPY = Dialect("NumPy", "import numpy as np", notation.NUMPY)

_UNPACK = '''
def unpack(dtype, shape, text):
    """Return the tensor whose compressed bytes are written in base64."""
    content = bytearray(zlib.decompress(base64.b64decode(text)))
    types = {"<f8": torch.float64, "<f4": torch.float32, "<f2": torch.float16}
    tensor = torch.frombuffer(content, dtype=types.get(dtype, torch.bool))
    tensor = tensor.reshape(shape)
    return tensor if tensor.dtype == torch.bool else tensor.double()
'''

_CHECK = '''
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

_CHECK_SUMMARY = '''
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
    (
        (
            "np.sort(-z.clip(min=-1), axis=-1)",
            "np.sort(-z.clip(min=-1), axis=-1).values",
        ),
        (".max(axis=-1, keepdims=True)", ".amax(dim=-1, keepdim=True)"),
        ("np.array(", "torch.tensor("),
        ("np.concatenate(", "torch.cat("),
        ("np.repeat(", "torch.repeat_interleave("),
        ("np.take_along_axis(", "torch.take_along_dim("),
        (".copy()", ".clone()"),
        ("dtype=bool", "dtype=torch.bool"),
        ("axis=", "dim="),
        ("keepdims=", "keepdim="),
        ("np.", "torch."),
    ),
    {"unpack": _UNPACK, "check": _CHECK, "check_summary": _CHECK_SUMMARY},
    fused=True,
)
