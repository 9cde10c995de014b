"""Draw the pictures of the window for README and manual into resources/manual/pictures.

Every view is drawn in both themes. Run it with the environment's Python:
``.venv/bin/python scripts/screenshots.py``. Names of pictures draw those alone.
"""

import argparse
from pathlib import Path
from typing import Literal, NamedTuple

from attnviewer.ui.offscreen.screenshot import save_screenshot
from attnviewer.views import FIRST_VIEW, VIEWS

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "manual" / "pictures"
SIZE = (1366, 854)
"""As wide as a page shows them sharply, and still small as files."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Picture(NamedTuple):
    """What a picture shows."""

    source: str
    view: str = FIRST_VIEW
    step: str = "weights"
    baseline: str | None = None


PICTURES = {
    "workbench": Picture("example:four-words"),
    **{
        name: Picture("example:two-heads", name)
        for name, view in VIEWS.items()
        if not view.of_grid
    },
    "difference": Picture(
        "example:four-words-rerun", "difference", baseline="example:four-words"
    ),
}
"""By their files' names; those of the dark theme have ``-dark`` behind."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--to", metavar="DIR", type=Path, default=FOLDER)
    options = parser.parse_args()
    unknown = set(options.names) - set(PICTURES)
    if unknown:
        parser.error(f"no such picture: {', '.join(sorted(unknown))}")
    options.to.mkdir(parents=True, exist_ok=True)
    for name in options.names or PICTURES:
        picture = PICTURES[name]
        for theme in THEMES:
            path = options.to / f"{name}{'-dark' if theme == 'dark' else ''}.png"
            save_screenshot(
                picture.source,
                path,
                size=SIZE,
                theme=theme,
                step=picture.step,
                view=picture.view,
                baseline=picture.baseline,
            )
            print(path)


if __name__ == "__main__":
    main()
