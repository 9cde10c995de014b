"""Names of steps in code."""


def variable(step: str) -> str:
    """Return a step's name as an identifier: ``X_plus_P``, ``rotated_Q``."""
    return step.replace(" + ", "_plus_").replace(" ", "_")
