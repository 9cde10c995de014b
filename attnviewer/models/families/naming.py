"""The names of the tensors of linear layers and norms."""


def linear(part: str, name: str) -> dict[str, str]:
    """Return the names of a linear layer's weight and bias."""
    return {f"W_{part}": f"{name}.weight", f"b_{part}": f"{name}.bias"}


def norm(part: str, name: str) -> dict[str, str]:
    """Return the names of a layer norm's weight and bias."""
    return {f"{part}.weight": f"{name}.weight", f"{part}.bias": f"{name}.bias"}


def decoder(name: str) -> dict[str, str]:
    """Return the names of the last layer of an output head."""
    return {"decoder": f"{name}.weight", "b_decoder": f"{name}.bias"}


def other_tables(own: str) -> tuple[tuple[str, str], ...]:
    """Return the names that a stack's table of tokens has where both share it.

    Parameters
    ----------
    own : str
        The name of its own, which counts if it is there.
    """
    return (own, "shared.weight"), (own, "encoder.embed_tokens.weight")
