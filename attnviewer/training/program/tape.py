"""Gradients for scripts that have NumPy alone: the code of an array that tracks them.

PyTorch brings the same; the class is copied into a script, so that the forward pass
can be written as one would without gradients.
"""

TAPE = '''
class Node:
    """Numbers, and where they come from.

    Parents are pairs of a node that they were computed from, and of how its gradient
    follows from that on these numbers.
    """

    count = 0

    def __init__(self, value, parents):
        self.value, self.parents = value, parents
        self.gradient = np.zeros(value.shape)
        Node.count += 1
        self.number = Node.count


class Tracked(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that remembers what it was computed from, for its gradient."""

    def __init__(self, value, *parents, part_of=None):
        parents = [(parent.node, share) for parent, share in parents]
        self.node = Node(np.asarray(value, dtype=float), parents)
        self.part_of = part_of

    @property
    def value(self):
        return self.node.value

    @property
    def gradient(self):
        return self.node.gradient

    def backward(self):
        """Add the gradient of this number to every array that it was computed from."""
        found, left = {self.node.number: self.node}, [self.node]
        while left:
            for parent, _ in left.pop().parents:
                if parent.number not in found:
                    found[parent.number] = parent
                    left.append(parent)
        self.node.gradient = np.ones(self.shape)
        for number in sorted(found, reverse=True):
            for parent, share in found[number].parents:
                part = share(found[number].gradient)
                parent.gradient = parent.gradient + summed(part, parent.value.shape)

    def __array_ufunc__(self, function, method, *inputs, **options):
        values = [plain(x) for x in inputs]
        result = function(*values)
        if function not in SLOPES:  # a comparison
            return result
        return Tracked(
            result,
            *(
                (x, lambda g, slope=slope: slope(g, result, *values))
                for x, slope in zip(inputs, SLOPES[function])
                if isinstance(x, Tracked)
            ),
        )

    def __array_function__(self, function, types, inputs, options):
        return FUNCTIONS[function](*inputs, **options)

    @property
    def shape(self):
        return self.value.shape

    @property
    def T(self):
        return Tracked(self.value.T, (self, lambda g: g.T))

    def __len__(self):
        return len(self.value)

    def __getitem__(self, index):
        shape = self.shape

        def share(g):
            whole = np.zeros(shape)
            np.add.at(whole, index, g)
            return whole

        return Tracked(self.value[index], (self, share), part_of=(self, index))

    def __setitem__(self, index, other):
        value = self.value.copy()
        value[index] = plain(other)

        def outside(g):
            kept = g.copy()
            kept[index] = 0
            return kept

        parents = [(self.node, outside)]
        if isinstance(other, Tracked):
            parents.append((other.node, lambda g: g[index]))
        self.node = Node(value, parents)
        if self.part_of is not None:  # as a view writes into its array
            whole, place = self.part_of
            whole[place] = self

    def copy(self):
        return Tracked(self.value.copy(), (self, lambda g: g))

    def reshape(self, *shape):
        before = self.shape
        return Tracked(
            self.value.reshape(*shape), (self, lambda g: g.reshape(before))
        )

    def swapaxes(self, one, other):
        return Tracked(
            self.value.swapaxes(one, other), (self, lambda g: g.swapaxes(one, other))
        )

    def sum(self, axis=None, keepdims=False):
        shape = self.shape

        def share(g):
            if axis is not None and not keepdims:
                g = np.expand_dims(g, axis)
            return np.broadcast_to(g, shape)

        return Tracked(self.value.sum(axis=axis, keepdims=keepdims), (self, share))

    def mean(self):
        return self.sum() / self.value.size

    def max(self, axis, keepdims):
        largest = self.value.max(axis=axis, keepdims=keepdims)
        at = self.value == largest
        at = at / at.sum(axis=axis, keepdims=True)
        return Tracked(largest, (self, lambda g: g * at))

    def argmax(self, axis):
        return self.value.argmax(axis=axis)

    def clip(self, min):
        above = self.value > min
        return Tracked(self.value.clip(min=min), (self, lambda g: g * above))


def plain(x):
    """Return the numbers of an array, tracked or not."""
    return x.value if isinstance(x, Tracked) else x


def summed(gradient, shape):
    """Return the gradient on an array that was broadcast to that of the gradient."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    wide = tuple(k for k, n in enumerate(shape) if n == 1 and gradient.shape[k] != 1)
    return gradient.sum(axis=wide, keepdims=True) if wide else gradient


def turned(x):
    """Return matrices with rows and columns exchanged."""
    return np.swapaxes(x, -1, -2)


# Of each function, the gradient on its arguments x and y from that on its result.
SLOPES = {
    np.add: (lambda g, result, x, y: g, lambda g, result, x, y: g),
    np.subtract: (lambda g, result, x, y: g, lambda g, result, x, y: -g),
    np.multiply: (lambda g, result, x, y: g * y, lambda g, result, x, y: g * x),
    np.divide: (
        lambda g, result, x, y: g / y,
        lambda g, result, x, y: -g * result / y,
    ),
    np.matmul: (
        lambda g, result, x, y: g @ turned(y),
        lambda g, result, x, y: turned(x) @ g,
    ),
    np.maximum: (
        lambda g, result, x, y: g * (x >= y),
        lambda g, result, x, y: g * (x < y),
    ),
    np.power: (lambda g, result, x, y: g * y * x ** (y - 1),),
    np.negative: (lambda g, result, x: -g,),
    np.absolute: (lambda g, result, x: g * np.sign(x),),
    np.exp: (lambda g, result, x: g * result,),
    np.log: (lambda g, result, x: g / x,),
    np.log1p: (lambda g, result, x: g / (1 + x),),
    np.sqrt: (lambda g, result, x: g / (2 * result),),
    np.tanh: (lambda g, result, x: g * (1 - result**2),),
}


def where(condition, x, y):
    """Do what np.where does."""
    sides = ((x, lambda g: np.where(condition, g, 0)),)
    sides += ((y, lambda g: np.where(condition, 0, g)),)
    tracked = [side for side in sides if isinstance(side[0], Tracked)]
    return Tracked(np.where(condition, plain(x), plain(y)), *tracked)


def concatenate(arrays, axis):
    """Do what np.concatenate does."""
    ends = np.cumsum([x.shape[axis] for x in arrays])

    def part(k):
        return lambda g: np.split(g, ends[:-1], axis=axis)[k]

    tracked = [(x, part(k)) for k, x in enumerate(arrays) if isinstance(x, Tracked)]
    return Tracked(np.concatenate([plain(x) for x in arrays], axis=axis), *tracked)


def repeat(x, count, axis):
    """Do what np.repeat does."""

    def share(g):
        axes = list(g.shape)
        axes[axis : axis + 1 or None] = [x.shape[axis], count]
        return g.reshape(axes).sum(axis=axis)

    return Tracked(np.repeat(x.value, count, axis=axis), (x, share))


def broadcast_to(x, shape):
    """Do what np.broadcast_to does."""
    return Tracked(np.broadcast_to(x.value, shape), (x, lambda g: g))


FUNCTIONS = {
    np.where: where,
    np.concatenate: concatenate,
    np.repeat: repeat,
    np.broadcast_to: broadcast_to,
    np.zeros_like: lambda x: np.zeros(x.shape),
}
'''

THRESHOLD = '''
threshold_of_numbers = threshold


def threshold(z, power):
    """Return the same tau with its gradient: shares of those above it."""
    tau = threshold_of_numbers(z.value, power)
    above = (z.value - tau).clip(min=0) ** (power - 1) * (z.value > tau)
    share = above / above.sum(axis=-1, keepdims=True)
    return Tracked(tau, (z, lambda g: g * share))
'''
