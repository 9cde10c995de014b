"""Values and gradients of expressions whose symbols have values."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Expression, Named, Number, Operation
from attnviewer.compute.rules.symbols import nodes


class Evaluation:
    """The values of expressions; each node is computed once.

    Parameters
    ----------
    known : mapping of Expression to ndarray
        The values of the symbols, which broadcast against each other.
    """

    def __init__(self, known: Mapping[Expression, Array]) -> None:
        self._values = dict(known)
        self._dtype = np.result_type(*known.values())

    def value(self, node: Expression) -> Array:
        """Return the value of a node.

        It has the broadcast shape of its symbols, () without any, and their type.
        """
        value = self._values.get(node)  # once, as an expression is long to hash
        if value is None:
            parts = [self.value(part) for part in node.parts]
            value = self._values[node] = self._computed(node, parts)
        return value

    def gradients(
        self, root: Expression, gradient: Array
    ) -> Mapping[Expression, Array]:
        """Return the gradient on each node of an expression, given that on the whole.

        By reverse accumulation. The gradient of a node that is broadcast is not summed
        over the broadcast axes. Nodes on which the expression does not depend are
        missing.
        """
        self.value(root)
        passed = {root: gradient}
        for node in reversed(nodes(root)):
            if node not in passed:
                continue
            for part, share in self._shares(node, passed[node]):
                passed[part] = passed[part] + share if part in passed else share
        return passed

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        """Return the value of a node, given those of its operands."""
        match node:
            case Number():
                return np.asarray(node.value, self._dtype)  # ()
            case Named():
                return parts[0]
            case Operation():
                return node.compute(*parts)
        raise TypeError(f"A rule must be made of operations. Got {node!r} instead.")

    def _shares(
        self, node: Expression, own: Array
    ) -> Iterator[tuple[Expression, Array]]:
        """Yield the gradient that a node passes on to each operand."""
        match node:
            case Named():
                yield node.body, own
            case Operation():
                values = map(self.value, node.parts)
                slopes = node.slopes(self.value(node), *values)
                for part, slope in zip(node.parts, slopes, strict=True):
                    if not isinstance(part, Number):
                        yield part, self._share(own, slope, self.value(part))

    def _share(self, own: Array, slope: Array, value: Array) -> Array:
        """Return the gradient on an operand: that on the node times the derivative."""
        share: Array = own * slope
        return share
