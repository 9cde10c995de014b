"""Where queries, keys and values come from, which no choice of a variant changes."""

from attnviewer.document.edits import EditError


def check_sources(given: bool, wanted: bool) -> None:
    """Check that queries, keys and values stay given, or stay computed.

    Parameters
    ----------
    given : bool
        Whether they are.
    wanted : bool
        Whether another spec has them given.

    Raises
    ------
    EditError
        With what is missing for the other way.
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
