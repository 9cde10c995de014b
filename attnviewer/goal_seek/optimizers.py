"""SciPy's optimisers, loaded when they are needed."""

from collections.abc import Callable

import numpy as np

from attnviewer.compute import Array, BoolArray


def bounded_minimum(
    function: Callable[[Array], tuple[float, Array]],
    start: Array,
    lows: Array,
    highs: Array,
    iterations: int,
) -> Array:
    """Return where a smooth function is least near a start, within bounds, (size,).

    Parameters
    ----------
    function : callable
        Returns the function and its gradient.
    start, lows, highs : ndarray, shape (size,)
        Where to begin, and the bounds.
    iterations : int
        How many at most.

    References
    ----------
    L-BFGS-B: Byrd, Lu, Nocedal & Zhu 1995, "A Limited Memory Algorithm for Bound
    Constrained Optimization".
    """
    from scipy.optimize import Bounds, minimize

    found = minimize(
        function,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(lows, highs),
        options={"maxiter": iterations, "maxcor": 10, "ftol": 1e-15, "gtol": 1e-9},
    )
    place: Array = np.asarray(found.x)
    return place


def multipliers(triangle: Array, wanted: Array, equal: BoolArray) -> Array:
    """Return the multipliers λ of the least y with rows · y = or ≤ wanted.

    y = −rowsᵀ λ minimises ‖y‖; λ ≥ 0 where the relation is ≤, and 0 where that is not
    active. Where no y meets all, λ is a least-squares compromise.

    Parameters
    ----------
    triangle : ndarray, shape (k, count)
        The gradients, each a column, in terms of k orthonormal directions.
    wanted : ndarray, shape (count,)
        What the products shall be, or not pass.
    equal : ndarray of bool, shape (count,)
        Which are equations.

    References
    ----------
    Least distance programming: Lawson & Hanson 1974, "Solving Least Squares Problems",
    chapter 23.
    """
    from scipy.optimize import lsq_linear

    place: Array = np.linalg.lstsq(triangle.T, wanted, rcond=1e-12)[0]
    if equal.all():
        free: Array = -np.linalg.lstsq(triangle, place, rcond=1e-12)[0]
        return free
    # Scaled to ‖y‖ ≈ 1, so that neither part of the residual is lost to rounding.
    size = float(np.linalg.norm(place)) or 1.0
    system = -np.vstack([triangle, wanted / size])  # (≤ count + 1, count)
    last = np.zeros(len(system))
    last[-1] = 1.0
    lows = np.where(equal, -np.inf, 0.0)
    found = lsq_linear(system, last, (lows, np.inf), method="bvls", tol=1e-14)
    left = last - system @ found.x
    squared = float(left @ left)  # 1 / (1 + ‖y / size‖²), and 0 where no y meets all
    factors: Array = found.x * (size / max(squared, 1e-12))
    return factors
