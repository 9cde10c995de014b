"""Showing the user where the log file is."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from attnviewer.ui.log.file import FILE, log_folder
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.notice import NoticeBar

_tr = translate_in("show_log")


def show_log(notice: NoticeBar) -> None:
    """Open the folder of the log file, and say where it is.

    Parameters
    ----------
    notice : NoticeBar
        The bar for the message.
    """
    file = log_folder() / FILE
    if not file.exists():
        text = _tr("There is no log file: {path} could not be written.")
        notice.refuse(text.format(path=file))
        return
    text = _tr("The log file is {path}")
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent))):
        text = _tr("The folder cannot be shown here. The log file is {path}")
    notice.show_message(text.format(path=file))
