"""A NETCONF session: a hello, then a reply to each rpc; `ssh` has its input and output."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from routersim.netconf.schemas import SCHEMAS
from routersim.netconf.store import DEFAULT_TIMEOUT, Datastores
from routersim.netconf.tree import BASE, Branch, RpcError

if TYPE_CHECKING:
    from routersim.router import Router

_numbers = count(1)
_BASES = ("urn:ietf:params:netconf:base:1.0", "urn:ietf:params:netconf:base:1.1")
_CAPABILITY = "urn:ietf:params:netconf:capability:"
_OLD = ("candidate:1.0", "confirmed-commit:1.0", "validate:1.0", "startup:1.0")
_NEW = ("candidate:1.0", "confirmed-commit:1.1", "validate:1.1", "rollback-on-error:1.0", "startup:1.0")
_STORES = frozenset({"running", "candidate", "startup"})
_OK = "<ok/>"
MAX_MESSAGE = 16 * 1024 * 1024
END = b"]]>]]>"


class SessionEnded(Exception):
    """The session has ended; the argument is the last reply."""


def hello(router: Router) -> bytes:
    """Return the hello; an old element supports only base 1.0."""
    old = router.element.old_ssh
    uris = [*(_BASES[:1] if old else _BASES), *(_CAPABILITY + one for one in (_OLD if old else _NEW))]
    uris += [part.namespace for part in SCHEMAS[router.family].parts if isinstance(part, Branch)]
    listed = "".join(f"<capability>{uri}</capability>" for uri in uris)
    content = f"<capabilities>{listed}</capabilities><session-id>{next(_numbers)}</session-id>"
    return f'<hello xmlns="{BASE}">{content}</hello>'.encode()


class Session:
    """Answers messages; `chunked` is the framing that the client's hello chose."""

    def __init__(self, stores: Datastores) -> None:
        self._stores, self._router = stores, stores.router
        self.chunked = False
        self._hello_received = False
        self._operations: dict[str, Callable[[ET.Element], str]] = {
            "get-config": self._get_config,
            "edit-config": self._edit_config,
            "lock": lambda rpc: self._on_store(stores.lock, rpc, "target"),
            "unlock": lambda rpc: self._on_store(stores.unlock, rpc, "target"),
            "validate": self._validate,
            "commit": self._commit,
            "cancel-commit": self._cancel_commit,
            "discard-changes": self._discard,
            "copy-config": self._copy_config,
        }

    def answer(self, message: bytes) -> bytes:
        """Return the reply, empty for a hello. Raises SessionEnded with the last reply."""
        root = ET.fromstring(message)  # noqa: S314 - expat limits amplification, and opens no file
        name = _local(root)
        if not self._hello_received:
            if name != "hello":
                raise SessionEnded(b"")
            ours = not self._router.element.old_ssh
            theirs = {(one.text or "").strip() for one in root.iter(f"{{{BASE}}}capability")}
            self._hello_received, self.chunked = True, ours and _BASES[1] in theirs
            return b""
        attributes = "".join(
            f" {key}={quoteattr(value)}" for key, value in root.attrib.items() if not key.startswith("{")
        )
        operation = next(iter(root), root)
        try:
            body = self._execute(operation)
        except RpcError as error:
            body = _rpc_error(error)
        reply = f'<rpc-reply xmlns="{BASE}"{attributes}>{body}</rpc-reply>'.encode()
        if _local(operation) == "close-session":
            raise SessionEnded(reply)
        return reply

    def _execute(self, operation: ET.Element) -> str:
        name, fault = _local(operation), self._router.element.behaviour.rpc_errors
        if name in fault:
            raise RpcError(*fault[name].split("\t"))
        if name == "close-session":
            return _OK
        if name not in self._operations:
            raise RpcError("operation-not-supported", f"The operation {name!r} does not exist.")
        return self._operations[name](operation)

    def ended(self, *, noticed: bool) -> None:
        self._stores.ended(self, noticed=noticed)

    def _on_store(self, work: Callable[[object, str], None], rpc: ET.Element, role: str) -> str:
        work(self, _store(rpc, role))
        return _OK

    def _get_config(self, rpc: ET.Element) -> str:
        store = _store(rpc, "source")
        return f"<data>{self._stores.to_xml(store)}</data>"

    def _edit_config(self, rpc: ET.Element) -> str:
        config = rpc.find(f"{{{BASE}}}config")
        if _store(rpc, "target") != "candidate" or config is None:
            raise RpcError("operation-not-supported", "Only the candidate can be edited, with a config element.")
        self._stores.edit(self, config, rpc.findtext(f"{{{BASE}}}default-operation", "merge").strip())
        if rpc.findtext(f"{{{BASE}}}test-option", "set").strip() == "test-then-set":
            self._stores.validate()
        return _OK

    def _validate(self, rpc: ET.Element) -> str:
        if _store(rpc, "source") == "candidate":
            self._stores.validate()
        return _OK

    def _commit(self, rpc: ET.Element) -> str:
        if rpc.find(f"{{{BASE}}}persist") is not None:
            raise RpcError("operation-not-supported", "A persistent confirmed commit is not supported.")
        confirmed = rpc.find(f"{{{BASE}}}confirmed") is not None
        timeout = rpc.findtext(f"{{{BASE}}}confirm-timeout", str(DEFAULT_TIMEOUT)).strip()
        if not timeout.isdecimal() or not int(timeout):
            raise RpcError("invalid-value", f"{timeout!r} is not a number of seconds.", "/commit/confirm-timeout")
        self._stores.commit(self, int(timeout) if confirmed else None)
        return _OK

    def _cancel_commit(self, _rpc: ET.Element) -> str:
        if not self._stores.cancel_commit():
            raise RpcError("operation-failed", "No commit waits for its confirmation.")
        return _OK

    def _discard(self, _rpc: ET.Element) -> str:
        self._stores.discard(self)
        return _OK

    def _copy_config(self, rpc: ET.Element) -> str:
        """The running configuration is always the startup configuration (see `store`)."""
        if (_store(rpc, "source"), _store(rpc, "target")) != ("running", "startup"):
            raise RpcError("operation-not-supported", "Only running can be copied, to startup.")
        return _OK


def _local(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _store(rpc: ET.Element, role: str) -> str:
    named = rpc.find(f"{{{BASE}}}{role}")
    name = _local(named[0]) if named is not None and len(named) else ""
    if name not in _STORES:
        raise RpcError("bad-element", f"The {role} {name!r} does not exist.", f"/{_local(rpc)}/{role}")
    return name


def _rpc_error(error: RpcError) -> str:
    path = f"<error-path>{escape(error.path)}</error-path>" if error.path else ""
    return (
        f"<rpc-error><error-type>application</error-type><error-tag>{escape(error.tag)}</error-tag>"
        f"<error-severity>error</error-severity>{path}"
        f'<error-message xml:lang="en">{escape(error.message)}</error-message></rpc-error>'
    )


def frame(message: bytes, *, chunked: bool) -> bytes:
    """Frame a message; a long one is sent in two chunks, which clients must join."""
    if not chunked:
        return message + END
    half = len(message) // 2
    parts = (message[:half], message[half:]) if half else (message,)
    return b"".join(b"\n#%d\n%b" % (len(part), part) for part in parts) + b"\n##\n"


def unframe(buffer: bytearray, *, chunked: bool) -> bytes | None:
    """Remove and return the next message of the buffer; None until it is complete. Raises ValueError."""
    if len(buffer) > MAX_MESSAGE:
        raise ValueError("too long")
    if not chunked:
        message, mark, rest = bytes(buffer).partition(END)
        if not mark:
            return None
        buffer[:] = rest
        return message
    at, message = 0, b""
    while (found := re.compile(rb"\n#(\d+|#)\n").match(buffer, at)) is not None:
        at = found.end()
        if found[1] == b"#":
            del buffer[:at]
            return message
        message += buffer[at : at + int(found[1])]
        at += int(found[1])
    return None
