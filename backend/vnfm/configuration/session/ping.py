"""Has an element ping addresses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from vnfm.configuration.session.session import open_cli
from vnfm.elements.models import NetworkElement
from vnfm.kit.patterns import pattern

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "nokia-sros": ("ping {address} count 3", 'ping {address} router "{instance}" count 3'),
        "huawei-vrp": ("ping -c 3 {address}", "ping -c 3 -vpn-instance {instance} {address}"),
    }
)
"""By driver, in the base and in another routing instance. FRR's ping runs for ever, and vtysh cannot stop it."""
_RECEIVED = pattern(r"(\d{1,9}) packet(?:s|\(s\)) received")
SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class PingTarget:
    """`instance` is a routing instance; "" the base one."""

    address: str
    instance: str = ""

    def __str__(self) -> str:
        return f"{self.address} in {self.instance}" if self.instance else self.address


def can_ping(element: NetworkElement) -> bool:
    return element.driver in COMMANDS and element.ssh_policy is not None


def unreachable_from(element: NetworkElement, targets: Sequence[PingTarget]) -> list[PingTarget]:
    """The targets that answer none of three pings of the element. Blocks; for workers.

    Raises DeviceError; Busy at once while another session with the element is open.
    """
    lost = []
    with open_cli(element, timeout=0) as session:
        for target in targets:
            command = COMMANDS[element.driver][1 if target.instance else 0]
            words = command.format(address=target.address, instance=target.instance)
            received = _RECEIVED.search(session.output_of(words, seconds=SECONDS))
            if received is None or not int(received[1]):
                lost.append(target)
    return lost
