"""Lessons from their text, or what is wrong with it and in which line."""

from attnviewer.teaching.reading.lesson_file import lesson_from_text as lesson_from_text
from attnviewer.teaching.reading.lesson_file import read_lesson as read_lesson
