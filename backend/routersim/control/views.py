"""The JSON of elements in the control API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from routersim.model.parts import card_state, mda_state

if TYPE_CHECKING:
    from routersim.router import Router


def summary(router: Router) -> dict[str, Any]:
    element, now = router.element, router.clock.time()
    return {
        "name": element.name,
        "kind": element.kind,
        "family": router.family,
        "address": element.address,
        "snmpPort": element.snmp_port,
        "snmpUser": element.snmp_user.name,
        "sshPort": element.ssh_port,
        "netconfPort": element.netconf_port,
        "system": element.system,
        "chassis": element.chassis.serial,
        "vnfInstance": element.vnf_instance,
        "answers": element.answers(now),
    }


def detail(router: Router) -> dict[str, Any]:
    """Return an element with the state of every part, to compare with a manager's view."""
    element, now = router.element, router.clock.time()
    return summary(router) | {
        "activeControl": element.chassis.active_control,
        "upSince": element.booted,
        "license": {"valid": element.license.valid, "reason": element.license.reason},
        "sequence": element.sequence,
        "trapTargets": element.trap_targets,
        "cards": [
            {
                "slot": card.slot,
                "role": card.role,
                "type": card.type,
                "state": card_state(card, now).name,
                "server": card.server,
                "mdas": [
                    {"slot": mda.slot, "type": mda.type, "state": mda_state(card, mda, now).name} for mda in card.mdas
                ],
            }
            for card in element.chassis.cards
        ],
        "ports": [
            {"name": port.name, "index": port.index, "slot": card.slot, "adminUp": port.admin_up, "up": port.up}
            for card, _, port in element.ports()
        ],
        "peers": [
            {"address": peer.address, "remoteAs": peer.remote_as, "adminUp": peer.admin_up, "up": peer.established}
            for peer in element.peers
        ],
        "conditions": [
            {"name": c.name, "where": c.where, "severity": c.severity, "text": c.text, "slot": c.slot, "since": c.since}
            for c in router.conditions()
        ],
    }


def notifications(router: Router) -> dict[str, Any]:
    """Return the log of notifications, sent or lost, the newest last."""
    notifier = router.notifier
    return {
        "sent": notifier.sent,
        "lost": notifier.lost,
        "unacknowledged": notifier.unacknowledged(),
        "log": [
            {"sequence": one.sequence, "time": one.time, "oid": ".".join(map(str, one.notification.oid))}
            for one in notifier.log
        ],
    }
