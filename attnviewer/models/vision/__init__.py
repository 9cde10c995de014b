"""Pictures as inputs of models: arrays alone, files are decoded above."""

from attnviewer.models.vision.picture import Picture
from attnviewer.models.vision.picture_input import PictureInput
from attnviewer.models.vision.preprocessing import Preprocessing

__all__ = ["Picture", "PictureInput", "Preprocessing"]
