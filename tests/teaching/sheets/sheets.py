"""Sheets for tests."""

from attnviewer.teaching.exercise.seeds import seed_of
from attnviewer.teaching.sheets.content import sheet_of
from attnviewer.teaching.sheets.sheet import Sheet
from tests.teaching.exercise.course import SECRET, exercise_of

HOSTILE = r"\input{/etc/passwd}"
"""A token that would read a file."""
TEXT = r"""---
title: Week 3 & {more} <b>
id: week3
---
## Weights

Work out $Q K^\top$ and scale it by $1/\sqrt{d_k}$; **every** row is one of `weights`.

- 50 % of $x$
- {1:NUMERICAL:=3}

```document
tokens: TOKENS
options: causal=true
draw: X W_Q W_K W_V
seed: each
width: 2
```

```task
kind: numbers
id: masked
step: masked
points: 3
```

```task
kind: numbers
id: weights
step: weights
cells: 2, :
points: 2
```

```task
kind: choice
id: both
ask: Which are right?
right: a ~ b } # / "c" \ d
right: $\sqrt{2}$
option: <i>no</i>
points: 4
```

## Find the bug

```document
tokens: a, b, c
draw: X W_Q W_K W_V
seed: each
width: 2
mistake: any of scale-missing, weights-transposed
```

```task
kind: wrong-step
id: where
```

```task
kind: mistake
id: which
```

```task
kind: make
id: changed
ask: Make it look at itself.
until: weights[0, 0] > 0.9
```
"""


def sheets_of(
    *students: str, tokens: str = "the, cat, sat", text: str = TEXT
) -> list[Sheet]:
    exercise = exercise_of(text.replace("TOKENS", tokens))
    return [
        sheet_of(
            exercise.lesson,
            seed_of(SECRET, exercise.id, student),
            f"Student {student}",
            student,
        )
        for student in students
    ]
