from itertools import count

from vnfm.elements.models import Equipment, MediationPolicy, NetworkElement, Site
from vnfm.kit import clock
from vnfm.kit.seal import seal

_numbers = count(1)


def make_site(**fields: object) -> Site:
    return Site.objects.create(**{"name": f"site-{next(_numbers)}", **fields})


def make_policy(*, community: str = "public", **fields: object) -> MediationPolicy:
    """An SNMPv2c policy; `port` is that of the agent under test."""
    defaults = {
        "name": f"policy-{next(_numbers)}",
        "protocol": "SNMPv2c",
        "port": 161,
        "sealed_secrets": seal({"community": community}),
        "networks": ["0.0.0.0/0", "::/0"],
    }
    return MediationPolicy.objects.create(**defaults | fields)


def make_element(**fields: object) -> NetworkElement:
    """A managed element that was not polled yet."""
    number = next(_numbers)
    defaults = {"name": f"ne-{number}", "kind": "PHYSICAL", "management_address": f"127.9.{number >> 8}.{number & 255}"}
    return NetworkElement.objects.create(**defaults | fields)


def make_card(element: NetworkElement, slot: str = "1", **fields: object) -> Equipment:
    shelf = f"network:{element.management_address}:shelf-1"
    defaults = {
        "element": element,
        "fdn": f"{shelf}:cardSlot-{slot}:card",
        "parent_fdn": shelf,
        "equipment_class": "CARD",
        "slot": slot,
        "admin_state": "UP",
        "oper_state": "IN_SERVICE",
        "since": clock.now(),
    }
    return Equipment.objects.create(**defaults | fields)
