"""The engine id of an SNMPv3 agent, which it tells everyone (RFC 3414, 4)."""

import asyncio
import secrets

from vnfm.devices.errors import Garbled, Unreachable
from vnfm.devices.traps.message import V3Message, decode_message
from vnfm.devices.traps.usm import discovery
from vnfm.devices.types import SnmpTarget


async def engine_id(target: SnmpTarget) -> bytes:
    """Use `target`'s address, port, timeout and retries. Raises Unreachable without an answer."""
    loop = asyncio.get_running_loop()
    msg_id = secrets.randbelow(2**31 - 1) + 1
    found: asyncio.Future[bytes] = loop.create_future()
    try:
        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Reports(msg_id, found), remote_addr=(target.address, target.port)
        )
    except OSError as error:
        raise Unreachable(f"No way to {target.address}: {error}", address=target.address) from error
    try:
        for _ in range(target.retries + 1):
            transport.sendto(discovery(msg_id))
            done, _ = await asyncio.wait([found], timeout=target.timeout)
            if done:
                return found.result()
    finally:
        transport.close()
    words = f"{target.address}:{target.port} does not tell its SNMP engine id."
    raise Unreachable(words, address=target.address)


class _Reports(asyncio.DatagramProtocol):
    """Takes the engine id of the report with this message id."""

    def __init__(self, msg_id: int, found: asyncio.Future[bytes]) -> None:
        self._msg_id, self._found = msg_id, found

    def datagram_received(self, data: bytes, addr: object) -> None:
        try:
            message = decode_message(data)
        except Garbled:
            return
        if isinstance(message, V3Message) and message.msg_id == self._msg_id and not self._found.done():
            self._found.set_result(message.engine_id)
