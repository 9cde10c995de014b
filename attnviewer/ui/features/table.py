"""The features of a window."""

from attnviewer.ui.features.contributions import ContributionsFeature
from attnviewer.ui.features.doctor import DoctorFeature
from attnviewer.ui.features.document_texts import DocumentTextsFeature
from attnviewer.ui.features.explain import ExplainFeature
from attnviewer.ui.features.export import ExportFeature
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.generation import GenerationFeature
from attnviewer.ui.features.goal_seek import GoalSeekFeature
from attnviewer.ui.features.groups import GroupsFeature
from attnviewer.ui.features.head_atlas import HeadAtlasFeature
from attnviewer.ui.features.head_lines import HeadLinesFeature
from attnviewer.ui.features.head_page import HeadPageFeature
from attnviewer.ui.features.history import HistoryFeature
from attnviewer.ui.features.how import HowFeature
from attnviewer.ui.features.importing import ImportFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.features.last_edit import LastEditFeature
from attnviewer.ui.features.lessons import LessonsFeature
from attnviewer.ui.features.log import LogFeature
from attnviewer.ui.features.manual import ManualFeature
from attnviewer.ui.features.model import ModelFeature
from attnviewer.ui.features.model_workspace import ModelWorkspaceFeature
from attnviewer.ui.features.navigation import NavigationFeature
from attnviewer.ui.features.panes import PanesFeature
from attnviewer.ui.features.patching import PatchingFeature
from attnviewer.ui.features.patterns import PatternsFeature
from attnviewer.ui.features.pictures import PicturesFeature
from attnviewer.ui.features.pinning import PinningFeature
from attnviewer.ui.features.pins import PinsFeature
from attnviewer.ui.features.presentation import PresentationFeature
from attnviewer.ui.features.query_steps import QueryStepsFeature
from attnviewer.ui.features.recording import RecordingFeature
from attnviewer.ui.features.score_split import ScoreSplitFeature
from attnviewer.ui.features.sentence_ribbon import SentenceRibbonFeature
from attnviewer.ui.features.sentences import SentencesFeature
from attnviewer.ui.features.spec import SpecFeature
from attnviewer.ui.features.survey import SurveyFeature
from attnviewer.ui.features.tour import TourFeature
from attnviewer.ui.features.training import TrainingFeature
from attnviewer.ui.frame.frame import Feature

FEATURES: tuple[type[Feature], ...] = (
    FlowFeature,
    SentenceRibbonFeature,
    InputsFeature,
    GroupsFeature,
    HeadAtlasFeature,
    HowFeature,
    ExplainFeature,
    ScoreSplitFeature,
    HeadLinesFeature,
    PatternsFeature,
    HistoryFeature,
    QueryStepsFeature,
    SpecFeature,
    LastEditFeature,
    FilesFeature,
    ImportFeature,
    DoctorFeature,
    RecordingFeature,
    PinningFeature,
    GoalSeekFeature,
    PinsFeature,
    NavigationFeature,
    PanesFeature,
    TrainingFeature,
    ExportFeature,
    PicturesFeature,
    PresentationFeature,
    ModelFeature,
    ContributionsFeature,
    PatchingFeature,
    GenerationFeature,
    SurveyFeature,
    HeadPageFeature,
    SentencesFeature,
    ModelWorkspaceFeature,
    DocumentTextsFeature,
    TourFeature,
    LessonsFeature,
    ManualFeature,
    LogFeature,
)
"""In the order in which they are built and connected; each can use those before it.
Docks, bars and the rows of a menu group come in this order, too. A line here and a
file of its own are all that a feature needs."""
