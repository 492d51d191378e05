"""VNFs whose VMs are the cards of simulated routers, and what is seen of them."""

from typing import Any

from tests.factories.packages import edited, vsr_files, zipped
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.routersim_process import RoutersimProcess
from vnfm.elements.models import Equipment
from vnfm.inventory.models import VnfInstance
from vnfm.lcm.models import LcmOpOcc

NETWORK = "127.52.0"
SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
SCALE_IN = {**SCALE_OUT, "type": "SCALE_IN"}


def managed(policies: dict[str, str], host: int) -> dict[str, Any]:
    """Settings of a VNF that is one of the simulated routers; each test has a `host` of its own."""
    return {
        "management_cidr": f"{NETWORK}.0/24",
        "management_gateway": f"{NETWORK}.1",
        "management_ip_active": f"{NETWORK}.{host}",
        "management_ip_standby": f"{NETWORK}.{host + 1}",
        **policies,
    }


_GONE = 'xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" nc:operation="remove"'
_XML = {
    "day1/data_path.cfg": (
        """<card><slot-number>${component.slot}</slot-number><admin-state>enable</admin-state><card-type>iom-v</card-type>
        <mda><mda-slot>1</mda-slot><admin-state>enable</admin-state><mda-type>m20-v</mda-type></mda></card>""",
        "<port><port-id>${{component.slot}}/1/{number}</port-id><admin-state>enable</admin-state></port>",
    ),
    "day1/data_path_removal.cfg": (
        f"<card {_GONE}><slot-number>${{component.slot}}</slot-number></card>",
        f"<port {_GONE}><port-id>${{{{component.slot}}}}/1/{{number}}</port-id></port>",
    ),
}
"""The templates by file of the package: a card, and one of its ports."""


def in_xml() -> bytes:
    """The distributed router as a package whose first configuration is XML for NETCONF."""
    files = vsr_files()
    for path, (card, port) in _XML.items():
        ports = "".join(port.format(number=number) for number in (1, 2))
        files[path] = f'<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf">{card}{ports}</configure>'.encode()
    files["day1/system.cfg"] = b"""<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf"><system>
        <name>${element.name}</name></system></configure>"""

    def without_commands(data: Any) -> None:
        data["element"]["dayOne"] = [entry for entry in data["element"]["dayOne"] if entry["template"] in in_xml_now]

    in_xml_now = {*_XML, "day1/system.cfg"}
    return zipped(edited("vnfd.yaml", without_commands, files))


def kinds(op: LcmOpOcc) -> list[str]:
    return list(op.steps.values_list("kind", flat=True))


def cards(instance: VnfInstance) -> dict[str, tuple[str, str]]:
    """Slot to state and to the server of the VNFC that is the card."""
    rows = Equipment.objects.filter(element__vnf_instance=instance, equipment_class__in=("CARD", "CPM"))
    return {row.slot: (row.oper_state, row.vnfc.server_id if row.vnfc else "") for row in rows}


def in_service(life: Lifecycle, instance: VnfInstance) -> dict[str, tuple[str, str]]:
    return {slot: ("IN_SERVICE", server) for slot, server in life.servers_of(instance).items()}


def name_at(routers: RoutersimProcess, host: int) -> str:
    """ "" while there is none."""
    elements = routers.control("GET", "/elements")["elements"]
    return str(next((element["name"] for element in elements if element["address"] == f"{NETWORK}.{host}"), ""))


def configuration(routers: RoutersimProcess, host: int) -> str:
    name = name_at(routers, host)
    return str(routers.control("GET", f"/elements/{name}/config")) if name else ""
