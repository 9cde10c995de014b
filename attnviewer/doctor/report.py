"""A diagnosis as a file of its own."""

from html import escape
from pathlib import Path

from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.html import as_html
from attnviewer.doctor.markdown import as_markdown
from attnviewer.doctor.wording import headline
from attnviewer.io import write_atomically

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; }}
table {{ font-size: 12px; }}
pre {{ overflow-x: auto; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_report(diagnosis: Diagnosis, path: Path) -> None:
    """Write a diagnosis to a file.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    path : Path
        The file: ``.md`` for Markdown, any other name for HTML.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    if path.suffix.lower() == ".md":
        text = as_markdown(diagnosis)
    else:
        title = escape(headline(diagnosis))
        text = _PAGE.format(title=title, body=as_html(diagnosis))
    write_atomically(path, text.encode(), lasting=False)
