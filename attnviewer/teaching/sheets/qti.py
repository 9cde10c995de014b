"""Sheets as QTI 2.1: an item for each page of each sheet, in a content package.

Source: IMS Question and Test Interoperability 2.1 (final, 2012) and IMS Content
Packaging 1.1.4.
"""

from collections.abc import Iterator, Sequence

from attnviewer.io.archive import archive
from attnviewer.teaching.sheets.html import (
    prose_html,
    spans_html,
    table_html,
    xml_text,
)
from attnviewer.teaching.sheets.sheet import (
    Block,
    ChoiceQuestion,
    NumberQuestion,
    Part,
    Prose,
    Question,
    Sheet,
    Table,
    WindowQuestion,
)

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_MANIFEST = "imsmanifest.xml"
_TYPE = "imsqti_item_xmlv2p1"
_WIDTH = 8
"""Characters that a blank is wide."""


def sheets_qti(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    r"""Yield the content package of some sheets.

    Numbers are right within a tolerance; each right cell counts its part of the task's
    points. Text and formulas are XHTML; formulas are LaTeX between ``\(`` and ``\)``.

    Parameters
    ----------
    sheets : sequence of Sheet
        The sheets.
    """
    items = {
        f"item-{variant}-{number}": _item(
            f"item-{variant}-{number}", sheet, part
        ).encode()
        for variant, sheet in enumerate(sheets, 1)
        for number, part in enumerate(sheet.parts, 1)
        if part.questions
    }
    manifest = _manifest(sheets[0].exercise, items)
    files = [(_MANIFEST, manifest.encode())]
    files += [(f"{name}.xml", content) for name, content in items.items()]
    return archive(files, compressed=True)


def _manifest(exercise: str, items: Sequence[str] | dict[str, bytes]) -> str:
    resources = "".join(
        f'<resource identifier="{name}" type="{_TYPE}" href="{name}.xml">'
        f'<file href="{name}.xml"/></resource>\n'
        for name in items
    )
    return (
        f'{_HEAD}<manifest xmlns="{_CP}" xmlns:xsi="{_XSI}" '
        f'xsi:schemaLocation="{_CP} http://www.imsglobal.org/xsd/imscp_v1p1.xsd" '
        'identifier="manifest">\n'
        "<metadata><schema>QTIv2.1 Package</schema>"
        "<schemaversion>1.0.0</schemaversion></metadata>\n"
        f"<organizations/>\n<resources>\n{resources}</resources>\n</manifest>\n"
    )


def _item(identifier: str, sheet: Sheet, part: Part) -> str:
    questions = part.questions
    title = f"{sheet.title}: {part.title} ({sheet.key})"
    most = sum(question.points for question in questions)
    declared = "".join(
        line for k, question in enumerate(questions) for line in _declared(k, question)
    )
    processing = "".join(
        line for k, question in enumerate(questions) for line in _graded(k, question)
    )
    body = "".join(_block(block, questions) for block in part.blocks)
    return (
        f'{_HEAD}<assessmentItem xmlns="{_QTI}" xmlns:xsi="{_XSI}" '
        f'xsi:schemaLocation="{_QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/'
        f'imsqti_v2p1.xsd" identifier="{identifier}" title="{_attribute(title)}" '
        f'xml:lang="{_attribute(sheet.language)}" adaptive="false" '
        'timeDependent="false" toolName="attnviewer">\n'
        f"{declared}{_outcome('SCORE', 0.0)}{_outcome('MAXSCORE', most)}"
        f"<itemBody><div>{body}</div></itemBody>\n"
        f"<responseProcessing>\n{processing}</responseProcessing>\n"
        "</assessmentItem>\n"
    )


def _outcome(name: str, value: float) -> str:
    return (
        f'<outcomeDeclaration identifier="{name}" cardinality="single" '
        f'baseType="float"><defaultValue><value>{value!r}</value></defaultValue>'
        "</outcomeDeclaration>\n"
    )


def _response(question: int, blank: int | None = None) -> str:
    return f"R{question}" if blank is None else f"R{question}-{blank}"


def _declared(number: int, question: Question) -> Iterator[str]:
    if isinstance(question, NumberQuestion):
        for k, blank in enumerate(question.finite.values()):
            yield (
                f'<responseDeclaration identifier="{_response(number, k)}" '
                'cardinality="single" baseType="float"><correctResponse>'
                f"<value>{blank.value!r}</value></correctResponse>"
                "</responseDeclaration>\n"
            )
        return
    values = "".join(f"<value>C{k}</value>" for k in _correct(question))
    share = question.points / len(question.right)
    entries = "".join(
        f'<mapEntry mapKey="C{k}" mappedValue="{_mapped(k, question, share)!r}"/>'
        for k in range(len(question.options))
    )
    cardinality = "multiple" if question.several else "single"
    yield (
        f'<responseDeclaration identifier="{_response(number)}" '
        f'cardinality="{cardinality}" baseType="identifier"><correctResponse>'
        f'{values}</correctResponse><mapping lowerBound="0" '
        f'upperBound="{float(question.points)!r}" defaultValue="0">{entries}</mapping>'
        "</responseDeclaration>\n"
    )


def _correct(question: ChoiceQuestion) -> tuple[int, ...]:
    return question.right if question.several else question.right[:1]


def _mapped(option: int, question: ChoiceQuestion, share: float) -> float:
    """Return what an option counts: a wrong one takes off as much as a right one adds.

    Where one is to be chosen, each right one counts all.
    """
    if not question.several:
        return float(question.points) if option in question.right else 0.0
    return share if option in question.right else -share


def _graded(number: int, question: Question) -> Iterator[str]:
    if isinstance(question, NumberQuestion):
        share = question.points / max(1, len(question.finite))
        for k, blank in enumerate(question.finite.values()):
            name = _response(number, k)
            tolerance = f"{blank.tolerance!r} {blank.tolerance!r}"
            equal = (
                f'<equal toleranceMode="absolute" tolerance="{tolerance}">'
                f'<variable identifier="{name}"/><correct identifier="{name}"/></equal>'
            )
            value = f'<baseValue baseType="float">{share!r}</baseValue>'
            yield _condition(equal, value)
        return
    mapped = f'<mapResponse identifier="{_response(number)}"/>'
    answered = f'<isNull><variable identifier="{_response(number)}"/></isNull>'
    yield _condition(f"<not>{answered}</not>", mapped)


def _condition(test: str, added: str) -> str:
    return (
        f"<responseCondition><responseIf>{test}"
        '<setOutcomeValue identifier="SCORE"><sum><variable identifier="SCORE"/>'
        f"{added}</sum></setOutcomeValue></responseIf></responseCondition>\n"
    )


def _block(block: Block, questions: Sequence[Question]) -> str:
    match block:
        case Prose():
            return prose_html(block)
        case WindowQuestion():
            return prose_html(block.ask)
        case Table():
            return table_html(block, {})
        case NumberQuestion():
            number = questions.index(block)
            blanks = {
                cell: f'<textEntryInteraction responseIdentifier="'
                f'{_response(number, k)}" expectedLength="{_WIDTH}"/>'
                for k, cell in enumerate(block.finite)
            }
            return prose_html(block.ask) + table_html(block.shown, blanks)
        case ChoiceQuestion():
            return _choice(questions.index(block), block)


def _choice(number: int, question: ChoiceQuestion) -> str:
    most = 0 if question.several else 1
    options = "".join(
        f'<simpleChoice identifier="C{k}">{spans_html(option.spans)}</simpleChoice>'
        for k, option in enumerate(question.options)
    )
    return (
        f"{prose_html(question.ask)}"
        f'<choiceInteraction responseIdentifier="{_response(number)}" shuffle="false" '
        f'maxChoices="{most}">{options}</choiceInteraction>'
    )


def _attribute(text: str) -> str:
    return " ".join(xml_text(text).replace('"', "&quot;").split())
