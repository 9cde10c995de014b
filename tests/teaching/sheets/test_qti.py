"""Sheets as QTI 2.1, held to rules of its schema and scored as it says."""

import io
import math
import zipfile
from xml.etree import ElementTree

import pytest

from attnviewer.teaching.sheets.qti import sheets_qti
from attnviewer.teaching.sheets.sheet import NumberQuestion
from tests.teaching.sheets.sheets import sheets_of

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
CP = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
# Of imsqti_v2p1.xsd (final, 31 July 2012): what an element may hold, in this order, and
# what it must and may have for attributes.
ORDER = {
    "assessmentItem": [
        "responseDeclaration",
        "outcomeDeclaration",
        "itemBody",
        "responseProcessing",
    ],
    "responseDeclaration": ["correctResponse", "mapping"],
    "responseIf": ["equal", "not", "setOutcomeValue"],
}
BLOCKS = {"p", "h4", "ul", "ol", "table", "div", "choiceInteraction"}
INLINE = {"strong", "em", "code", "textEntryInteraction"}
CHILDREN = {
    "itemBody": {"div"},
    "div": BLOCKS,
    "p": INLINE,
    "h4": INLINE,
    "ul": {"li"},
    "ol": {"li"},
    "li": INLINE,
    "table": {"tbody"},
    "tbody": {"tr"},
    "tr": {"th", "td"},
    "th": INLINE,
    "td": INLINE,
    "choiceInteraction": {"simpleChoice"},
    "simpleChoice": INLINE,
}
REQUIRED = {
    "assessmentItem": {"identifier", "title", "adaptive", "timeDependent"},
    "responseDeclaration": {"identifier", "cardinality", "baseType"},
    "outcomeDeclaration": {"identifier", "cardinality", "baseType"},
    "choiceInteraction": {"responseIdentifier", "shuffle", "maxChoices"},
    "textEntryInteraction": {"responseIdentifier"},
    "simpleChoice": {"identifier"},
    "equal": {"toleranceMode", "tolerance"},
    "mapEntry": {"mapKey", "mappedValue"},
}


@pytest.fixture(scope="module")
def sheets():
    return sheets_of("ada", "ben", tokens='<b>, "a" & b, sat')


@pytest.fixture(scope="module")
def package(sheets):
    with zipfile.ZipFile(io.BytesIO(b"".join(sheets_qti(sheets)))) as archive:
        return {
            name: ElementTree.fromstring(archive.read(name))
            for name in archive.namelist()
        }


@pytest.fixture(scope="module")
def items(package):
    return [root for name, root in package.items() if name != "imsmanifest.xml"]


def _name(element) -> str:
    return element.tag.removeprefix(QTI)


def test_the_manifest_lists_every_item(package) -> None:
    manifest = package["imsmanifest.xml"]
    assert [part.tag for part in manifest] == [
        f"{CP}metadata",
        f"{CP}organizations",
        f"{CP}resources",
    ]
    resources = manifest.findall(f"{CP}resources/{CP}resource")
    assert {r.get("href") for r in resources} == package.keys() - {"imsmanifest.xml"}
    assert {r.get("type") for r in resources} == {"imsqti_item_xmlv2p1"}
    assert [r.find(f"{CP}file").get("href") for r in resources] == [
        r.get("href") for r in resources
    ]


def test_items_keep_to_the_rules_of_the_schema(items) -> None:
    assert len(items) == 4
    for item in items:
        for element in item.iter():
            assert element.tag.startswith(QTI)
            name = _name(element)
            inside = [_name(child) for child in element]
            if name in ORDER:
                places = [ORDER[name].index(child) for child in inside]
                assert places == sorted(places)
            if name in CHILDREN:
                assert set(inside) <= CHILDREN[name]
            assert REQUIRED.get(name, set()) <= set(element.keys())


def test_identifiers_are_unique_and_what_is_answered_is_declared(items) -> None:
    for item in items:
        declared = [d.get("identifier") for d in item.iter(f"{QTI}responseDeclaration")]
        assert len(set(declared)) == len(declared)
        answered = [e.get("responseIdentifier") for e in item.iter()]
        assert [a for a in answered if a] == declared
    assert len({item.get("identifier") for item in items}) == 4


def _declarations(item) -> dict[str, ElementTree.Element]:
    found = item.iter(f"{QTI}responseDeclaration")
    return {str(declared.get("identifier")): declared for declared in found}


def _right(item) -> dict[str, list[str]]:
    return {
        name: [str(value.text) for value in declared.iter(f"{QTI}value")]
        for name, declared in _declarations(item).items()
    }


def _score(item, responses: dict[str, list[str]]) -> float:
    """Return SCORE as response processing gives it, as far as items use it."""
    declared, right, score = _declarations(item), _right(item), 0.0
    for condition in item.iter(f"{QTI}responseIf"):
        test, outcome = condition
        name = next(test.iter(f"{QTI}variable")).get("identifier")
        given = responses.get(name, [])
        added = outcome[0][1]
        if _name(test) == "equal":
            below, above = map(float, test.get("tolerance").split())
            value = float(right[name][0])
            if given and value - below <= float(given[0]) <= value + above:
                score += float(added.text)
        elif given:
            mapping = declared[name].find(f"{QTI}mapping")
            entries = {e.get("mapKey"): float(e.get("mappedValue")) for e in mapping}
            total = sum(entries[key] for key in given)
            least, most = (
                float(mapping.get("lowerBound")),
                float(mapping.get("upperBound")),
            )
            score += min(max(total, least), most)
    return score


def test_right_answers_get_all_points_and_none_get_nothing(items, sheets) -> None:
    parts = [part for sheet in sheets for part in sheet.parts]
    for item, part in zip(items, parts, strict=True):
        most = sum(question.points for question in part.questions)
        [declared] = [o for o in item if o.get("identifier") == "MAXSCORE"]
        assert float(declared.findtext(f".//{QTI}value")) == most
        assert _score(item, _right(item)) == pytest.approx(most)
        assert _score(item, {}) == 0


def test_a_number_is_right_within_its_tolerance_alone(items, sheets) -> None:
    weights = sheets[0].parts[0].questions[1]
    assert isinstance(weights, NumberQuestion)
    blank = weights.blanks[2, 0]
    for apart, points in ((0.0049, 2 / 3), (-0.0049, 2 / 3), (0.0051, 0), (-0.0051, 0)):
        answer = {"R1-0": [repr(blank.value + apart)]}
        assert _score(items[0], answer) == pytest.approx(points)
    assert math.isfinite(blank.value)


def test_wrong_ticks_take_off_what_right_ones_add(items) -> None:
    assert _score(items[0], {"R2": ["C0"]}) == 2
    assert _score(items[0], {"R2": ["C0", "C2"]}) == 0
    assert _score(items[0], {"R2": ["C2"]}) == 0
    assert _score(items[0], {"R2": ["C0", "C1", "C2"]}) == 2
