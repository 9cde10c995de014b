"""What is told of errors that nobody expected."""

from attnviewer.ui.failures.failures import Failures, telling_failures

__all__ = ["Failures", "telling_failures"]
