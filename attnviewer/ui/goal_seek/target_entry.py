"""A target as it stands in the dialog."""

from dataclasses import dataclass, replace

from attnviewer.compute import Trace
from attnviewer.goal_seek import RowTarget, Target, number_of
from attnviewer.goal_seek.targets import AnyTarget, Relation
from attnviewer.ui.goal_seek.cell_reference import CellReference, Quantity


@dataclass(frozen=True, slots=True)
class TargetEntry:
    """A target as it stands in the dialog.

    Parameters
    ----------
    reference : CellReference
        The cell, or a cell of the row.
    quantity : str
        The number of the cell, or a statistic of its row.
    relation : str
        ``=``, ``<=`` or ``>=``.
    value : float or CellReference
        A number, or the cell to compare with.
    """

    reference: CellReference
    quantity: Quantity
    relation: Relation
    value: "float | CellReference"

    def target(self, trace: Trace) -> AnyTarget:
        """Return the target.

        Raises
        ------
        ValueError
            If the number is not finite.
        """
        reference, value = self.reference, self.value
        if self.quantity != "cell":
            assert not isinstance(value, CellReference)
            return RowTarget(
                self.quantity,
                reference.row,
                self.relation,
                value,
                head=reference.head,
                step=reference.step,
            )
        wanted = value.cell(trace) if isinstance(value, CellReference) else value
        return Target(
            reference.step,
            reference.row,
            reference.column,
            self.relation,
            wanted,
            head=reference.head,
        )

    def number(self, trace: Trace) -> float:
        """Return what the number is now."""
        return number_of(trace, replace(self, value=0.0).target(trace))
