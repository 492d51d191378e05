"""XML from strangers: what is hostile is refused, and equal trees are equal texts."""

from pathlib import Path

import pytest

from vnfm.kit import xml
from vnfm.kit.xml import XmlError, XmlNode, parse, parse_leniently, render, replaced_places


def laughs(depth: int) -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, depth))
    return f'<!DOCTYPE a [<!ENTITY l0 "ha">{entities}]><a>&l{depth - 1};</a>'


@pytest.mark.parametrize(
    "text",
    [
        laughs(9),
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
        '<!DOCTYPE a SYSTEM "http://192.0.2.1/a.dtd"><a/>',
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>',
        "<!DOCTYPE a><a/>",
    ],
    ids=["laughs", "file", "dtd", "parameter", "bare"],
)
def test_no_document_type_so_no_entity(text: str) -> None:
    with pytest.raises(XmlError, match="document type"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["", "<a>", "<a></b>", "<a>&b;</a>", "<a>\x00</a>", "<a b='1' b='2'/>", "<x:a/>", b"<a>\xff</a>"],
)  # fmt: skip
def test_malformed_xml_is_refused(text: str | bytes) -> None:
    with pytest.raises(XmlError, match="well-formed"):
        parse(text)


def test_unclosed_xml_is_refused() -> None:
    with pytest.raises(XmlError, match="in each other"):
        parse("<a>" * 300 + "</a>" * 300)
    with pytest.raises(XmlError, match="MiB"):
        parse(b" " * (xml.LONGEST + 1))


def test_text_and_elements_side_by_side_would_be_lost() -> None:
    for text in ("<a>one<b/></a>", "<a><b/>one</a>"):
        with pytest.raises(XmlError, match=r"side by side.*line 1"):
            parse(text)


def test_equal_trees_are_equal_texts() -> None:
    one = parse('<x:a xmlns:x="urn:x" c="2" b="1"><x:d>5 &lt; 6</x:d><e xmlns="urn:y"/></x:a>')
    other = parse("<a xmlns='urn:x'\n b='1' c='2'>\n <d>5 &lt; 6</d> <q:e xmlns:q='urn:y'></q:e></a>")
    assert render(one) == render(other)
    assert render(one) == '<a xmlns="urn:x" b="1" c="2">\n  <d>5 &lt; 6</d>\n  <e xmlns="urn:y"/>\n</a>\n'


def test_names_in_values_keep_their_namespace() -> None:
    text = '<a xmlns="urn:x" xmlns:t="urn:types" xmlns:u="urn:unused"><type>t:ethernet</type></a>'
    shown = render(parse(text))
    assert '<type xmlns:t="urn:types">t:ethernet</type>' in shown
    assert "unused" not in shown
    assert render(parse(shown)) == shown


def test_a_text_of_several_lines_stays_on_one() -> None:
    node = XmlNode("banner", "urn:x", 'one\ntwo "quoted" & <more>', attributes={("urn:z", "o"): "v\n", ("", "p"): '"'})
    shown = render(node)
    assert shown.count("\n") == 1
    assert parse(shown) == node


def test_no_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    with pytest.raises(XmlError):
        parse(f'<a xmlns:xi="http://www.w3.org/2001/XInclude">&#0;<xi:include href="file://{tmp_path}/secret"/></a>')
    included = parse(f'<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file://{tmp_path}/secret"/></a>')
    assert "hush" not in render(included)


def test_the_name_of_a_community_is_no_key_of_a_place() -> None:
    """The secret of an SNMP community is its name, and the place is written where masks do not reach."""
    node = parse_leniently(
        b"<a><port><port-id>1/1</port-id><d>x\x08</d></port>"
        b"<community><name>s3cret</name><d>\x08</d></community>"
        b"<user><communityName>s3cret</communityName><d>\x08</d></user></a>"
    )
    assert [place for place, _ in replaced_places(node)] == ["a/port[1/1]/d", "a/community/d", "a/user/d"]
