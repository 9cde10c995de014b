"""The window: the only package that knows Qt and pyqtgraph."""

import os

# pyqtgraph would pick PyQt where both are installed; it must be told before its import.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
# Threads that share the pixels of a fill or an image take as long to wake as one thread
# takes for it, and next to another busy program several times as long (measured).
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
