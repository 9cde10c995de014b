"""Libraries that results can be handed on to, where they are installed."""

from typing import Any


def pandas_for(what: str) -> Any:
    """Return pandas.

    Parameters
    ----------
    what : str
        What is converted by it, for the message.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise _missing("pandas", what) from None
    return pandas


def xarray_for(what: str) -> Any:
    """Return xarray; see `pandas_for`."""
    try:
        import xarray
    except ImportError:
        raise _missing("xarray", what) from None
    return xarray


def pyarrow_for(what: str) -> Any:
    """Return pyarrow with ``pyarrow.parquet``; see `pandas_for`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise _missing("pyarrow", what) from None
    return pyarrow


def distributed_for(what: str) -> Any:
    """Return ``dask.distributed``; see `pandas_for`."""
    try:
        import distributed
    except ImportError:
        raise ImportError(
            f"The {what} needs distributed to be computed by a cluster. "
            "Install it with: pip install 'attnviewer[cluster]'"
        ) from None
    return distributed


def _missing(name: str, what: str) -> ImportError:
    return ImportError(
        f"The {what} needs {name} to be converted. Install it with: pip install {name}"
    )
