"""The similarity of matrices, and an order that puts similar ones side by side."""

import numpy as np

from attnviewer.compute.arrays import Array, IndexArray


def square_roots_of_shares(weights: Array) -> Array:
    """Return the square roots of the shares of each row, of the shape of `weights`.

    Their products are Bhattacharyya coefficients (see `similarity`). Zeros for a
    row without any weight; NaN where a weight is negative or undefined.
    """
    sums = weights.sum(axis=-1, keepdims=True)  # (..., rows, 1)
    with np.errstate(invalid="ignore"):
        roots: Array = np.sqrt(weights / np.where(sums == 0, 1, sums))
    return roots


def products(matrices: Array) -> Array:
    """Return the sum of products over the cells of each pair of matrices.

    Parameters
    ----------
    matrices : ndarray, shape (n, rows, columns)
        The matrices, or some of their rows: the products of blocks add up.

    Returns
    -------
    ndarray, shape (n, n)
        The products.
    """
    flat = matrices.reshape(len(matrices), -1)  # (n, rows · columns)
    with np.errstate(all="ignore"):
        summed: Array = flat @ flat.T
    return summed


def similarity(sums: Array) -> Array:
    """Return the cosine between each pair of matrices, from their products.

    Of square roots of shares it is the mean over the queries of the Bhattacharyya
    coefficient of their rows, where the heads have the same queries without keys:
    1 if two heads give each key the same share, 0 if they look at no common key.
    One minus it is the squared Hellinger distance.

    Parameters
    ----------
    sums : ndarray, shape (n, n)
        From `products`.

    Returns
    -------
    ndarray, shape (n, n)
        From −1 to 1; 1 on the diagonal. NaN off the diagonal for a matrix of zeros and
        for one whose products are not finite.

    References
    ----------
    Bhattacharyya 1943, "On a measure of divergence between two statistical
    populations defined by their probability distributions".
    """
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.diagonal(sums))  # (n,)
        lengths[np.isinf(lengths)] = np.nan
        cosines = sums / lengths / lengths[:, np.newaxis]  # (n, n)
    cosines[~np.isfinite(cosines)] = np.nan
    np.clip(cosines, -1, 1, out=cosines)
    np.fill_diagonal(cosines, 1)
    return cosines


def order_of(values: Array, *, largest_first: bool) -> IndexArray:
    """Return the positions of numbers in their order, shape (n,).

    The sort is stable; NaN comes last.
    """
    order: IndexArray = np.argsort(-values if largest_first else values, kind="stable")
    return order


def order_of_likes(similarity: Array) -> IndexArray:
    """Return an order in which similar items are neighbours.

    Agglomerative clustering with average linkage, starting from single items: the two
    most similar groups are merged repeatedly, joined at their most similar ends.

    Parameters
    ----------
    similarity : ndarray, shape (n, n)
        From `similarity`; NaN counts as the lowest.

    Returns
    -------
    ndarray of intp, shape (n,)
        The positions; of the two ends, the smaller one is first.

    References
    ----------
    Sokal and Michener 1958, "A statistical method for evaluating systematic
    relationships" (average linkage).
    """
    similarity = np.where(np.isnan(similarity), -1, similarity)  # (n, n)
    between = similarity.copy()  # (n, n)
    np.fill_diagonal(between, -np.inf)
    groups = [[index] for index in range(len(similarity))]
    for _ in range(len(similarity) - 1):
        one, other = divmod(int(np.argmax(between)), len(similarity))
        a, b = len(groups[one]), len(groups[other])
        groups[one] = _join(groups[one], groups[other], similarity)
        mean = (a * between[one] + b * between[other]) / (a + b)  # (n,)
        between[one] = between[:, one] = mean
        between[one, one] = -np.inf
        between[other] = between[:, other] = -np.inf
    order = groups[0]
    return np.array(order if order[0] <= order[-1] else order[::-1], dtype=np.intp)


def _join(one: list[int], other: list[int], similarity: Array) -> list[int]:
    ways = [(a, b) for a in (one, one[::-1]) for b in (other, other[::-1])]
    left, right = max(ways, key=lambda way: similarity[way[0][-1], way[1][0]])
    return left + right
