"""Configurations as text: statements, missing ones, differences."""

import pytest

from vnfm.configuration.domain.dialects import FRR, SROS, VRP
from vnfm.configuration.domain.dialects.base import Dialect
from vnfm.configuration.domain.statements import (
    MAX_DIFF_LINES,
    canonical,
    difference,
    is_removed,
    lines_of,
    missing_statements,
    predicted_difference,
    statements,
)

RUNNING = {
    "sros": """\
# TiMOS-C-13.0.R6 cpm/hops64 Nokia 7750 SR
# Generated Sat Nov 21 20:00:00 2026 UTC
exit all
configure
#--------------------------------------------------
echo "System Configuration"
#--------------------------------------------------
    system
        name "pe1"
        snmp
            community "s3cret" r version both
        exit
    exit
    port 1/1/1
        shutdown
    exit
    router Base
        interface "toCore" create
            address 10.0.0.1/30
        exit
    exit
exit all
# Finished Sat Nov 21 20:00:01 2026 UTC
""",
    "vrp": """\
!Software Version V800R009
!Last configuration was updated at 2026-11-21 20:00:00+00:00 by admin
#
sysname core-1
#
interface 100GE1/0/0
 undo shutdown
 description to the core
#
bgp 65000
 peer 10.0.0.2 as-number 65001
 #
 ipv4-family unicast
  peer 10.0.0.2 enable
#
return
""",
    "frr": """\
Building configuration...

Current configuration:
!
frr version 8.4.4
hostname frr-1
!
interface to-neighbour
 description there
exit
!
router bgp 65001
 neighbor 10.0.0.2 remote-as 65002
 !
 address-family ipv4 unicast
  neighbor 10.0.0.2 activate
 exit-address-family
exit
!
end
""",
}
DIALECTS = {"sros": SROS, "vrp": VRP, "frr": FRR}


def found(dialect: Dialect, text: str) -> list[str]:
    return list(statements(dialect.syntax, lines_of(dialect.syntax, text)))


def lacks(family: str, text: str) -> list[str]:
    syntax = DIALECTS[family].syntax
    return missing_statements(syntax, RUNNING[family], lines_of(syntax, text))


def test_a_statement_is_a_line_with_the_contexts_around_it() -> None:
    assert "configure system snmp community s3cret r version both" in found(SROS, RUNNING["sros"])
    assert "configure router interface toCore address 10.0.0.1/30" in found(SROS, RUNNING["sros"])
    assert found(VRP, RUNNING["vrp"])[-2:] == [
        "bgp 65000 ipv4-family unicast",
        "bgp 65000 ipv4-family unicast peer 10.0.0.2 enable",
    ]
    assert found(FRR, RUNNING["frr"])[-2:] == [
        "router bgp 65001 address-family ipv4 unicast",
        "router bgp 65001 address-family ipv4 unicast neighbor 10.0.0.2 activate",
    ]


@pytest.mark.parametrize("family", DIALECTS)
def test_a_configuration_lacks_none_of_its_own_statements(family: str) -> None:
    assert lacks(family, RUNNING[family]) == []


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("sros", "/configure port 1/1/1 shutdown"),
        ("sros", 'configure router interface toCore address 10.0.0.1/30\nconfigure system name "pe1"'),
        ("sros", "configure\r\n    port 1/1/1\r\n        shutdown\r\n    exit\r\n"),
        ("vrp", "interface 100GE1/0/0\n undo shutdown\n"),
        ("frr", "interface to-neighbour\n  description there\n"),
    ],
)
def test_lines_that_are_present(family: str, text: str) -> None:
    assert lacks(family, text) == []


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("sros", "/configure port 1/1/1\nno shutdown"),
        ("sros", "configure port 1/1/1 no shutdown"),
        ("sros", "configure port 1/1/2 shutdown"),
        ("vrp", "interface 100GE1/0/0\nshutdown"),
        ("frr", "interface to-neighbour\nno description"),
    ],
)
def test_lines_that_are_missing(family: str, text: str) -> None:
    """In doubt they count as missing: sending them does no harm."""
    assert lacks(family, text)


@pytest.mark.parametrize("family", DIALECTS)
def test_volatile_lines_make_no_difference(family: str) -> None:
    text = RUNNING[family]
    later = text.replace("20:00:0", "21:30:0").replace("\n", "\r\n")
    syntax = DIALECTS[family].syntax
    assert canonical(syntax, later) == canonical(syntax, text)
    assert canonical(syntax, canonical(syntax, text)) == canonical(syntax, text)


def test_a_predicted_difference_has_added_and_removed_statements() -> None:
    lines = lines_of(SROS.syntax, "configure\n    system\n        no name\n        location here\n")
    assert predicted_difference(SROS.syntax, RUNNING["sros"], lines).splitlines() == [
        "--- running",
        "+++ foreseen",
        "-configure system name pe1",
        "+configure system location here",
    ]


def test_a_difference_has_line_numbers_of_the_whole_text() -> None:
    before = "".join(f"line {number}\n" for number in range(100))
    after = before.replace("line 50\n", "line fifty\n")
    diff = difference(before, after).splitlines()
    assert diff[:3] == ["--- before", "+++ after", "@@ -48,7 +48,7 @@"]
    assert [line for line in diff[3:] if line[0] in "+-"] == ["-line 50", "+line fifty"]
    assert difference(before, before) == ""


def test_a_difference_is_bounded_however_long_the_texts_are() -> None:
    before = "".join(f"{number}\n" for number in range(20_000))
    after = "".join(f"{-number}\n" for number in range(20_000))
    diff = difference(before, after).splitlines()
    assert len(diff) == MAX_DIFF_LINES + 1
    assert diff[-1].endswith("lines more")


def test_few_differences_in_a_long_text_are_aligned() -> None:
    before = "".join(f"vprn {number}\n no shutdown\nexit\n" for number in range(30_000))
    after = before.replace("vprn 7\n", "vprn 7\n shutdown\n").replace("vprn 29990\n", "")
    diff = difference(before, after).splitlines()
    assert [line for line in diff[2:] if line[0] in "+-"] == ["+ shutdown", "-vprn 29990"]
    assert sum(line.startswith("@@") for line in diff) == 2


@pytest.mark.parametrize("text", ["", "\x00\xff", "    \n\t\n", "exit\n" * 1000, "no\nundo\nno no no", "a" * 100_000])
@pytest.mark.parametrize("family", DIALECTS)
def test_any_text_is_handled(family: str, text: str) -> None:
    syntax = DIALECTS[family].syntax
    lines = lines_of(syntax, text)
    assert missing_statements(syntax, canonical(syntax, text), lines) == []
    assert predicted_difference(syntax, text, lines) == ""
    assert isinstance(predicted_difference(syntax, RUNNING[family], lines), str)


REMOVAL = """\
exit all
configure
    port {0}/1/1
        shutdown
    exit
    card {0}
        shutdown
    exit
    no card {0}
exit all
"""


def test_a_removal_that_has_been_sent_before_is_recognised() -> None:
    running = "configure\n    card 2\n        card-type iom-v\n    exit\n    card 21\n        shutdown\n    exit\n"
    for slot, gone in (("2", False), ("1", True), ("21", False)):
        assert is_removed(SROS.syntax, running, lines_of(SROS.syntax, REMOVAL.format(slot))) is gone
    only_adds = lines_of(SROS.syntax, 'configure\n    system\n        name "x"\n    exit\n')
    assert not is_removed(SROS.syntax, running, only_adds), "unknown"
