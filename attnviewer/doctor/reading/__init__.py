"""Cases from arrays and files, whatever their names and the order of their axes."""

from attnviewer.doctor.reading.case import read_case as read_case
from attnviewer.doctor.reading.files import CaseArrays as CaseArrays
from attnviewer.doctor.reading.files import holds_case as holds_case
from attnviewer.doctor.reading.files import read_case_arrays as read_case_arrays
from attnviewer.doctor.reading.files import read_case_file as read_case_file
from attnviewer.doctor.reading.options_text import parse_options as parse_options
