"""A proposal as HTML, for Jupyter."""

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.html import table_html
from attnviewer.compute.number_text import format_number

if TYPE_CHECKING:
    from attnviewer.goal_seek.proposal import Proposal

_DECIMALS = 4


def proposal_html(proposal: "Proposal") -> str:
    """Return whether the targets are met, and the changes as coloured tables.

    Parameters
    ----------
    proposal : Proposal
        The proposal.
    """
    if proposal.reached:
        first = "All targets are met."
    else:
        missed = np.abs(proposal.residuals).max(initial=0.0)
        largest = format_number(float(missed), _DECIMALS)
        first = f"Not all targets are met. The largest difference is {largest}."
    norm = format_number(proposal.norm, _DECIMALS)
    tables = "".join(
        f"<div>Δ{escape(name)}</div>"
        f"{table_html(change.reshape(-1, change.shape[-1] if change.ndim else 1))}"
        for name, change in proposal.changes.items()
    )
    return (
        f"<div><b>{first}</b> {escape(proposal.reason)}"
        f"<div><small>{proposal.cells:,} numbers change, ‖Δ‖ = {norm}</small></div>"
        f"{tables}</div>"
    )
