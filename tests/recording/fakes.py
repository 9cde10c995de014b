"""Modules with the hooks of PyTorch's, over NumPy."""

import numpy as np

from tests.doctor.reading.layer import inputs, steps


class Handle:
    def __init__(self, hooks, hook):
        self._hooks, self._hook = hooks, hook

    def remove(self):
        self._hooks.remove(self._hook)


class Module:
    def __init__(self):
        self.hooks = []
        self.pre_hooks = []

    def __call__(self, *arguments, **keywords):
        for hook in list(self.pre_hooks):
            assert hook(self, arguments) is None
        result = self.forward(*arguments, **keywords)
        for hook in list(self.hooks):
            assert hook(self, arguments, keywords, result) is None
        return result

    def register_forward_hook(self, hook, *, with_kwargs):
        assert with_kwargs
        self.hooks.append(hook)
        return Handle(self.hooks, hook)

    def register_forward_pre_hook(self, hook):
        self.pre_hooks.append(hook)
        return Handle(self.pre_hooks, hook)

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, child in vars(self).items():
            if isinstance(child, Module):
                yield from child.named_modules(f"{prefix}.{name}".lstrip("."))

    def named_buffers(self):
        return iter(())


class Linear(Module):
    def __init__(self, weight, bias=None):
        super().__init__()
        self.weight, self.bias = weight.T, bias
        self.out_features, self.in_features = self.weight.shape

    def forward(self, input):
        return input @ self.weight.T + (0 if self.bias is None else self.bias)


class Layer(Module):
    """Attention with separate projections, which scales by √d unless told."""

    def __init__(self, *, scaled=True, names=("q_proj", "k_proj", "v_proj", "o_proj")):
        super().__init__()
        self.given = inputs(batch=2)
        self.names, self.scaled, self.num_heads = names, scaled, 2
        for name, role in zip(names, "QKVO", strict=True):
            setattr(self, name, Linear(self.given[f"W_{role}"]))

    def forward(self, x, mask=None):
        q, k, v, o = (getattr(self, name) for name in self.names)
        queries, keys, values = (
            a.reshape(2, -1, 2, 6).transpose(0, 2, 1, 3) for a in (q(x), k(x), v(x))
        )
        scores = queries @ keys.transpose(0, 1, 3, 2)
        if self.scaled:
            scores = scores / np.sqrt(6)
        if mask is not None:
            scores = np.where(mask, -np.inf, scores)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        heads = (weights @ values).transpose(0, 2, 1, 3).reshape(2, -1, 12)
        return o(heads), weights


def right():
    """Return the steps of the layer, which no fake has computed."""
    return steps(inputs(batch=2))
