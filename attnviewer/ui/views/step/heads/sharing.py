"""The heads that share keys and values, in words."""

from PySide6.QtCore import QCoreApplication

from attnviewer.compute import Trace


def sharing_note(trace: Trace, step: str, head: int) -> str:
    """Say with which heads a head of a step shares its keys and values.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        One of them.
    head : int
        One of its own heads. One of keys or values is said to serve heads of
        queries.

    Returns
    -------
    str
        "" where each head has keys and values of its own.
    """
    served = trace.spec.sharing_with(trace.served_by(step, head)[0])
    if len(served) == 1:
        return ""
    if trace.n_heads(step) < trace.n_query_heads:
        text = QCoreApplication.translate("Heads", "serves {heads}")
        return text.format(heads=_names(served))
    text = QCoreApplication.translate("Heads", "K and V of {heads}")
    if trace.spec.score == "given":  # without keys
        text = QCoreApplication.translate("Heads", "V of {heads}")
    return text.format(heads=_names(served))


def _names(heads: range) -> str:
    if len(heads) > 2:
        return f"H{heads[0]}–H{heads[-1]}"
    return ", ".join(f"H{head}" for head in heads)
