"""The Doctor panel: what was found out about an implementation."""

from attnviewer.ui.views.doctor.panel import DoctorPanel

__all__ = ["DoctorPanel"]
