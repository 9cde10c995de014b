"""The kinds of tasks, a file for each."""

from attnviewer.teaching.tasks.choice import ChoiceTask as ChoiceTask
from attnviewer.teaching.tasks.make import MakeTask as MakeTask
from attnviewer.teaching.tasks.mistake import MistakeTask as MistakeTask
from attnviewer.teaching.tasks.numbers import NumbersTask as NumbersTask
from attnviewer.teaching.tasks.task import Task as Task
from attnviewer.teaching.tasks.wrong_step import WrongStepTask as WrongStepTask
