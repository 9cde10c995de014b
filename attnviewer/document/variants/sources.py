"""The check that no variant changes whether Q, K and V are given."""

from attnviewer.document.edits import EditError


def check_sources(given: bool, wanted: bool) -> None:
    """Check that queries, keys and values stay given or stay computed.

    Parameters
    ----------
    given : bool
        Whether they are given.
    wanted : bool
        Whether they are given in the new spec.

    Raises
    ------
    EditError
        With what is missing for the change.
    """
    if given and not wanted:
        raise EditError(
            "Other variants compute queries, keys and values from X; there is no X "
            "here."
        )
    if wanted and not given:
        raise EditError(
            "Queries, keys and values come from X here. Given ones are a document of "
            "their own."
        )
