"""figures.yaml of strangers: what does not fit is refused with its line."""

import pytest

from tests.factories.packages import ROOT, schema
from tests.factories.sizing import VSR_PE, shipped
from vnfm.catalog.domain.dimensioning.reader import NAME, check_figures
from vnfm.catalog.domain.errors import PackageError

HEAD = """\
documents:
  lab: {title: A lab}
hosts:
  - {id: server, name: Server, description: One, source: {document: lab, place: page 1}}
figures:
  - {id: rate, name: Rate, value: 2.5, unit: Mpps, source: {document: lab, place: page 2}, quote: two and a half}
"""


def faults(text):
    with pytest.raises(PackageError) as caught:
        check_figures(NAME, text.encode(), schema("figures"), shipped(VSR_PE)[0])
    assert caught.value.code == "FIGURES_INVALID"
    return [(fault.line, fault.message) for fault in caught.value.faults]


def sizing(text):
    return f"{HEAD}sizing:\n  unit: {{name: VM, plural: VMs, vdu: data-path}}\n{text}"


def test_the_least_that_figures_are():
    figures = check_figures(NAME, HEAD.encode(), schema("figures"), None)
    assert figures.figures["rate"].value.number_in("pps") == 2_500_000
    assert figures.sizing is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD.replace("Mpps", "furlong"), 6, "'furlong' is not one of"),
        (HEAD.replace("2.5", "-1"), 6, "-1 is less than the minimum of 0"),
        (HEAD.replace(", quote: two and a half", ""), 6, "'quote' is a required property"),
        (HEAD.replace("document: lab, place: page 2", "document: net, place: page 2"), 6, "There is no document 'net'"),
        (HEAD + HEAD.splitlines()[-1] + "\n", 6, "There is another figure 'rate'."),
        (
            HEAD.replace("quote: two", "conditions: {host: blade}, quote: two"),
            6,
            "There is no host 'blade', only server",
        ),
        (HEAD.replace("description: One", "description: One, flavour: tiny"), 4, "The VNFD has no flavour 'tiny'"),
        (HEAD + "contradictions:\n  - {figures: [speed], text: Two}\n", 8, "There is no figure 'speed'."),
        (sizing("  bounds:\n    - {dimension: sessions, per: unit, figures: [rate]}\n"), 10, "rate is in Mpps, which"),
        (sizing("  bounds:\n    - {dimension: forwarding, per: unit, figures: [speed]}\n"), 10, "There is no figure"),
        (sizing("  cores: {card: [rate]}\n  bounds: []\n"), 9, "rate is in Mpps, which does not fit here."),
        (sizing("  bounds: []\n").replace("data-path", "card"), 8, "There is no VDU 'card', only control, data-path."),
        (
            f"{HEAD}sizing:\n  bounds:\n    - {{dimension: forwarding, per: unit, figures: [rate]}}\n",
            9,
            "No unit is added for capacity here: bound the instance.",
        ),
        (
            HEAD
            + "tables:\n  - source: {document: lab, place: page 3}\n    columns: [{id: c, name: C, unit: us}]\n"
            + "    rows:\n      - {frame: 64, values: [1, 2], quote: x}\n",
            11,
            "The row has 2 values, the table 1 columns.",
        ),
    ],
)
def test_invalid_figures_are_refused_at_their_line(text, line, message):
    found = faults(text)
    assert found[0][0] == line
    assert found[0][1].startswith(message)


def test_a_unit_of_a_stranger_is_never_computed():
    assert faults(HEAD.replace("Mpps", '"10**10**10"'))[0][1].startswith("'10**10**10' is not one of")


def test_columns_of_a_table_are_figures():
    text = HEAD + (
        "tables:\n  - source: {document: lab, place: page 3}\n    meanFrame: 361.77\n"
        "    columns: [{id: c, name: C, unit: us}]\n"
        "    rows:\n      - {frame: 64, values: [1], quote: x}\n      - {frame: IMIX, values: [2], quote: x}\n"
    )
    figures = check_figures(NAME, text.encode(), schema("figures"), None).figures
    assert (figures["c-64"].conditions.frame, figures["c-imix"].conditions.imix) == (64, True)


@pytest.mark.parametrize("path", sorted((ROOT / "catalog" / "figures").glob("*.yaml")), ids=lambda path: path.stem)
def test_figures_of_the_catalog_are_accepted(path):
    assert check_figures(path.name, path.read_bytes(), schema("figures"), None).figures
