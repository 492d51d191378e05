"""Fault injection: each fault changes the model, from which all effects follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from routersim.model.element import equip
from routersim.model.kinds import COMMAND_LINES
from routersim.model.parts import Card, Mda, Peer, Port, Unit, octets
from routersim.snmp.ber import Tag
from routersim.snmp.notify import Notification

if TYPE_CHECKING:
    from routersim.router import Router

Body = Mapping[str, Any]


class InvalidFault(ValueError):
    """The fault does not exist, or the element does not have the part."""


def _text(body: Body, name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InvalidFault(f"{name!r} is missing")
    return str(value)


def _number(body: Body, name: str, default: float | None = None) -> float:
    value = body.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
        raise InvalidFault(f"{name!r} is {value!r}, but must be a number of at least 0")
    return value


def _card(router: Router, body: Body) -> Card:
    card = router.element.chassis.card(_text(body, "slot"))
    if card is None:
        raise InvalidFault(f"{router.element.name} has no slot {body['slot']!r}")
    return card


def _mda(router: Router, body: Body) -> Mda:
    number = _text(body, "mda")
    mda = next((mda for mda in _card(router, body).mdas if str(mda.slot) == number), None)
    if mda is None:
        raise InvalidFault(f"{router.element.name} has no adapter {body['slot']}/{number}")
    return mda


def _port(router: Router, body: Body) -> Port:
    port = router.element.port(_text(body, "port"))
    if port is None:
        raise InvalidFault(f"{router.element.name} has no port {body['port']!r}")
    return port


def _peer(router: Router, body: Body) -> Peer:
    peer = router.element.peer(_text(body, "peer"))
    if peer is None:
        raise InvalidFault(f"{router.element.name} has no peer {body['peer']!r}")
    return peer


def _unit(units: list[Unit], body: Body) -> Unit:
    number = _number(body, "number", 1)
    unit = next((unit for unit in units if unit.number == number), None)
    if unit is None:
        raise InvalidFault(f"no unit has the number {number}")
    return unit


def _set_failure(router: Router, part: Card | Mda, reason: str) -> None:
    part.failure = reason
    if isinstance(part, Card):
        part.since = router.clock.time()
        if not reason:
            part.booting_until = part.since + router.element.boot_seconds


def _unit_failure(router: Router, unit: Unit, reason: str) -> None:
    unit.failure, unit.since = reason, router.clock.time()


def _license(router: Router, valid: bool, reason: str) -> None:
    license_ = router.element.license
    license_.valid, license_.reason, license_.since = valid, reason, router.clock.time()


def _traffic(router: Router, body: Body) -> None:
    """Set the octets per second of a port."""
    port, now = _port(router, body), router.clock.time()
    port.octets_in, port.octets_out = octets(port, now)
    if port.up:
        port.since = now
    port.rate_in = int(_number(body, "rateIn", port.rate_in))
    port.rate_out = int(_number(body, "rateOut", port.rate_out))
    port.errors_in += int(_number(body, "errors", 0))


def _fib(router: Router, routes: int) -> None:
    if router.family != "vrp":
        raise InvalidFault("only VRP has a FIB overload")
    router.element.fib_routes = routes


def _load(router: Router, body: Body) -> None:
    router.element.cpu = int(_number(body, "cpu", router.element.cpu))
    router.element.memory = int(_number(body, "memory", router.element.memory))


def _switch_over(router: Router, _body: Body) -> None:
    if not router.switch_over():
        raise InvalidFault("no standby control card is ready")


def _trap(router: Router, body: Body) -> None:
    """Send `count` notifications of this OID, numbered by a variable."""
    try:
        oid = tuple(map(int, _text(body, "oid").split(".")))
    except ValueError as error:
        raise InvalidFault(f"oid: {error}") from error
    for number in range(int(_number(body, "count", 1))):
        router.notify(Notification(oid, (((*oid, 1), Tag.INTEGER, number),)))


def _oid(body: Body) -> str:
    oid = _text(body, "oid")
    if not all(arc.isdecimal() for arc in oid.split(".")):
        raise InvalidFault(f"oid is {oid!r}, but must be numbers joined by dots")
    return oid


def _repeat_row(router: Router, body: Body) -> None:
    behaviour = router.element.behaviour
    behaviour.repeated, behaviour.repeats = _oid(body), int(_number(body, "times", 0))


def _break_table(router: Router, body: Body) -> None:
    behaviour = router.element.behaviour
    behaviour.broken, behaviour.broken_answers = _oid(body), bool(_number(body, "answers", 0))


def _repair_agent(router: Router) -> None:
    behaviour = router.element.behaviour
    behaviour.repeated = behaviour.broken = behaviour.hidden = ""
    behaviour.no_bulk = False


def _set(part: Any, name: str, value: Any) -> None:
    setattr(part, name, value)


def _rpc_error(router: Router, body: Body) -> None:
    """Make a NETCONF operation fail with this error from now on; without a tag it succeeds again."""
    operation, tag = _text(body, "operation", "commit"), _text(body, "tag", "")
    errors = {key: error for key, error in router.element.behaviour.rpc_errors.items() if key != operation}
    if tag:
        errors[operation] = "\t".join((tag, _text(body, "message", "no reason"), _text(body, "path", "")))
    router.element.behaviour.rpc_errors = errors


def _command_line(router: Router, body: Body) -> None:
    kind = _text(body, "kind", "")
    if kind not in ("", *COMMAND_LINES[router.family]):
        raise InvalidFault(f"{router.family} has no command line {kind!r}")
    router.element.behaviour.command_line = kind


def _answer(texts: dict[str, str], body: Body, key: str, text: str) -> dict[str, str]:
    """Return the texts with another one for this key, `times` in a row; without a text the key is removed."""
    others = {one: known for one, known in texts.items() if one != _text(body, key)}
    return others | ({_text(body, key): _text(body, text) * int(_number(body, "times", 1))} if text in body else {})


def _login(router: Router, body: Body) -> None:
    """Begin each login with this text, `times` in a row, and with this question."""
    behaviour = router.element.behaviour
    behaviour.greeting = _text(body, "text", "") * int(_number(body, "times", 1))
    behaviour.login_questions = [question] if (question := _text(body, "question", "")) else []


Fault = Callable[["Router", Body], None]
FAULTS: dict[str, Fault] = {
    "card-out": lambda r, b: equip(r.element, _card(r, b), False, r.clock.time()),
    "card-in": lambda r, b: equip(r.element, _card(r, b), True, r.clock.time()),
    "card-fail": lambda r, b: _set_failure(r, _card(r, b), _text(b, "reason", "hardware failure")),
    "card-repair": lambda r, b: _set_failure(r, _card(r, b), ""),
    "card-unconfigure": lambda r, b: r.element.chassis.cards.remove(_card(r, b)),
    "mda-out": lambda r, b: _set(_mda(r, b), "equipped", False),
    "mda-in": lambda r, b: _set(_mda(r, b), "equipped", True),
    "mda-fail": lambda r, b: _set_failure(r, _mda(r, b), _text(b, "reason", "hardware failure")),
    "mda-repair": lambda r, b: _set_failure(r, _mda(r, b), ""),
    "port-down": lambda r, b: _set(_port(r, b), "cable", False),
    "port-up": lambda r, b: _set(_port(r, b), "cable", True),
    "bfd-down": lambda r, b: _set(_port(r, b), "bfd_lost", True),
    "bfd-up": lambda r, b: _set(_port(r, b), "bfd_lost", False),
    "peer-down": lambda r, b: _set(_peer(r, b), "reachable", False),
    "peer-up": lambda r, b: _set(_peer(r, b), "reachable", True),
    "fib-overload": lambda r, b: _fib(r, int(_number(b, "routes", r.element.fib_size * 11 // 10))),
    "fib-resume": lambda r, b: _fib(r, int(_number(b, "routes", r.element.fib_size // 10))),
    "license-invalid": lambda r, b: _license(r, False, _text(b, "reason", "the license is not of this system")),
    "license-valid": lambda r, _: _license(r, True, ""),
    "fan-fail": lambda r, b: _unit_failure(r, _unit(r.element.chassis.fans, b), "fan stopped"),
    "fan-repair": lambda r, b: _unit_failure(r, _unit(r.element.chassis.fans, b), ""),
    "power-fail": lambda r, b: _unit_failure(r, _unit(r.element.chassis.power, b), "no input power"),
    "power-repair": lambda r, b: _unit_failure(r, _unit(r.element.chassis.power, b), ""),
    "switch-over": _switch_over,
    "reboot": lambda r, _: r.reboot(),
    "silent": lambda r, _: _set(r.element.behaviour, "silent", True),
    "answering": lambda r, _: _set(r.element.behaviour, "silent", False),
    "slow": lambda r, b: _set(r.element.behaviour, "seconds", float(_number(b, "seconds", 1.0))),
    "repeat-row": _repeat_row,
    "break-table": _break_table,
    "hide-objects": lambda r, b: _set(r.element.behaviour, "hidden", _oid(b)),
    "no-getbulk": lambda r, _: _set(r.element.behaviour, "no_bulk", True),
    "repair-agent": lambda r, _: _repair_agent(r),
    "confirm-timeout": lambda r, b: _set(r.element.behaviour, "confirm_seconds", float(_number(b, "seconds", 0.0))),
    "rpc-error": _rpc_error,
    "lock-dirty": lambda r, b: _set(r.element.behaviour, "locks_dirty", bool(_number(b, "on", 1))),
    "command-line": _command_line,
    "cli-answer": lambda r, b: _set(
        r.element.behaviour, "cli_answers", _answer(r.element.behaviour.cli_answers, b, "command", "text")
    ),
    "netconf-text": lambda r, b: _set(
        r.element.behaviour, "netconf_texts", _answer(r.element.behaviour.netconf_texts, b, "text", "instead")
    ),
    "login": _login,
    "lose-traps": lambda r, _: _set(r.element.behaviour, "lose_traps", True),
    "deliver-traps": lambda r, _: _set(r.element.behaviour, "lose_traps", False),
    "traffic": _traffic,
    "load": _load,
    "trap": _trap,
}
"""The faults by their name in the control API."""


def inject(router: Router, fault: str, body: Body) -> None:
    """Inject the fault, and propagate the change. Raises InvalidFault."""
    if fault not in FAULTS:
        raise InvalidFault(f"unknown fault {fault!r}; the faults are {', '.join(FAULTS)}")
    FAULTS[fault](router, body)
    router.element.chassis.structure += fault == "card-unconfigure"
    router.changed()
