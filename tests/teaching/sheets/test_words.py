"""The fixed words of sheets in the language of a course."""

from pathlib import Path

import pytest

from attnviewer.io import FileError
from attnviewer.teaching import lesson_from_text
from attnviewer.teaching.sheets.content import sheet_of
from attnviewer.teaching.sheets.moodle import sheets_moodle
from attnviewer.teaching.sheets.tex import sheets_tex

TEXT = """---
title: Gewichte
language: de
words: name = Name; point = Punkt; points = Punkte; key = Lösung;
  window = im Programm; fill = Trage ein:; make = Ändere, bis das gilt:
---
## Seite

```document
tokens: a, b
X: 1 0; 0 1
W_Q: 1 2; 0 1
W_K: 1 0; 1 1
W_V: 2 0; 0 2
```

```task
kind: numbers
step: Q
points: 2
```

```task
kind: make
until: weights[0, 0] > 0.9
only: W_Q
```
"""


def test_sheets_speak_the_language_of_the_course() -> None:
    lesson = lesson_from_text(TEXT, Path("w.md"))
    sheet = sheet_of(lesson, 1, "variant 1", "v1", anonymous=True)
    tex = b"".join(sheets_tex([sheet], key=True)).decode()
    for said in (
        "Gewichte: Lösung",
        "3 Punkte",
        "(2 Punkte)",
        "(1 Punkt, im Programm)",
    ):
        assert said in tex
    assert "Ändere, bis das gilt: \\texttt{weights[0, 0] $>$ 0.9}" in tex
    assert "Name: \\_\\_" in tex
    assert "Trage ein:" in tex
    for said in ("point", "Fill", "Change", "window", "key"):
        assert said not in tex.partition("\\begin{document}")[2]
    # A platform cannot ask what is done in the window: there it has no mark.
    moodle = b"".join(sheets_moodle([sheet])).decode()
    assert "Ändere, bis das gilt" in moodle
    assert moodle.count(":NUMERICAL:") == 4


@pytest.mark.parametrize(
    "words", ["punkt = Punkt", "points =", "points = a; points = b", "points"]
)
def test_words_that_are_none_are_refused_with_their_line(words: str) -> None:
    start = TEXT.index("words:")
    text = TEXT[:start] + f"words: {words}\n" + TEXT[TEXT.index("---\n##") :]
    with pytest.raises(FileError, match="'words'") as refused:
        lesson_from_text(text, Path("w.md"))
    assert refused.value.location == "line 4"
