"""Rows of files: the three formats, their bounds, and errors that name the line."""

from pathlib import Path

import pytest

from routersim.snmp.ber import Tag
from routersim.snmp.recording import InvalidRecording, RecordedMib, load_recording
from routersim.snmp.typed_values import MAX_VALUE_OCTETS

WALKS = Path(__file__).parents[2] / "fixtures" / "walks"
WALK = r"""
# of a router
.1.3.6.1.2.1.1.1.0 = STRING: "Linux r1
6.1.0 with \"quotes\" and \\
.1 a third line"
.1.3.6.1.2.1.1.2.0 = OID: .1.3.6.1.4.1.8072.3.2.10
.1.3.6.1.2.1.1.3.0 = Timeticks: (123456) 0:20:34.56
.1.3.6.1.2.1.1.4.0 = ""
.1.3.6.1.2.1.1.6.0 = STRING: unquoted place
iso.3.6.1.2.1.1.7.0 = INTEGER: 72
.1.3.6.1.2.1.2.2.1.5.1 = Gauge32: 1000000000 bits per second
.1.3.6.1.2.1.2.2.1.6.1 = STRING: 0:50:56:ab:cd:e
.1.3.6.1.2.1.2.2.1.6.2 = Hex-STRING: 00 01 02 03
04 05 FF
.1.3.6.1.2.1.2.2.1.7.1 = INTEGER: up(1)
.1.3.6.1.2.1.2.2.1.9.1 = 4711
.1.3.6.1.2.1.2.2.1.10.1 = Counter32: 4294967295
.1.3.6.1.2.1.4.20.1.1.192.0.2.1 = IpAddress: 192.0.2.1
.1.3.6.1.2.1.4.20.1.2.192.0.2.1 = Wrong Type (should be INTEGER): Gauge32: 7
.1.3.6.1.2.1.31.1.1.1.6.1 = Counter64: 18446744073709551615
.1.3.6.1.2.1.88.1.1 = BITS: 80 40 first(0) tenth(9)
.1.3.6.1.4.1.2021.10.1.6.1 = Opaque: Float: 0.500000
.1.3.6.1.4.1.99.1.0 = No Such Instance currently exists at this OID
.1.3.6.1.4.1.99.2.0 = NULL
.1.3.6.1.4.1.99.2.0 = No more variables left in this MIB View (It is past the end of the MIB tree)
Timeout: No Response from 192.0.2.1
"""
EXPECTED = {
    "1.3.6.1.2.1.1.1.0": (Tag.OCTETS, b'Linux r1\n6.1.0 with "quotes" and \\\n.1 a third line'),
    "1.3.6.1.2.1.1.2.0": (Tag.OID, (1, 3, 6, 1, 4, 1, 8072, 3, 2, 10)),
    "1.3.6.1.2.1.1.3.0": (Tag.TIMETICKS, 123456),
    "1.3.6.1.2.1.1.4.0": (Tag.OCTETS, b""),
    "1.3.6.1.2.1.1.6.0": (Tag.OCTETS, b"unquoted place"),
    "1.3.6.1.2.1.1.7.0": (Tag.INTEGER, 72),
    "1.3.6.1.2.1.2.2.1.5.1": (Tag.GAUGE32, 1_000_000_000),
    "1.3.6.1.2.1.2.2.1.6.1": (Tag.OCTETS, bytes.fromhex("005056abcd0e")),
    "1.3.6.1.2.1.2.2.1.6.2": (Tag.OCTETS, bytes.fromhex("000102030405ff")),
    "1.3.6.1.2.1.2.2.1.7.1": (Tag.INTEGER, 1),
    "1.3.6.1.2.1.2.2.1.9.1": (Tag.TIMETICKS, 4711),
    "1.3.6.1.2.1.2.2.1.10.1": (Tag.COUNTER32, 2**32 - 1),
    "1.3.6.1.2.1.4.20.1.1.192.0.2.1": (Tag.IP_ADDRESS, bytes((192, 0, 2, 1))),
    "1.3.6.1.2.1.4.20.1.2.192.0.2.1": (Tag.GAUGE32, 7),
    "1.3.6.1.2.1.31.1.1.1.6.1": (Tag.COUNTER64, 2**64 - 1),
    "1.3.6.1.2.1.88.1.1": (Tag.OCTETS, b"\x80\x40"),
    "1.3.6.1.4.1.2021.10.1.6.1": (Tag.OPAQUE, bytes.fromhex("9f78043f000000")),
    "1.3.6.1.4.1.99.2.0": (Tag.NULL, b""),
}


def rows_of(path: Path) -> dict[str, tuple[Tag, object]]:
    mib = load_recording(path)
    return {".".join(map(str, oid)): row for oid, row in mib.rows.items()}


def test_the_output_of_snmpwalk(tmp_path: Path) -> None:
    (file := tmp_path / "walk.txt").write_text(WALK)
    assert rows_of(file) == EXPECTED


def test_records_of_snmpsim(tmp_path: Path) -> None:
    lines = ["1.3.6.1.2.1.1.1.0|4|a|b", "1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.9.1", "1.3.6.1.2.1.1.3.0|67|17", ""]
    lines += ["1.3.6.1.2.1.2.2.1.6.1|4x|0050 56", "1.3.6.1.2.1.4.20.1.1.1|64|192.0.2.1", "1.3.6.1.9|65|-1"]
    lines += ["1.3.6.1.10|64x|c0000201", "1.3.6.1.11|70|5", "1.3.6.1.12|2x|ff", "1.3.6.1.13|5|"]
    (file := tmp_path / "r.snmprec").write_text("\r\n".join(lines))
    found = rows_of(file)
    assert found["1.3.6.1.2.1.1.1.0"] == (Tag.OCTETS, b"a|b")
    assert found["1.3.6.1.2.1.1.2.0"] == (Tag.OID, (1, 3, 6, 1, 4, 1, 9, 1))
    assert found["1.3.6.1.2.1.2.2.1.6.1"] == (Tag.OCTETS, b"\x00\x50\x56")
    assert found["1.3.6.1.2.1.4.20.1.1.1"] == found["1.3.6.1.10"] == (Tag.IP_ADDRESS, bytes((192, 0, 2, 1)))
    assert [found[f"1.3.6.1.{n}"] for n in (9, 11, 12, 13)] == [
        (Tag.COUNTER32, 2**32 - 1),
        (Tag.COUNTER64, 5),
        (Tag.INTEGER, -1),
        (Tag.NULL, b""),
    ]


def test_yaml_rows() -> None:
    found = rows_of(WALKS / "snmp-texts.yaml")
    assert len(found) == 15
    assert found["1.3.6.1.2.1.31.1.1.1.18.1"] == (Tag.OCTETS, bytes.fromhex("bdccbfc6cdf849507634"))
    assert found["1.3.6.1.2.1.1.2.0"] == (Tag.OID, (1, 3, 6, 1, 4, 1, 6527, 1, 3, 17))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no line is a row"),
        ("hello\n", "no line is a row"),
        ("rows:\n- [1.3.6.1, INTEGER]\n", r"line 2: a row must be \[oid, type, value\]"),
        ("rows:\n- [1.3.6.1, NUMBER, 7]\n", "line 2: the type 'NUMBER'"),
        ("rows:\n- {a: b}\n", "line 2: a row must be"),
        ("rows: [\n", "line 2: not valid YAML"),
        ("1.3.6.1|2|x\n", "line 1: 'x' is not of type INTEGER"),
        ("1.3.6.1|2|1\n1.3.6.2|67:numeric|rate=1\n", "line 2: the tag '67:numeric'"),
        ("1.3.6.1|2|4294967296\n", "line 1: '4294967296' is not of type INTEGER"),
        ("1.3.6.1|4x|0g\n", "line 1: '0g' is not hexadecimal"),
        ("1.3.6.1.4294967296|2|1\n", "line 1: .* an invalid arc"),
        ("1." + "3." * 128 + "1|2|1\n", "line 1: .* not a numeric object identifier of at most 128 arcs"),
        ("1.3.6.1|64|1.2.3\n", "line 1: '1.2.3' is not an IPv4 address"),
        (f"1.3.6.1|4|{'x' * (MAX_VALUE_OCTETS + 1)}\n", "line 1: a value has more than"),
        ("IF-MIB::ifDescr.1 = STRING: lo\n", "line 1: the name is symbolic: walk with -On"),
        (".1.3.6.1 = OID: SNMPv2-SMI::enterprises\n", "line 1: .*walk with -On"),
        ("\n.1.3.6.1 = Strange: 7\n", "line 2: the type 'Strange'"),
        (".1.3.6.1 = INTEGER: many\n", "line 1: 'many' is not of type INTEGER"),
    ],
)
def test_what_is_no_row_is_refused_with_its_line(text: str, problem: str, tmp_path: Path) -> None:
    (file := tmp_path / "rows").write_text(text)
    with pytest.raises(InvalidRecording, match=problem):
        load_recording(file)


def test_a_recording_answers_as_a_mib() -> None:
    mib = RecordedMib({(1, 3, 9): (Tag.INTEGER, 9), (1, 3, 10): (Tag.INTEGER, 10), (1, 3, 2, 5): (Tag.OCTETS, b"x")})
    names = [tag for _, tag, _ in mib.walk(None, (1, 3))]  # type: ignore[arg-type] - a recording needs no scope
    assert names == [Tag.OCTETS, Tag.INTEGER, Tag.INTEGER], "in the order of numbers, not of texts"
    assert [value for *_, value in mib.walk(None, (1, 3, 9))] == [10]  # type: ignore[arg-type] - as above
    assert mib.find(None, (1, 3, 2, 6)) is Tag.NO_SUCH_INSTANCE  # type: ignore[arg-type] - as above
    assert mib.find(None, (1, 4, 2, 6)) is Tag.NO_SUCH_OBJECT  # type: ignore[arg-type] - as above
