"""NETCONF configurations as texts: canonical form, secrets, changes."""

import pytest

from vnfm.configuration.domain.admin_state import admin_state_text
from vnfm.configuration.domain.statements import difference
from vnfm.configuration.domain.xml import BASE, MODELS, XmlEdit, masked, nodes_of, text_of, xml_changes_between
from vnfm.kit.xml import XmlError, XmlNode, is_xml, parse, render

NOKIA = "urn:nokia.com:sros:ns:yang:sr:conf"
TEXT = f'<configure xmlns="{NOKIA}"><system><name>pe1</name></system></configure>'


def canonical(text: str) -> str:
    return text_of(nodes_of(text))


def test_equal_configurations_are_equal_texts() -> None:
    whole = f'<config xmlns="{BASE}">{TEXT}</config>'
    junos = f'<config xmlns="{BASE}" xmlns:j="urn:j"><configure xmlns="{NOKIA}" j:changed="5" changed-seconds="7">'
    junos += "<system><name>pe1</name></system></configure></config>"
    assert canonical(TEXT) == canonical(whole) == canonical(junos)
    assert canonical(canonical(TEXT)) == canonical(TEXT)
    assert canonical(TEXT).splitlines()[1] == f'  <configure xmlns="{NOKIA}">'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("configure port 1/1/1 shutdown", "configured by NETCONF"),
        ("<config/>", "no configuration"),
        ("<configure><system/></configure>", "<configure> has no namespace"),
        (f'<config xmlns="{BASE}"><system/></config>', "<system> has no namespace"),
        ("<configure", "well-formed"),
        ('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a xmlns="urn:x">&b;</a>', "well-formed"),
    ],
)
def test_invalid_texts(text: str, words: str) -> None:
    with pytest.raises(XmlError, match=words):
        nodes_of(text)


def test_several_documents_are_several_edits() -> None:
    """As a package's templates, each with its XML declaration; one container of a name in each edit-config."""
    other = '<ports xmlns="urn:x"/>'
    nodes = nodes_of(f'<?xml version="1.0"?>\n{TEXT}\n<?xml version="1.0"?>\n<config>{TEXT}{other}</config>\n')
    assert [[node.name for node in part] for part in XmlEdit(nodes).parts()] == [["configure"], ["configure", "ports"]]
    assert XmlEdit(()).parts() == []


def test_xml_and_lines_are_distinguished() -> None:
    assert is_xml(f"\n {TEXT}")
    assert not is_xml("# TiMOS\nconfigure\n")


@pytest.mark.parametrize(
    "leaf",
    [
        "<password>hush</password>",
        '<x:authentication-key xmlns:x="urn:x">hush</x:authentication-key>',
        "<communityName>hush</communityName>",
        "<community-string>hush</community-string>",
        "<cipherText>hush</cipherText>",
        "<pre-shared-key-psk>hush</pre-shared-key-psk>",
        "<encryption-key>hush</encryption-key>",
        "<hmac-sha-1-96><authKey>hush</authKey></hmac-sha-1-96>",
    ],
)
def test_secrets_are_masked(leaf: str) -> None:
    before = canonical(f'<configure xmlns="{NOKIA}"><user><name>ann</name></user></configure>')
    after = canonical(f'<configure xmlns="{NOKIA}"><user><name>ann</name>{leaf}</user></configure>')
    assert "hush" not in masked(after)
    assert "hush" not in masked(difference(before, after))
    assert "hush" not in masked(f'<configure xmlns="{NOKIA}"><user>\n{leaf}</user></configure>'), (
        "with the user's line breaks"
    )
    assert "ann" in masked(after)
    assert parse(masked(after))


def test_other_leaves_are_not_masked() -> None:
    text = '<a xmlns="urn:x"><community><name>gold</name></community><key-id>5</key-id><monkey>x</monkey></a>'
    assert masked(text) == text


def test_a_rollback_replaces_and_removes_top_level_elements() -> None:
    running, target = (
        text_of([XmlNode("a", "urn:x", "1"), XmlNode("b", "urn:x")]),
        text_of([XmlNode("a", "urn:x", "2")]),
    )
    rendered = [render(node) for node in xml_changes_between(running, target).nodes]
    assert ['a0:operation="replace"' in rendered[0], 'a0:operation="remove"' in rendered[1]] == [True, True]
    assert f'xmlns:a0="{BASE}"' in rendered[0]
    assert "<b" in rendered[1]
    assert not xml_changes_between(target, target)


def test_a_name_with_markup_is_escaped() -> None:
    class Part:
        equipment_class, fdn, name, slot, if_index = "PORT", "x", "<evil/>", "1", None

    for model in MODELS.values():
        (node,) = nodes_of(admin_state_text(model, Part(), "DOWN"))
        assert "&lt;evil/&gt;" in render(node)
