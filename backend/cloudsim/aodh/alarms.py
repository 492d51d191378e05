"""`/v2/alarms`: stored alarms, their state and history."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from cloudsim.aodh.notifier import Notifier
from cloudsim.aodh.rules import STATES, read_alarm, refused
from cloudsim.core.errors import ApiFault, Reply
from cloudsim.core.service import Request, Route

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.store import Doc

KIND, HISTORY = "alarm", "alarm_change"
_STATE_ACTIONS = {"ok": "ok_actions", "alarm": "alarm_actions", "insufficient data": "insufficient_data_actions"}
_BY_HAND = "Manually set via API"
CAPABILITIES = {
    "api": {
        "alarms:query:simple": True, "alarms:query:complex": True,
        "alarms:history:query:simple": True, "alarms:history:query:complex": True,
    },
    "alarm_storage": {"storage:production_ready": True},
}  # fmt: skip


class Alarms:
    """Handlers of the alarming service."""

    def __init__(self, cloud: Cloud) -> None:
        self._store, self._clock = cloud.store, cloud.clock
        self.notifier = Notifier()
        self._store.index(HISTORY, "alarm", lambda doc: [doc["alarm_id"]])

    def routes(self) -> list[Route]:
        one = "/v2/alarms/{alarm_id}"
        return [
            Route("GET", "/v2/alarms", self.index),
            Route("POST", "/v2/alarms", self.create),
            Route("GET", one, self.show),
            Route("PUT", one, self.replace),
            Route("DELETE", one, self.delete),
            Route("GET", one + "/state", self.state),
            Route("PUT", one + "/state", self.set_state),
            Route("GET", one + "/history", self.history),
            Route("GET", "/v2/capabilities", self.capabilities),
        ]

    async def index(self, ctx: RequestContext, request: Request) -> Reply:
        alarms = [doc for doc in self._store.list(KIND) if ctx.is_admin or doc["project_id"] == ctx.project_id]
        for field, value in _simple_query(request):
            alarms = [doc for doc in alarms if str(doc.get(field)).lower() == value.lower()]
        return _listed(alarms)

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        now = self._now()
        alarm = {
            "alarm_id": str(uuid.uuid4()),
            "user_id": ctx.user_id,
            "project_id": ctx.project_id,
            "timestamp": now,
            "state_timestamp": now,
            **read_alarm(request.json),
        }
        self._check_members(ctx, alarm)
        self._store.put(KIND, alarm["alarm_id"], alarm)
        self._remember(ctx, alarm, "creation", alarm)
        return Reply(201, alarm, {"Location": f"{request.base}/v2/alarms/{alarm['alarm_id']}"})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        return Reply(200, self._alarm(ctx, request))

    async def replace(self, ctx: RequestContext, request: Request) -> Reply:
        """Replace the alarm under the same id; attributes that the body omits get their defaults."""
        held = self._alarm(ctx, request)
        wanted = read_alarm({"state": held["state"], **(request.json or {})})
        self._check_members(ctx, wanted)
        kept = {key: held[key] for key in ("alarm_id", "user_id", "project_id", "state_timestamp")}
        changed = {key: value for key, value in wanted.items() if held.get(key) != value}
        alarm = {**kept, "timestamp": self._now(), **wanted}
        self._store.put(KIND, alarm["alarm_id"], alarm)
        self._remember(ctx, alarm, "rule change", changed)
        return Reply(200, alarm)

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        alarm = self._alarm(ctx, request)
        self._store.delete(KIND, alarm["alarm_id"])
        self._remember(ctx, alarm, "deletion", alarm)
        return Reply(204, None)

    async def state(self, ctx: RequestContext, request: Request) -> Reply:
        return _text(self._alarm(ctx, request)["state"])

    async def set_state(self, ctx: RequestContext, request: Request) -> Reply:
        """Set the state and call the actions for it: on a change, or always with `repeat_actions`."""
        alarm, wanted = self._alarm(ctx, request), request.json
        if wanted not in STATES:
            raise refused("state invalid")
        previous = alarm["state"]
        now = self._now()
        alarm.update(state=wanted, timestamp=now, state_timestamp=now)
        self._store.put(KIND, alarm["alarm_id"], alarm)
        self._remember(ctx, alarm, "state transition", {"state": wanted, "transition_reason": _BY_HAND})
        if alarm["enabled"] and (previous != wanted or alarm["repeat_actions"]):
            self.notifier.notify(alarm[_STATE_ACTIONS[wanted]], alarm, previous, _BY_HAND)
        return _text(wanted)

    async def history(self, ctx: RequestContext, request: Request) -> Reply:
        """Return the changes, newest first; the history of a deleted alarm stays readable."""
        changes = [
            change
            for change in self._store.find(HISTORY, "alarm", request.params["alarm_id"])
            if ctx.is_admin or change["project_id"] == ctx.project_id
        ]
        if not changes:
            raise _missing(request.params["alarm_id"])
        return _listed(list(reversed(changes)))

    async def capabilities(self, _ctx: RequestContext, _request: Request) -> Reply:
        return Reply(200, CAPABILITIES)

    def _alarm(self, ctx: RequestContext, request: Request) -> Doc:
        alarm = self._store.get(KIND, request.params["alarm_id"])
        if alarm is None or not (ctx.is_admin or alarm["project_id"] == ctx.project_id):
            raise _missing(request.params["alarm_id"])
        return alarm

    def _check_members(self, ctx: RequestContext, alarm: Doc) -> None:
        for member in alarm.get("combination_rule", {}).get("alarm_ids", []):
            held = self._store.get(KIND, member)
            if held is None or held["project_id"] != ctx.project_id:
                raise _missing(member)

    def _remember(self, ctx: RequestContext, alarm: Doc, kind: str, detail: Doc) -> None:
        ident = str(uuid.uuid4())
        change = {
            "event_id": ident,
            "alarm_id": alarm["alarm_id"],
            "type": kind,
            "detail": json.dumps(detail),
            "user_id": ctx.user_id,
            "project_id": alarm["project_id"],
            "on_behalf_of": alarm["project_id"],
            "timestamp": self._now(),
        }
        self._store.put(HISTORY, ident, change)

    def _now(self) -> str:
        return self._clock.micro_stamp().rstrip("Z")


def _simple_query(request: Request) -> list[tuple[str, str]]:
    """Parse repeated `q.field=name&q.op=eq&q.value=x`; alarms support only equality."""
    fields, values = request.query.getlist("q.field"), request.query.getlist("q.value")
    operators = request.query.getlist("q.op") or ["eq"] * len(fields)
    if any(operator not in ("eq", "") for operator in operators):
        raise refused("Unimplemented operator for query: only eq is possible")
    return list(zip(fields, values, strict=False))


def _missing(ident: str) -> ApiFault:
    return ApiFault(404, "AlarmNotFound", f"Alarm {ident} not found")


def _text(value: str) -> Reply:
    return Reply(200, None, raw=json.dumps(value).encode())


def _listed(documents: list[Any]) -> Reply:
    return Reply(200, None, raw=json.dumps(documents).encode())
