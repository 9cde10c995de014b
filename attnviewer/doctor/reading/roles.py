"""The step of a plan that an array is, and the possible orders of its axes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers, Shape
from attnviewer.compute.mistakes import Plan
from attnviewer.compute.pin_checks import step_shapes
from attnviewer.compute.stages.project import join_heads
from attnviewer.doctor.reading.layouts import (
    BY_KEY,
    FLAT,
    JOINED,
    KEYS,
    PER_HEAD,
    Layout,
    readings,
)

COMPARISONS = "scores", "scaled", "capped", "biased", "masked", "weights"


@dataclass(frozen=True, slots=True)
class StepRole:
    """A step of a plan that an implementation's array may be.

    Parameters
    ----------
    name : str
        Its name in the plan.
    step : str
        Its name among the steps that an implementation may show.
    shape : tuple of int
        Its shape.
    layouts : tuple of Layout
        The orders of axes.
    sizes : tuple of four int
        Batch items, heads, rows and columns.
    rows, columns : str
        What rows and columns are.
    """

    name: str
    step: str
    shape: Shape
    layouts: tuple[Layout, ...]
    sizes: tuple[int, int, int, int]
    rows: str
    columns: str

    def readings(
        self, array: Numbers, n_heads: int | None = None
    ) -> Iterator[tuple[Layout, Numbers]]:
        """Yield the arrays in the plan's order that an array may stand for.

        Parameters
        ----------
        array : ndarray
            The array.
        n_heads : int, optional
            Another number of heads than the step has.
        """
        sizes = dict(zip("bhnd", self.sizes, strict=True))
        sizes["h"] = n_heads or sizes["h"]
        shape = self.shape
        if n_heads:
            shape = (*shape[:-3], n_heads, *shape[-2:])
        for layout, read in readings(array, self.layouts, sizes):
            joined = join_heads(read) if self.layouts is JOINED else read
            yield layout, np.ascontiguousarray(joined.reshape(shape))

    def of_other_width(self, array: Numbers) -> Iterator[tuple[Layout, Numbers]]:
        """Yield the arrays that an array may stand for if a mistake made its width.

        A mean of the heads has fewer columns than the heads side by side.

        Parameters
        ----------
        array : ndarray
            The array.
        """
        if self.name in COMPARISONS or not array.ndim:
            return
        width = array.shape[-1]
        layouts = FLAT if self.layouts is JOINED else self.layouts[:4]
        sizes = dict(zip("bhnd", (*self.sizes[:3], width), strict=True))
        if self.layouts in (FLAT, JOINED):
            sizes["h"] = 1
        for layout, read in readings(array, layouts, sizes):
            yield layout, read.reshape(*self.shape[:-1], width)

    def words(self, layout: Layout) -> str:
        """Return an order of axes in words; "" for the plan's own."""
        batch = "b " * (self.sizes[0] > 1)
        usual = ("n d", "n (h d)") if self.layouts in (FLAT, JOINED) else ("h n d",)
        if layout.pattern in (batch + pattern for pattern in usual):
            return ""
        return layout.text(self.rows, self.columns)


def role_of(step: str, plan: Plan) -> StepRole | None:
    """Return where a step is in a plan; None where the variant has no such step.

    Parameters
    ----------
    step : str
        The step, as an implementation's array is called.
    plan : Plan
        The plan.
    """
    name = _name(step, plan)
    if name not in plan:
        return None
    shapes = step_shapes(plan.spec, plan.shapes)
    shape, flat = shapes[name], False
    layouts, rows, columns = PER_HEAD, "tokens", "columns"
    if name in COMPARISONS:
        layouts, rows, columns = BY_KEY, "queries", "keys"
    elif name.endswith("K"):
        layouts = KEYS
    elif plan.stages[name].kind == "concatenation":
        (source,) = plan.stages[name].inputs
        layouts, shape = JOINED, shapes[source]
    elif name == "output" and "heads" in plan:
        layouts, flat = FLAT, True
    *batch, n_heads, n, width = (*shape[:-2], 1, *shape[-2:]) if flat else shape
    sizes = (batch[0] if batch else 1, n_heads, n, width)
    return StepRole(name, step, shapes[name], layouts, sizes, rows, columns)


def _name(step: str, plan: Plan) -> str:
    """Return a step's name in the plan, or a name that no step has."""
    if step in plan:
        return step
    side = step.removesuffix("_rotated")
    if side in ("Q", "K", "V"):
        if side == step:
            return f"split {side}"
        # With a norm it is that of the normed ones.
        turned = (n for n in plan.steps if n.startswith("rotated ") and n[-1] == side)
        return next(turned, "")
    if step in ("heads", "concatenated"):
        # One head has nothing to join; without W_O what is joined is the output.
        return "output"
    return step
