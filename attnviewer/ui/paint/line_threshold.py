"""The first threshold of the weights that are drawn as lines."""


def half_of_even_share(n_keys: int) -> float:
    """Return a threshold at half of what each key gets if all get the same."""
    return float(f"{0.5 / n_keys:.1g}")
