"""What steps are called in code."""


def variable(step: str) -> str:
    """Return a step's name as a variable: ``X_plus_P``, ``rotated_Q``."""
    return step.replace(" + ", "_plus_").replace(" ", "_")
