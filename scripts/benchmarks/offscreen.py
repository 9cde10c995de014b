"""Qt for the benchmarks: without a screen unless one is asked for."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# The offscreen platform warns of every window that has a smallest size.
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

PLATFORM = os.environ["QT_QPA_PLATFORM"]
"""What is drawn on; QT_QPA_PLATFORM names another one."""
