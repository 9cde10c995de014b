"""Rotary parameters of models with several types of layers, each with its own."""

from collections.abc import Mapping

from attnviewer.io.strict_json import SchemaError, shortened

_TYPES = ("full_attention", "sliding_attention")

_FLAT = (
    *("rope_parameters", "rope_scaling", "rope_theta"),
    "original_max_position_embeddings",
)
"""Fields of one rotation for all layers."""


def without_flat(config: Mapping[str, object]) -> dict[str, object]:
    """Return a configuration without fields of one rotation for all layers.

    Those of a type of layers are read apart from them.

    Parameters
    ----------
    config : mapping of str to object
        The configuration.
    """
    return {name: value for name, value in config.items() if name not in _FLAT}


def check_by_layer(parameters: Mapping[str, object]) -> None:
    """Check that rotary parameters are those of types of layers.

    Parameters
    ----------
    parameters : mapping of str to object
        The ``rope_parameters`` of a configuration.

    Raises
    ------
    SchemaError
        If there are some, and none is of a type of layers.
    """
    if parameters and not parameters.keys() & set(_TYPES):
        raise SchemaError(
            f"It must hold {' and '.join(_TYPES)}. "
            f"Got {shortened(', '.join(parameters))} instead.",
            "$.rope_parameters",
        )


def refuse_old_name(scaling: Mapping[str, object]) -> None:
    """Refuse a scaling with ``type``, the old name of ``rope_type``.

    Transformers ignores that name in a model with several types of layers.

    Parameters
    ----------
    scaling : mapping of str to object
        The ``rope_scaling`` of a configuration.

    Raises
    ------
    SchemaError
        If there is a ``type`` without a ``rope_type``.
    """
    if scaling.get("type", "default") != "default" and "rope_type" not in scaling:
        raise SchemaError(
            "It must be called rope_type in a model with several types of layers. "
            "Got type instead.",
            "$.rope_scaling.type",
        )
