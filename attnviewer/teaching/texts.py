"""The fixed words of sheets, in the language of a course."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of a sheet besides the exercise's own.

    Parameters
    ----------
    name : str
        What stands before a student's name.
    point, points : str
        What one point is called, and several.
    key : str
        What a sheet with the answers is called.
    window : str
        Where a task is done that paper cannot ask.
    fill, choose, step, mistake, make : str
        The questions of tasks without one of their own.
    """

    name: str = "Name"
    point: str = "point"
    points: str = "points"
    key: str = "key"
    window: str = "in the window"
    fill: str = "Fill in:"
    choose: str = "Choose:"
    step: str = "Which is the first wrong step?"
    mistake: str = "What is the mistake?"
    make: str = "Change the document until this holds:"

    def counted(self, points: float) -> str:
        """Return a number of points in words."""
        return f"{points:g} {self.point if points == 1 else self.points}"


ENGLISH = Words()


def read_words(text: str) -> Words:
    """Return the words of a text such as ``points = Punkte; key = Lösung``.

    Raises
    ------
    ValueError
        If a word is unknown, given twice or empty.
    """
    known = [field.name for field in fields(Words)]
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, word = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise ValueError(
                f"The 'words' must be of {', '.join(known)}. Got '{name}' instead."
            )
        if name in found or not word:
            raise ValueError(
                f"The 'words' must give '{name}' once, after '='. Got “{part}” instead."
            )
        found[name] = word
    return Words(**found)
