"""The metadata of a picture: enough to reproduce it."""

from dataclasses import dataclass

from attnviewer.io.export import Computation, statement, statement_line
from attnviewer.ui.state.workbench import step_of_view
from attnviewer.ui.text.tokens import token_line


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

    def __post_init__(self) -> None:
        # Titles and names of models are from files; SVG and PDF have no room for
        # control characters and lone surrogates.
        for name in ("title", "line"):
            object.__setattr__(self, name, token_line(getattr(self, name)))
        facts = {name: token_line(text) for name, text in self.facts.items()}
        object.__setattr__(self, "facts", facts)

    @classmethod
    def of(
        cls, computation: Computation, step: str, head: int | None, view: str
    ) -> "Notes":
        """Return the notes on a view of a step.

        Parameters
        ----------
        computation : Computation
            What is shown.
        step : str
            The chosen step.
        head : int or None
            The query head; None for several.
        view : str
            The view.
        """
        trace, step = computation.trace, step_of_view(view, step)
        facts = statement(computation) | {"step": step, "view": view}
        facts.pop("title")
        seen = step
        if head is not None and trace.n_heads(step) > 1:
            facts["head"] = str(trace.head_of(step, head))
            seen = f"{step} of head {facts['head']}"
        line = f"{statement_line(computation)}; {seen}, {view}"
        return cls(f"{computation.title} — {step}", line, facts)
