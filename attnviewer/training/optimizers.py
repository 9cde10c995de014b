"""Optimisers: from a gradient to a change, as `torch.optim` computes it."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, real_number


class Optimizer(ABC):
    """Changes a vector of numbers by its gradient, step by step.

    The parameters of each are those of `OPTIMIZERS`; their names and defaults are those
    of ``torch.optim``, and ``gamma`` is that of its ``lr_scheduler.ExponentialLR``: the
    factor on the learning rate after each step.

    Parameters
    ----------
    size : int
        The count of numbers.
    lr : float
        The learning rate.
    options : mapping of str to float
        The further options, complete and checked.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    defaults: ClassVar[Mapping[str, float]]
    """The options besides the learning rate, and their values by default."""

    def __init__(self, size: int, lr: float, options: Mapping[str, float]) -> None:
        self.lr = lr
        self.options = options
        self.count = 0
        self._own = np.empty(size)  # (numbers,) the gradient with its decay, or a term

    def step(self, numbers: Array, gradient: Array) -> None:
        """Overwrite the numbers by those of the next step.

        Parameters
        ----------
        numbers, gradient : ndarray, shape (numbers,)
            The numbers, and the gradient of the loss on them; this is not changed.
        """
        self.count += 1
        self._change(numbers, gradient)

    @property
    def rate(self) -> float:
        """The learning rate of the step."""
        return self.lr * self.options["gamma"] ** (self.count - 1)

    @abstractmethod
    def _change(self, numbers: Array, gradient: Array) -> None:
        """Overwrite the numbers; `count` is that of the step, from one."""

    def kept(self) -> tuple[Array, ...]:
        """Return the state besides the numbers themselves."""
        return ()

    def restore(self, count: int, kept: tuple[Array, ...]) -> None:
        """Go back to after a step, given copies of what was `kept` then."""
        self.count = count
        for array, before in zip(self.kept(), kept, strict=True):
            array[...] = before

    def _decayed(self, numbers: Array, gradient: Array) -> Array:
        """Return the gradient plus weight_decay · the numbers."""
        decay = self.options["weight_decay"]
        if not decay:
            return gradient
        np.multiply(numbers, decay, out=self._own)
        self._own += gradient
        return self._own


class GradientDescent(Optimizer):
    """θ ← θ − lr · g, as ``torch.optim.SGD``."""

    name = "sgd"
    title = "gradient descent"
    defaults: ClassVar[Mapping[str, float]] = {
        "weight_decay": 0.0,
        "gamma": 1.0,
    }

    def _change(self, numbers: Array, gradient: Array) -> None:
        slope = self._decayed(numbers, gradient)
        np.multiply(slope, self.rate, out=self._own)
        numbers -= self._own


class Momentum(Optimizer):
    """b ← momentum · b + g, θ ← θ − lr · b, as ``torch.optim.SGD(momentum=0.9)``.

    References
    ----------
    Polyak 1964, "Some methods of speeding up the convergence of iteration methods".
    """

    name = "momentum"
    title = "momentum"
    defaults: ClassVar[Mapping[str, float]] = {
        "momentum": 0.9,
        "weight_decay": 0.0,
        "gamma": 1.0,
    }

    def __init__(self, size: int, lr: float, options: Mapping[str, float]) -> None:
        super().__init__(size, lr, options)
        self._velocity = np.zeros(size)  # (numbers,)

    def kept(self) -> tuple[Array, ...]:
        return (self._velocity,)

    def _change(self, numbers: Array, gradient: Array) -> None:
        self._velocity *= self.options["momentum"]
        self._velocity += self._decayed(numbers, gradient)
        np.multiply(self._velocity, self.rate, out=self._own)
        numbers -= self._own


class Adam(Optimizer):
    """Steps of about the learning rate, whatever the size of the gradient.

    m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g²,
    θ ← θ − lr · (m / (1 − β₁^t)) / (√(v / (1 − β₂^t)) + eps), as ``torch.optim.Adam``.

    References
    ----------
    Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization", algorithm 1.
    """

    name = "adam"
    title = "Adam"
    defaults: ClassVar[Mapping[str, float]] = {
        "beta1": 0.9,
        "beta2": 0.999,
        "eps": 1e-8,
        "weight_decay": 0.0,
        "gamma": 1.0,
    }

    def __init__(self, size: int, lr: float, options: Mapping[str, float]) -> None:
        super().__init__(size, lr, options)
        self._mean, self._square = np.zeros(size), np.zeros(size)  # (numbers,) each
        self._term = np.empty(size)  # (numbers,)

    def kept(self) -> tuple[Array, ...]:
        return self._mean, self._square

    def _change(self, numbers: Array, gradient: Array) -> None:
        slope = self._slope(numbers, gradient)
        beta1, beta2 = self.options["beta1"], self.options["beta2"]
        mean, square, term = self._mean, self._square, self._term
        np.subtract(slope, mean, out=term)
        term *= 1 - beta1
        mean += term
        np.multiply(slope, slope, out=term)
        term *= 1 - beta2
        square *= beta2
        square += term
        root = math.sqrt(1 - beta2**self.count)
        np.sqrt(square, out=term)
        term /= root
        term += self.options["eps"]
        np.divide(mean, term, out=term)
        term *= self.rate / (1 - beta1**self.count)
        numbers -= term

    def _slope(self, numbers: Array, gradient: Array) -> Array:
        return self._decayed(numbers, gradient)


class AdamW(Adam):
    """Adam, with the numbers shrunk by lr · weight_decay before each step.

    As ``torch.optim.AdamW``.

    References
    ----------
    Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2.
    """

    name = "adamw"
    title = "AdamW"
    defaults: ClassVar[Mapping[str, float]] = {**Adam.defaults, "weight_decay": 0.01}

    def _slope(self, numbers: Array, gradient: Array) -> Array:
        numbers *= 1 - self.rate * self.options["weight_decay"]
        return gradient


OPTIMIZERS: dict[str, type[Optimizer]] = {
    optimizer.name: optimizer for optimizer in (GradientDescent, Momentum, Adam, AdamW)
}
"""The optimisers by name."""


def checked_options(optimizer: str, given: Mapping[str, object]) -> dict[str, float]:
    """Return all options of an optimiser, checked.

    Parameters
    ----------
    optimizer : str
        A name of `OPTIMIZERS`.
    given : mapping of str to object
        Some options; ``betas``, a pair, stands for ``beta1`` and ``beta2``.

    Raises
    ------
    TypeError, ValueError
        If it has no such option, or a value is out of range.
    """
    defaults = OPTIMIZERS[optimizer].defaults
    known = [*defaults, *(["betas"] if "beta1" in defaults else [])]
    options = dict(defaults)
    for name, value in given.items():
        check_name(f"{optimizer} option", name, known)
        if name == "betas":
            options["beta1"], options["beta2"] = _pair(value)
        else:
            options[name] = real_number(name, value)
    for name, number in options.items():
        if name == "gamma":
            _check_gamma(number)
            continue
        is_share = name in ("beta1", "beta2", "momentum")
        if not 0 <= number < (1 if is_share else math.inf):
            least = "at least 0 and below 1" if is_share else "finite and at least 0"
            raise ValueError(
                f"The '{name}' option must be {least}. Got {number} instead."
            )
    return options


def _check_gamma(number: float) -> None:
    if not 0 < number <= 1:
        raise ValueError(
            f"The 'gamma' option must be above 0 and at most 1. Got {number} instead."
        )


def _pair(value: object) -> tuple[float, float]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(
            f"The 'betas' option must be a pair of numbers. Got {value!r} instead."
        )
    first, second = value
    return real_number("betas", first), real_number("betas", second)
