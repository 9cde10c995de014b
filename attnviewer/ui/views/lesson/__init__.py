"""The Lesson dock: pages of text with tasks that are checked here."""

from attnviewer.ui.views.lesson.panel import LessonPanel as LessonPanel
