"""What a picture says about itself: enough to reproduce it."""

from dataclasses import dataclass

from attnviewer.io import Computation, statement, statement_line


@dataclass(frozen=True, slots=True)
class Notes:
    """The metadata of a picture, enough to reproduce it.

    Parameters
    ----------
    title : str
        Document, step and view.
    line : str
        All settings in one line.
    facts : dict of str to str
        The same, by name.
    """

    title: str
    line: str
    facts: dict[str, str]

    @classmethod
    def of(
        cls, computation: Computation, step: str, head: int | None, view: str
    ) -> "Notes":
        """Return the notes on a view of a step, or of one of its heads."""
        facts = statement(computation) | {"step": step, "view": view}
        facts.pop("title")
        seen = step
        if head is not None:
            facts["head"] = str(head)
            seen = f"{step} of head {head}"
        line = f"{statement_line(computation)}; {seen}, {view}"
        return cls(f"{computation.title} — {step}", line, facts)
