"""Saving the walk synchronously."""

from pathlib import Path

from PySide6.QtCore import QSize

from attnviewer.io import write_atomically
from attnviewer.io.export import Computation, statement_line
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.pictures.gif import PACES_MS, Gif, require_pillow
from attnviewer.ui.pictures.walk_frames import Scope, WalkFrames, WalkSnapshot
from attnviewer.ui.state.workbench import Workbench

SIZE, PACE_MS = (960, 600), 800
SIZES = (320, 240), (1920, 1200)
"""The smallest and the largest frame, in pixels."""


def save_walk(
    workbench: Workbench,
    path: str | Path,
    theme: Theme,
    *,
    size: tuple[int, int] | None = None,
    pace: int | None = None,
    scope: Scope = "row",
) -> None:
    """Write the computation, filled cell by cell, as a looping GIF.

    Parameters
    ----------
    workbench : Workbench
        The workbench, with the query in its selection.
    path : str or Path
        The file.
    theme : Theme
        The colours.
    size : tuple of two int, optional
        Width and height in pixels.
    pace : int, optional
        Milliseconds of each cell.
    scope : str
        What the animation goes through; see `Scope`.

    Raises
    ------
    MissingPillowError
        If Pillow is not installed.
    ValueError
        If the size or the pace is out of range.
    FileError
        If the file cannot be written.
    """
    require_pillow()
    pace = PACE_MS if pace is None else pace
    check_walk(size := size or SIZE, pace)
    frames = WalkFrames(walk_snapshot(workbench, scope), theme, QSize(*size))
    gif = Gif(colors_of(theme))
    for move in frames.moves:
        add_frame(gif, frames, move)
    write_atomically(path, gif.content(pace, comment_of(workbench)))


def add_frame(gif: Gif, frames: WalkFrames, move: int) -> None:
    """Add the frame of a move; those of a row share their palette."""
    row = frames.place(move)[:2]
    gif.add(frames.frame(move), row, lambda: frames.samples(move))


def check_walk(size: tuple[int, int], pace: int) -> None:
    """Refuse frames that are too small to read or too large to play.

    Raises
    ------
    ValueError
        With the limits.
    """
    (least_wide, least_high), (most_wide, most_high) = SIZES
    if not (least_wide <= size[0] <= most_wide and least_high <= size[1] <= most_high):
        raise ValueError(
            f"The 'size' of an animated GIF must be from {least_wide}x{least_high} to "
            f"{most_wide}x{most_high}. Got {size[0]}x{size[1]} instead."
        )
    least, most = PACES_MS
    if not least <= pace <= most:
        raise ValueError(
            f"The 'pace' must be from {least} to {most} milliseconds. "
            f"Got {pace} instead."
        )


def walk_snapshot(workbench: Workbench, scope: Scope = "row") -> WalkSnapshot:
    """Return the walk through what is selected: its query, or the first one."""
    computed, selection = workbench.engine.current, workbench.selection
    axis = computed.trace.stages[selection.step].axes[0]
    cell = selection.cell if axis == "queries" else None
    query = 0 if cell is None else cell[0]
    step, head = selection.step, selection.head
    if not computed.trace.stages[step].inputs:  # nothing is computed there
        step = "weights"
    return WalkSnapshot(computed, workbench.looks, step, query, head, scope)


def colors_of(theme: Theme) -> list[str]:
    """Return the colours that may first occur while cells are filled."""
    hues = theme.query, theme.key, theme.value, theme.accent, theme.text, theme.muted
    return [
        *hues,
        theme.border,
        theme.empty,
        theme.frame,
        theme.halo,
        theme.stage,
        theme.surface,
    ]


def comment_of(workbench: Workbench) -> str:
    """Return the comment of the file."""
    computed = workbench.engine.current
    document = workbench.document
    return statement_line(Computation.by(document, computed.labels, computed.trace))
