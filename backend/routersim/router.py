"""A running element: its agent, its notifications, and the effects of a change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from routersim.mibs.families import MIBS
from routersim.mibs.notifications import COLD_START, NOTIFICATIONS, STANDBY_READY, switchover_notifications
from routersim.model.conditions import Condition, conditions
from routersim.model.element import Element, settle
from routersim.model.kinds import KINDS
from routersim.model.parts import Card, Oper, card_state
from routersim.snmp.agent import Agent
from routersim.snmp.engine import SnmpEngine
from routersim.snmp.mib import Scope
from routersim.snmp.notify import Notification, Notifier
from routersim.snmp.recording import load_recording

if TYPE_CHECKING:
    from routersim.clock import Clock
    from routersim.snmp.ber import Oid

Send = Callable[[bytes, tuple[str, int]], None]


class Router:
    """An element with its agent and notifications. `changed` is called after each change, to store and propagate it."""

    def __init__(self, element: Element, clock: Clock, send: Send, changed: Callable[[Router], None]) -> None:
        self.element, self.clock, self._on_change = element, clock, changed
        self.family = KINDS[element.kind].family
        self.notifier = Notifier(element, send)
        self.scope = Scope(element)
        self.scope.parts = {"notifier": self.notifier, "raised": self._raised_by, "switch_over": self.switch_over}
        mib = load_recording(Path(element.rows)) if element.rows else MIBS[self.family]
        self.agent = Agent(mib, self.scope, self.changed)
        self.engine = SnmpEngine(element, self.agent, self.notifier)
        self.editor: object = None
        """The session with exclusive access to the candidate configuration."""
        self.unconfirmed: Any = None
        """The element's `cli.confirmed_commit.ConfirmedCommit`, created on first use."""
        self._wake: asyncio.TimerHandle | None = None
        self._standby_ready = False
        self._down = element.is_down(clock.time())
        settle(element, clock.time())
        self._known = {condition.key: condition for condition in self.conditions()}
        self._note_standby(clock.time(), notify=False)

    def conditions(self) -> list[Condition]:
        return conditions(self.element, self.clock.time())

    def _raised_by(self, condition: Condition) -> Oid | None:
        build = NOTIFICATIONS[self.family].get(condition.name, (None, None))[0]
        return build(self.element, condition).oid if build else None

    def changed(self) -> None:
        """Propagate and store a change."""
        self._on_change(self)

    def refresh(self) -> None:
        """Update derived states, and send notifications for conditions that began or ended."""
        now = self.clock.time()
        self._choose_control(now)
        down = self.element.is_down(now)
        if self._down and not down:
            self.element.booted, self.element.boots = now, self.element.boots + 1
            self.notifier.notify(COLD_START, now)
        self._down = down
        settle(self.element, now)
        self._note_standby(now)
        self._notify_differences(now)
        self._arm(now)

    def _notify_differences(self, now: float) -> None:
        present = {condition.key: condition for condition in self.conditions()}
        for key, condition in self._known.items():
            if key not in present:
                self._notify(condition, active=False, now=now)
        for key, condition in present.items():
            if key not in self._known:
                self._notify(condition, active=True, now=now)
        self._known = present

    def _notify(self, condition: Condition, *, active: bool, now: float) -> None:
        raised, cleared = NOTIFICATIONS[self.family].get(condition.name, (None, None))
        build = raised if active else cleared
        if build is not None and self._still_there(condition):
            self.notifier.notify(build(self.element, condition), now)

    def _still_there(self, condition: Condition) -> bool:
        """Return whether the condition's part still has a row; a card whose slot is not configured has none."""
        return not isinstance(condition.subject, Card) or condition.subject in self.element.chassis.cards

    def _choose_control(self, now: float) -> None:
        """Let the standby take over from a failed active control card; without a standby the element is down."""
        chassis = self.element.chassis
        active = chassis.card(chassis.active_control)
        if active is not None and card_state(active, now) is Oper.IN_SERVICE:
            return
        standby = chassis.standby(now)
        took_over = standby is not None and chassis.active_control != ""
        chassis.active_control = standby.slot if standby is not None else ""
        if took_over and self.family == "sros":
            for notification in switchover_notifications(self.element, failed=active):
                self.notifier.notify(notification, now)

    def _note_standby(self, now: float, *, notify: bool = True) -> None:
        ready = self.element.chassis.standby(now) is not None
        if ready and not self._standby_ready and notify and self.family == "sros":
            self.notifier.notify(STANDBY_READY, now)
        self._standby_ready = ready

    def _arm(self, now: float) -> None:
        """Schedule a refresh for the end of the next boot."""
        chassis, element = self.element.chassis, self.element
        moments = [element.down_until, chassis.down_until, *(card.booting_until for card in chassis.cards)]
        due = [moment for moment in moments if moment > now]
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        if due:
            self._wake = asyncio.get_running_loop().call_later(min(due) - now + 0.001, self.changed)

    def switch_over(self) -> bool:
        """Make the standby control card active and reboot the other one; return False if no standby is ready."""
        now, chassis = self.clock.time(), self.element.chassis
        standby, active = chassis.standby(now), chassis.card(chassis.active_control)
        if standby is None or active is None:
            return False
        chassis.active_control = standby.slot
        active.booting_until, active.since = now + self.element.boot_seconds, now
        if self.family == "sros":
            for notification in switchover_notifications(self.element, failed=None):
                self.notifier.notify(notification, now)
        return True

    def reboot(self) -> None:
        """Reboot: down for `boot_seconds`, then a cold start, after which the other cards boot for as long again.

        A virtual system reboots alone; the chassis' own element reboots with all of them.
        """
        now, element, chassis = self.clock.time(), self.element, self.element.chassis
        back = now + element.boot_seconds
        if element.system:
            element.down_until = back
            return
        chassis.down_until = back
        for card in chassis.cards:
            if card.slot != chassis.active_control and card.equipped:
                card.booting_until, card.since = back + element.boot_seconds, now

    def notify(self, notification: Notification) -> None:
        self.notifier.notify(notification, self.clock.time())

    def stop(self) -> None:
        self.notifier.stop()
        if self._wake is not None:
            self._wake.cancel()
