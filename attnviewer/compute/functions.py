"""Functions of one number, as parts of expressions."""

import math

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Function


class Exponential(Function):
    """``e^argument``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.exp(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (result,)

    def evaluate(self) -> float:
        try:
            return math.exp(self.argument.evaluate())
        except OverflowError:
            return math.inf


class Logarithm(Function):
    """The natural logarithm of the argument."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.log(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (1 / values[0],)


class LogOnePlus(Function):
    """``log(1 + argument)``, also exact for small arguments."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.log1p(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (1 / (1 + values[0]),)


class Logistic(Function):
    """The logistic function ``σ(x) = 1 / (1 + e^(−x)) = e^x / (1 + e^x)``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return 1 / (1 + np.exp(-values[0]))

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (result * (1 - result),)


class SquareRoot(Function):
    """``√argument``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.sqrt(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (0.5 / result,)

    def evaluate(self) -> float:
        return math.sqrt(self.argument.evaluate())


class HyperbolicTangent(Function):
    """``tanh(argument)``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.tanh(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (1 - result * result,)

    def evaluate(self) -> float:
        return math.tanh(self.argument.evaluate())


class Cosine(Function):
    """``cos(argument)``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.cos(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (-np.sin(values[0]),)


class Sine(Function):
    """``sin(argument)``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.sin(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (np.cos(values[0]),)


class Absolute(Function):
    """``|argument|``."""

    __slots__ = ()

    @staticmethod
    def compute(*values: Array) -> Array:
        return np.abs(*values)

    @staticmethod
    def slopes(result: Array, *values: Array) -> tuple[Array, ...]:
        return (np.sign(values[0]),)
