"""Lessons and exercises: text with tasks, and what is right and wrong about answers."""

from attnviewer.teaching.lesson import Lesson, Page, Show, Text
from attnviewer.teaching.reading import lesson_from_text, read_lesson
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import CellVerdict, Verdict

__all__ = [
    "CellVerdict",
    "Lesson",
    "Page",
    "Show",
    "Situation",
    "Task",
    "Text",
    "Verdict",
    "lesson_from_text",
    "read_lesson",
]
