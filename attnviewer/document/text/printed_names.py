"""Names of printed arrays, from labels beside them and from the code above."""

import re
from collections import deque

from attnviewer.document.text.expression import shortened

_LONGEST_LINE = 500
"""Maximum number of characters of a line that are searched for names."""
_LONGEST_GAP = 20_000
"""Maximum number of characters before an array that are searched for names."""
_LONGEST_CALL = 100
_INSIDE = "(", ",", "+", "*", "/", "@", "%"
"""Line endings after which an expression continues."""
_CALL = re.compile(
    r"(?:[A-Za-z_][\w.]{0,60}\.)?"
    r"(?:array|(?:Device)?Array|asarray|matrix|tensor|Tensor|FloatTensor|Parameter)\(\s*\Z"
)
_NOT_NAMES = re.compile(
    r"(?:Out\[[0-9]+\]:|Parameter containing:|<tf\.\w+[^<>\n]*\bnumpy=)\s*\Z"
)
_PAIR = re.compile(r"(?<![\w.])\(\s*(['\"])([^'\"\n]+)\1\s*,\s*\Z")
"""Before a value of an ordered dictionary or of a list of named parameters."""
_SHAPE = re.compile(
    r"[ \t._:]+(?:has )?(?:shape|size)?[ \t]*[:=]?[ \t]*\([0-9]+(?:, ?[0-9]+)*,?\):?\Z"
)
"""A shape that is printed between a name and its array."""
_NO_ARRAY = re.compile(
    r".*\.(?:shape|dtype|device|ndim|size|size\(\))|(?:len|type|str)\(.*\)"
)
_DICTIONARY = re.compile(r"\A[\w.]+\s*=\s*\{\s*(?=['\"])")
"""Before the first name in a dictionary of arrays that code assigns."""
_ALONE = re.compile(r"(?:\A|\n)[ \t]*[({][ \t]*\Z")
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|In \[[0-9 ]*\]:)\s*")
_PRINT = re.compile(r"\s*(?:print|display)\((.*)\)\s*;?\s*\Z")
_ARGUMENT = re.compile(
    r"""[rRfFbB]{0,2}"(?:\\.|[^"\\])*"|[rRfFbB]{0,2}'(?:\\.|[^'\\])*'|[(\[{]|[)\]}]|,"""
    r"""|[^"'()\[\]{},]"""
)
_LITERAL = re.compile(r"""([rRfFbB]{0,2})(["'])(.*)\2""")
_FIELD = re.compile(r"\{\s*([^{}:!=]+)")
_ASSIGNED = re.compile(r"([^\W\d][\w.]*)\s*(?::[^=]*)?=(?!=).*")
_EXPRESSION = re.compile(r"[^\W\d][\w.]*(?:\[[^\[\]]*\])*")
_IN_PARENTHESES = re.compile(r"\(\s*([^\W\d]\w*)\s*\)\s*\Z")
_BEHIND = re.compile(r"\s*\([^()]*\)\s*\Z")
_HEADING = re.compile(r"[^\W\d]\w*(?: [^\W\d]\w*){1,2}")
"""Words that may be printed above an array without a colon: ``value weights``."""
_METHODS = re.compile(r"(?:\.[a-z_]+\([^()]*\))+\Z")
_ROUNDED = re.compile(
    r"(?:np\.|numpy\.|torch\.|pd\.)?"
    r"(?:round|around|asarray|array|DataFrame)\(\s*"
    r"([^\W\d][\w.]*(?:\[[^\[\]]*\])*)\s*(?:,[^()]*)?\)"
)


class PrintedNames:
    """Finds the names of the arrays of a text, one after the other."""

    def __init__(self) -> None:
        self._printed: dict[str, str] = {}
        """The expressions that code prints after a label."""
        self._expected: deque[str] = deque()
        """The expressions that code prints without a label, in order."""
        self._in_call = False

    def name(self, gap: str, label: str | None = None) -> str | None:
        """Return the name of an array.

        Parameters
        ----------
        gap : str
            The text between the previous array and this one.
        label : str, optional
            A line known to be its label.

        Returns
        -------
        str or None
            "" if nothing names it; None if it is an argument in code, rather than
            printed or assigned.
        """
        gap = gap[-_LONGEST_GAP:]
        called = _CALL.search(gap[-_LONGEST_CALL:])
        before = gap[: len(gap) - len(called[0])] if called else gap
        before = _ALONE.sub("\n", _NOT_NAMES.sub("", before))
        if pair := _PAIR.search(before):
            return _clean(pair[2])
        beside = label is not None or "\n" not in gap[len(before.rstrip()) :]
        lines = [label] if label is not None else before.split("\n")
        lines = [line[-_LONGEST_LINE:] for line in lines if line.strip(" \t,")]
        if not lines:
            goes_on = self._in_call and before.strip().startswith(",")
            return None if goes_on else self._next()
        self._read_code(lines)
        line = _DICTIONARY.sub("", _PROMPT.sub("", lines[-1]).strip())
        line = line.lstrip("{,").strip()
        self._in_call = line.endswith(_INSIDE)
        if self._in_call:
            return None
        if (
            _is_label(line)
            or _SHAPE.search(line)
            or (beside and not _PRINT.match(line))
        ):
            label = _label(line)
            return self._printed.get(label, label)
        if not self._expected and _HEADING.fullmatch(line) and _is_above(before):
            return line
        return self._next()

    def _next(self) -> str:
        return self._expected.popleft() if self._expected else ""

    def _read_code(self, lines: list[str]) -> None:
        """Find the expressions that code prints."""
        self._expected.clear()
        for number, line in enumerate(lines, 1):
            code = _PROMPT.sub("", line)
            code = code.partition(" #")[0].strip()
            if called := _PRINT.match(code):
                self._read_arguments(called[1])
            elif number == len(lines) and not _is_label(code):
                names = list(map(_expression, _split(_without_parentheses(code))))
                if all(names):
                    self._expected.extend(names)

    def _read_arguments(self, text: str) -> None:
        label = ""
        for argument in _split(text):
            if _NO_ARRAY.fullmatch(argument):
                continue
            literal = _LITERAL.fullmatch(argument)
            if literal is None:
                if label:
                    self._printed[label] = _expression(argument) or label
                elif "=" not in argument:  # as in sep="\n"
                    self._expected.append(_expression(argument))
                label = ""
                continue
            content = literal[3].replace("\\n", "\n").replace("\\t", " ")
            fields = _FIELD.finditer(content) if "f" in literal[1].lower() else ()
            found = [(f.start(), f[1].strip()) for f in fields]
            if not found:
                label = _label(content)
            elif above := _label(content[: found[0][0]]):
                shown = (code for _, code in found if not _NO_ARRAY.fullmatch(code))
                self._printed[above] = _expression(next(shown, "")) or above


def _is_above(before: str) -> bool:
    """Return whether no blank line is between a text and the array after it."""
    return before[len(before.rstrip()) :].count("\n") < 2


def _is_label(line: str) -> bool:
    return line.rstrip().endswith((":", "="))


def _label(text: str) -> str:
    """Return the name in a label."""
    lines = [line for line in text.split("\n") if line.strip()]
    line = _SHAPE.sub("", lines[-1].strip()).rstrip(":= \t") if lines else ""
    line = line.removesuffix("->").rstrip()
    if named := _IN_PARENTHESES.search(line):
        return named[1]
    if assigned := _ASSIGNED.fullmatch(line):
        return assigned[1]
    return _clean(_BEHIND.sub("", line))


def _expression(code: str) -> str:
    """Return the name that code prints; "" if it prints a computed value."""
    if rounded := _ROUNDED.fullmatch(code):
        return _clean(rounded[1])
    code = _METHODS.sub("", code)
    return _clean(code) if _EXPRESSION.fullmatch(code) else ""


def _without_parentheses(code: str) -> str:
    return code[1:-1] if code.startswith("(") and code.endswith(")") else code


def _clean(text: str) -> str:
    """Return a name without characters that have a meaning in assignments."""
    words = re.sub(r"[^\w.@+*/·²√ᵀ-]+", " ", text).split()
    return shortened(" ".join(words))


def _split(text: str) -> list[str]:
    """Return the arguments of a call."""
    parts, depth = [""], 0
    for found in _ARGUMENT.finditer(text):
        piece = found[0]
        if piece == "," and depth == 0:
            parts.append("")
            continue
        depth += (piece in "([{") - (piece in ")]}")
        parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]
