r"""Whether LaTeX can typeset a formula: one error would fail the whole sheet."""

import re
from collections import deque

_DEEPEST = 50
"""Maximum depth of groups; TeX's own is 255."""
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\S", re.DOTALL)
_ARGUMENTS = {
    **dict.fromkeys((r"\frac", r"\dfrac", r"\tfrac"), 2),
    **dict.fromkeys((r"\bar", r"\hat", r"\sqrt", r"\mathbf", r"\mathrm"), 1),
    r"\operatorname": 1,
}
"""How many arguments commands take."""
_DELIMITERS = frozenset("()[]|/.<>") | {r"\{", r"\}", r"\|"}
_NOT_ALONE = frozenset("^_'}\\") | {r"\left", r"\right"}
"""What is no argument and no script without braces."""
_NO_SCRIPT = (
    _NOT_ALONE
    | {r"\bar", r"\hat", r"\sqrt", r"\operatorname", r"\dots", r"\ldots", r"\neq"}
    | {r"\cos", r"\exp", r"\ln", r"\log", r"\max", r"\min", r"\sin", r"\tanh"}
    | {r"\quad", r"\qquad", r"\ ", r"\,", r"\;", r"\!"}
)
"""What is no script without braces, as it is more than one sign to TeX, or none."""


def is_sound(latex: str) -> bool:
    r"""Return whether a formula has all that its commands need.

    Braces, and ``\left`` and ``\right``, must be in pairs; nothing may have two
    superscripts or two subscripts.

    Parameters
    ----------
    latex : str
        The formula, of known commands.

    References
    ----------
    Knuth 1986, "The TeXbook", chapters 17 and 26.
    """
    return _Formula(latex).sequence("")


class _Formula:
    """The tokens of a formula; each method takes some and says if they are sound."""

    def __init__(self, latex: str) -> None:
        self._left = deque(_TOKEN.findall(latex))
        self._depth = 0

    def _take(self) -> str:
        return self._left.popleft() if self._left else ""

    def _comes(self, *signs: str) -> bool:
        return bool(self._left) and self._left[0] in signs

    def sequence(self, end: str) -> bool:
        """Take all up to an end, and the end."""
        self._depth += 1
        if self._depth > _DEEPEST:
            return False
        sound = self._up_to(end)
        self._depth -= 1
        return sound

    def _up_to(self, end: str) -> bool:
        scripts = set[str]()  # of what came last
        while sign := self._take():
            if sign == end:
                return True
            if sign in ("^", "_"):
                if sign in scripts or not self._script():
                    return False
                scripts.add(sign)
            elif sign == "'":
                if "^" in scripts:
                    return False
                if not self._comes("'", "^"):  # which join it
                    scripts.add("^")
            elif self._one(sign):
                scripts.clear()
            else:
                return False
        return not end

    def _one(self, sign: str) -> bool:
        """Take the rest of what a sign begins."""
        if sign == "{":
            return self.sequence("}")
        if sign == r"\left":
            pair = self._delimiter() and self.sequence(r"\right")
            return pair and self._delimiter()
        if sign == r"\text":
            return self._text()
        if sign == r"\sqrt" and self._comes("["):
            self._take()
            return self.sequence("]") and self._argument()
        arguments = range(_ARGUMENTS.get(sign, 0))
        return sign not in _NOT_ALONE and all(self._argument() for _ in arguments)

    def _script(self) -> bool:
        sign = self._take()
        return bool(sign) and sign not in _NO_SCRIPT and self._one(sign)

    def _argument(self) -> bool:
        sign = self._take()
        if sign == "{":
            return self.sequence("}")
        alone = sign not in _NOT_ALONE and sign != r"\text"
        return bool(sign) and alone and sign not in _ARGUMENTS

    def _delimiter(self) -> bool:
        return self._take() in _DELIMITERS

    def _text(self) -> bool:
        """Take words in braces, where nothing is mathematics."""
        if self._take() != "{":
            return False
        while (sign := self._take()) != "}":
            if not sign or sign in "^_{" or re.match(r"\\[A-Za-z|]", sign):
                return False
        return True
