"""The bindings of notifications have names, and their values in the words of the MIBs."""

import pytest

from vnfm.elements.domain.mib_objects import OBJECTS, BindingValue, binding_name, binding_text
from vnfm.elements.domain.trap_catalogue import CATALOGUE

IF_OPER = "1.3.6.1.2.1.2.2.1.8.3"
SROS = "1.3.6.1.4.1.6527.3.1"


@pytest.mark.parametrize(
    ("oid", "value", "name", "text"),
    [
        ("1.3.6.1.2.1.2.2.1.1.3", 3, "ifIndex.3", "3"),
        (IF_OPER, 2, "ifOperStatus.3", "down"),
        (IF_OPER, 99, "ifOperStatus.3", "99"),
        (IF_OPER, None, "ifOperStatus.3", ""),
        ("1.3.6.1.2.1.15.3.1.14.192.0.2.1", "0x0602", "bgpPeerLastError.192.0.2.1", "Cease: administrative shutdown"),
        ("1.3.6.1.2.1.15.3.1.14.192.0.2.1", "0x0000", "bgpPeerLastError.192.0.2.1", "none"),
        ("1.3.6.1.2.1.15.3.1.14.192.0.2.1", "0xzz", "bgpPeerLastError.192.0.2.1", "0xzz"),
        ("1.3.6.1.2.1.15.3.1.7.192.0.2.1", "192.0.2.1", "bgpPeerRemoteAddr.192.0.2.1", "192.0.2.1"),
        (f"{SROS}.2.2.1.8.1.7.1.134217730", 8, "tmnxHwClass.1.134217730", "ioModule"),
        (f"{SROS}.2.2.6.6.0", f"{SROS}.3.2.1.0.7", "tmnxChassisNotifyOID.0", "tmnxEqCardFailure"),
        (f"{SROS}.2.2.1.8.1.2.1.5", f"{SROS}.2.2.1.8.1.16.1.5", "tmnxHwID.1.5", "tmnxHwOperState.1.5"),
        (f"{SROS}.2.3.34.1.7.1.2", "0x42", "vRtrIfBfdSessionOperFlags.1.2", "noHeartBeat, nbrAdminDown"),
        (f"{SROS}.2.3.34.1.7.1.2", "0x00", "vRtrIfBfdSessionOperFlags.1.2", "none"),
        ("1.3.6.1.4.1.9.9.1.0", 7, "1.3.6.1.4.1.9.9.1.0", "7"),
        ("1.3.6.1.4.1.9.9.1.0", "1.3.6.1.4.1.9.9.2", "1.3.6.1.4.1.9.9.1.0", "1.3.6.1.4.1.9.9.2"),
    ],
)
def test_a_binding_in_words(oid: str, value: BindingValue, name: str, text: str) -> None:
    assert (binding_name(oid), binding_text(oid, value)) == (name, text)


def test_no_object_is_within_another() -> None:
    """Or the index of the outer one would have hidden it."""
    for oid in OBJECTS:
        assert not any(other.startswith(f"{oid}.") for other in OBJECTS)
    assert len({known.name for known in OBJECTS.values()}) == len(OBJECTS)


def test_notifications_of_sros_without_a_meaning_have_a_name() -> None:
    definition = CATALOGUE[f"{SROS}.3.1.0.30"]
    assert definition.name == "persistencyClosedAlarmRaised"
    assert (definition.parts, definition.fact, definition.lost) == ((), None, False)
