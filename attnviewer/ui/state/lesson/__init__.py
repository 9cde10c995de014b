"""The lesson that is open: its page, its document, and what the learner answered."""

from attnviewer.ui.state.lesson.learner import Learner as Learner
from attnviewer.ui.state.lesson.standing import Standing as Standing
