"""Draw the README's pictures of the window into resources/screenshots.

Run it with the environment's Python: ``.venv/bin/python scripts/screenshots.py``.
"""

from pathlib import Path
from typing import Literal

from attnviewer.ui.screenshot import save_screenshot

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "screenshots"
SIZE = (1600, 1000)

Theme = Literal["light", "dark"]
PICTURES: dict[str, tuple[str, Theme, str]] = {
    "workbench": ("example:four-words", "light", "weights"),
    "workbench-dark": ("example:two-heads", "dark", "weights"),
    "scores": ("example:journey", "light", "scores"),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (source, theme, step) in PICTURES.items():
        path = FOLDER / f"{name}.png"
        save_screenshot(source, path, size=SIZE, theme=theme, step=step)
        print(path)


if __name__ == "__main__":
    main()
