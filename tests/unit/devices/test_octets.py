"""Octets of elements as text: their encodings, and what must not reach a page or a terminal."""

import pytest

from vnfm.devices.octets import MAX_TEXT, decode, printable


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        (b"core", "core"),
        ("Zürich, 核心".encode(), "Zürich, 核心"),
        ("至北京核心路由器".encode("gbk"), "至北京核心路由器"),
        ("教科网IPv4".encode("gbk"), "教科网IPv4"),
        ("Zürich, Übergabe".encode("latin-1"), "Zürich, Übergabe"),
        ("São Paulo → x"[:9].encode("latin-1"), "São Paulo"),
        ("créée à Genève".encode("latin-1"), "créée à Genève"),
        (b"\x80\x81\xff\xfe", "0x8081fffe"),
        ("核心路由器".encode("gbk")[:-1], "核心路由\ufffd"),
        ("核心路由器".encode()[:-1], "核心路由"),
        (b"padded\0\0\0", "padded"),
        (b"", ""),
    ],
    ids=repr,
)
def test_octets_are_utf_8_else_gbk_else_latin_1_else_hexadecimal(octets: bytes, text: str) -> None:
    assert decode(octets) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", r"a\x1b[31mb"),
        ("two\r\nlines\tand\x0bmore", "two  lines and more"),
        ("evil\u202etxt.exe", r"evil\u202etxt.exe"),
        ("line\u2028feed", "line feed"),
        ("\x07\x08\x7f\x9b", r"\x07\x08\x7f\x9b"),
        ("\ud800", r"\ud800"),
        ("  padded ", "padded"),
    ],
    ids=repr,
)
def test_control_characters_become_visible(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).isprintable()


@pytest.mark.parametrize("octets", [b"x" * 1_000_000, b"\x1b" * 1_000_000, b"\xff" * 1_000_000, b"\xb0\xa1" * 500_000])
def test_a_long_text_is_cut(octets: bytes) -> None:
    assert len(decode(octets)) == MAX_TEXT
    assert decode(octets).endswith("…")
