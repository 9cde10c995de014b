"""Reporting unexpected errors."""

from attnviewer.ui.failures.failures import Failures, reporting_failures

__all__ = ["Failures", "reporting_failures"]
