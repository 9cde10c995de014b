"""The parts of a workbook's file besides its sheets.

The format is that of ECMA-376, part 1, section 18, and part 2.
"""

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_FORMATS = "http://schemas.openxmlformats.org"
_MAIN = f"{_FORMATS}/spreadsheetml/2006/main"
_RELATED = f"{_FORMATS}/officeDocument/2006/relationships"
_PACKAGED = f"{_FORMATS}/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}">'
    '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font>'
    '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font>'
    "</fonts>"
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border>'
    "</borders>"
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
    "</cellStyleXfs>"
    '<cellXfs count="3">'
    + "".join(
        f'<xf numFmtId="0" fontId="{font}" fillId="0" borderId="0" xfId="0" '
        'applyFont="1"/>'
        for font in range(3)
    )
    + "</cellXfs>"
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
    "</cellStyles></styleSheet>"
)
"""Those of `cells`: normal, bold and blue."""


def workbook_parts(
    names: list[str], sheets: Iterable[bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of a workbook's archive.

    Parameters
    ----------
    names : list of str
        The names of the sheets.
    sheets : iterable of bytes
        The sheets, taken one at a time.
    """
    ids = range(1, len(names) + 1)
    overrides = "".join(
        f'<Override PartName="/{part}" ContentType="{_KIND}.{kind}+xml"/>'
        for part, kind in (
            ("xl/workbook.xml", "sheet.main"),
            ("xl/styles.xml", "styles"),
            *((_sheet(k), "worksheet") for k in ids),
        )
    )
    package = "application/vnd.openxmlformats-package"
    yield (
        "[Content_Types].xml",
        f'{_HEAD}<Types xmlns="{_PACKAGED}/content-types">'
        f'<Default Extension="rels" ContentType="{package}.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}'
        "</Types>".encode(),
    )
    yield "_rels/.rels", _related([("officeDocument", "xl/workbook.xml")])
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{k}" r:id="rId{k}"/>'
        for k, name in zip(ids, names, strict=True)
    )
    yield (
        "xl/workbook.xml",
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_RELATED}"><sheets>{listed}'
        '</sheets><calcPr fullCalcOnLoad="1"/></workbook>'.encode(),
    )
    related = [("worksheet", f"worksheets/sheet{k}.xml") for k in ids]
    yield (
        "xl/_rels/workbook.xml.rels",
        _related([*related, ("styles", "styles.xml")]),
    )
    yield "xl/styles.xml", _STYLES.encode()
    for k, sheet in zip(ids, sheets, strict=True):
        yield _sheet(k), sheet


def _sheet(number: int) -> str:
    return f"xl/worksheets/sheet{number}.xml"


def _related(targets: list[tuple[str, str]]) -> bytes:
    listed = "".join(
        f'<Relationship Id="rId{k}" Type="{_RELATED}/{kind}" Target="{target}"/>'
        for k, (kind, target) in enumerate(targets, 1)
    )
    return (
        f'{_HEAD}<Relationships xmlns="{_PACKAGED}/relationships">{listed}'
        "</Relationships>".encode()
    )
