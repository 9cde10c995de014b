"""The window: the only package that knows Qt and pyqtgraph."""

import os

# pyqtgraph would pick PyQt where both are installed; it must be told before its import.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
# Qt shares large fills and images among threads. Waking them takes as long as one
# thread needs for the work, and several times as long beside a busy program (measured
# on two cores).
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
