"""A target as it stands in the dialog."""

from dataclasses import dataclass, replace

from attnviewer.compute import Trace
from attnviewer.goal_seek import RowTarget, Target, number_of
from attnviewer.goal_seek.targets import AnyTarget, Relation
from attnviewer.ui.goal_seek.place import Place, Quantity


@dataclass(frozen=True, slots=True)
class Asked:
    """A target as it stands in the dialog.

    Parameters
    ----------
    place : Place
        The cell, or a cell of the row.
    quantity : str
        The number of the cell, or a statistic of its row.
    relation : str
        ``=``, ``<=`` or ``>=``.
    value : float or Place
        A number, or the cell to compare with.
    """

    place: Place
    quantity: Quantity
    relation: Relation
    value: "float | Place"

    def target(self, trace: Trace) -> AnyTarget:
        """Return the target.

        Raises
        ------
        ValueError
            If the number is not finite.
        """
        place, value = self.place, self.value
        if self.quantity != "cell":
            assert not isinstance(value, Place)
            return RowTarget(
                self.quantity,
                place.row,
                self.relation,
                value,
                head=place.head,
                step=place.step,
            )
        wanted = value.cell(trace) if isinstance(value, Place) else value
        return Target(
            place.step,
            place.row,
            place.column,
            self.relation,
            wanted,
            head=place.head,
        )

    def number(self, trace: Trace) -> float:
        """Return what the number is now."""
        return number_of(trace, replace(self, value=0.0).target(trace))
