"""Where the log file is, for who wants to see it or to send it."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from attnviewer.ui.log.file import FILE, log_folder
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.notice import NoticeBar

_tr = translate_in("show_log")


def show_log(notice: NoticeBar) -> None:
    """Open the folder of the log file, and tell where that is.

    Parameters
    ----------
    notice : NoticeBar
        Where it is told.
    """
    file = log_folder() / FILE
    if not file.exists():
        told = _tr("There is no log file: {path} could not be written.")
        notice.refuse(told.format(path=file))
        return
    told = _tr("The log file is {path}")
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent))):
        told = _tr("The folder cannot be shown here. The log file is {path}")
    notice.tell(told.format(path=file))
