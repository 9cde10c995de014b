"""The window: the only package that knows Qt and pyqtgraph."""

import os

# pyqtgraph would pick PyQt where both are installed; it must be told before its import.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
