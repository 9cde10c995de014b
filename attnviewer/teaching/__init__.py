"""Lessons and exercises: text with tasks, and what is right and wrong about answers."""

from attnviewer.teaching.bundled import bundled_lessons
from attnviewer.teaching.lesson import Lesson, Page, Show, Text
from attnviewer.teaching.mistaken import mistake_title
from attnviewer.teaching.progress import Progress, load_progress, save_progress
from attnviewer.teaching.reading import lesson_from_text, read_lesson
from attnviewer.teaching.recording import record_page
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import CellVerdict, Verdict

__all__ = [
    "CellVerdict",
    "Lesson",
    "Page",
    "Progress",
    "Show",
    "Situation",
    "Task",
    "Text",
    "Verdict",
    "bundled_lessons",
    "lesson_from_text",
    "load_progress",
    "mistake_title",
    "read_lesson",
    "record_page",
    "save_progress",
]
