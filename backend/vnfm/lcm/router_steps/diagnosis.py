"""Find why a router whose VM runs does not answer: its SSH port's state, and the end of its guest's serial console."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from vnfm.clouds.errors import CloudError
from vnfm.devices.errors import DeviceError
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import login_target_of
from vnfm.inventory.selectors.stack_export import HIDDEN
from vnfm.kit.problem import Cause
from vnfm.lcm.steps.base import Context

PROBE_SECONDS = 2.0
CONSOLE_LINES = 8
"""The last lines of the console that are searched."""
LONGEST_QUOTE = 300


class SshPort(Enum):
    """The answer to a TCP connection to the element's SSH port."""

    OPEN = "takes connections"
    REFUSED = "refuses connections"
    SILENT = "does not answer"
    UNKNOWN = ""
    """There is no SSH policy, or its networks do not include the address."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The reasons why one element is silent; `console` is None where the cloud shows none, "" where it is empty."""

    element: NetworkElement
    port: SshPort
    console: str | None

    @property
    def causes(self) -> Iterator[Cause]:
        name, address = self.element.name, self.element.management_address
        if self.port != SshPort.UNKNOWN:
            yield Cause("element", f"{name}: the SSH port of {address} {self.port.value}")
        if self.console is not None:
            words = f"ends with: {self.console}" if self.console else "is empty: its guest has written nothing"
            yield Cause("nova", f"{name}: the serial console of its VM {words}")

    @property
    def next_step(self) -> str:
        """One or two sentences that say what to do next."""
        if self.port == SshPort.OPEN:
            return (
                "The guest runs and takes logins, but answers no SNMP request: compare the community or user of the "
                "SNMP policy, and who may ask, with the router's configuration (day 0), then retry."
            )
        if self.port == SshPort.REFUSED:
            return (
                "The guest runs, but neither SNMP nor SSH does: see its console and its day 0 configuration, then "
                "retry. If it starts too slowly, retry waits again."
            )
        if self.console == "":
            return (
                "The guest has not written a word, so the image does not boot, or not on a serial console: see the "
                "VM's console and the image's disk format, boot loader and architecture. Roll back and choose "
                "another image; or retry when it boots."
            )
        return (
            "Nothing answers at its management address: see in the console whether the guest has booted, has this "
            "address, and lets SNMP and SSH in. Correct it and retry; or roll back and choose another image."
        )


def diagnose(ctx: Context, element: NetworkElement) -> Diagnosis:
    """Asks the cloud and the port once; what cannot be found out is left out."""
    return Diagnosis(element, _port(element), _console(ctx, element))


def _port(element: NetworkElement) -> SshPort:
    if element.ssh_policy is None:
        return SshPort.UNKNOWN
    try:
        target = login_target_of(element.ssh_policy, element)
        socket.create_connection((target.address, target.port), PROBE_SECONDS).close()
    except DeviceError:
        return SshPort.UNKNOWN
    except ConnectionRefusedError:
        return SshPort.REFUSED
    except OSError:
        return SshPort.SILENT
    return SshPort.OPEN


def _console(ctx: Context, element: NetworkElement) -> str | None:
    if element.vnfc is None or not element.vnfc.server_id:
        return None
    try:
        text = ctx.cloud.servers.console_log(element.vnfc.server_id, CONSOLE_LINES)
    except CloudError:
        return None
    for secret in ctx.secrets.values():  # day 0 may print what it configures, and more people read the story
        text = text.replace(secret, HIDDEN) if secret else text
    lines = [line.strip() for line in "".join(char for char in text if char.isprintable() or char == "\n").splitlines()]
    return " / ".join(filter(None, lines))[-LONGEST_QUOTE:]
