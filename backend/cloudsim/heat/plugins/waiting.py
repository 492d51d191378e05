"""Wait conditions and their handles, of Heat and CloudFormation, for stacks that wait for signals of guests."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, ClassVar

from cloudsim.heat.errors import HeatError
from cloudsim.heat.hot.properties import Prop, between
from cloudsim.heat.plugins import signalling
from cloudsim.heat.plugins.base import Plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cloudsim.heat.engine.handle import Handle
    from cloudsim.heat.hot.scope import Json

KIND = "heat_wait_handle"
_STATUSES = ("SUCCESS", "FAILURE")


class WaitConditionFailure(HeatError):
    """A guest signalled FAILURE."""


class WaitConditionTimeout(HeatError):
    def __init__(self, received: int, needed: int) -> None:
        super().__init__(f"{received} of {needed} received")


class WaitConditionHandle(Plugin):
    type_name = "OS::Heat::WaitConditionHandle"
    description = "Resource for managing instance signals."
    schema: Mapping[str, Prop] = {}
    attributes: ClassVar[Mapping[str, str]] = {
        "token": "Token for stack-user which can be used for signalling handle.",
        "endpoint": "Endpoint/url which can be used for signalling handle.",
        "curl_cli": "Convenience attribute, provides curl CLI command prefix.",
    }

    async def create(self, res: Handle) -> None:
        ident = uuid.uuid4().hex
        signalling.prepare(res)
        res.engine.cloud.store.put(KIND, ident, {"id": ident, "url": signalling.url(res), "signals": {}})
        res.adopt(ident)

    async def delete(self, res: Handle) -> None:
        res.engine.cloud.store.delete(KIND, res.physical)

    async def signal(self, res: Handle, details: Json) -> str:
        """Record a signal with the optional fields `status`, `reason`, `data` and `id`."""
        details = details if isinstance(details, dict) else {}
        status = details.get("status", "SUCCESS")
        if status not in _STATUSES:
            raise ValueError(f"Metadata failed validation for {res.name}")
        store = res.engine.cloud.store
        document = store.get(KIND, res.physical) or {"id": res.physical, "signals": {}}
        key = str(details.get("id") or len(document["signals"]) + 1)
        entry = {
            "status": status,
            "reason": details.get("reason") or f"Signal {key} received",
            "data": details.get("data"),
        }
        document["signals"][key] = entry
        store.put(KIND, res.physical, document)
        return f"status:{status} reason:{entry['reason']}"

    async def attribute(self, res: Handle, name: str) -> Json:
        endpoint = signalling.url(res)
        if name == "endpoint":
            return endpoint
        if name == "token":
            return res.physical
        if name == "curl_cli":
            return (
                f"curl -i -X POST -H 'X-Auth-Token: {res.physical}' -H 'Content-Type: application/json' "
                f"-H 'Accept: application/json' '{endpoint}'"
            )
        return await super().attribute(res, name)


class CfnWaitConditionHandle(WaitConditionHandle):
    """CloudFormation's handle, whose reference is its URL and whose signals have four fields."""

    type_name = "AWS::CloudFormation::WaitConditionHandle"
    attributes: ClassVar[Mapping[str, str]] = {}

    async def signal(self, res: Handle, details: Json) -> str:
        names = {"Status": "status", "Reason": "reason", "UniqueId": "id", "Data": "data"}
        if not isinstance(details, dict) or set(details) != set(names):
            raise ValueError("Metadata format invalid")
        return await super().signal(res, {names[name]: value for name, value in details.items()})

    def reference(self, res: Handle) -> Json:
        return signalling.url(res) if res.physical else res.name


class UpdateWaitConditionHandle(CfnWaitConditionHandle):
    """A handle that each update replaces, so that the condition waits again."""

    type_name = "OS::Heat::UpdateWaitConditionHandle"

    def replaced_by(self, values: Mapping[str, Json]) -> bool:
        return True


def _lowercase_props(res: Handle) -> dict[str, Json]:
    """Return a condition's properties in lower case, as CloudFormation's names begin with capitals."""
    return {name.lower(): value for name, value in res.props.items()}


def _document_of(res: Handle) -> dict[str, Json]:
    """Return the document of a condition's handle, named by id or URL; {} if it no longer exists."""
    wanted = str(_lowercase_props(res)["handle"])
    held = res.engine.cloud.store.list(KIND)
    return next((one for one in held if wanted in (one["id"], one.get("url"))), {})


class WaitCondition(Plugin):
    type_name = "OS::Heat::WaitCondition"
    description = "Resource for handling signals received by WaitConditionHandle."
    schema: Mapping[str, Prop] = {
        "handle": Prop("string", "A reference to the wait condition handle.", required=True),
        "timeout": Prop("number", "The number of seconds to wait for the correct number of signals.", required=True,
                        constraints=between(1, 43200)),
        "count": Prop("integer", "The number of success signals that must be received.", default=1, update=True,
                      constraints=between(1)),
    }  # fmt: skip
    attributes: ClassVar[Mapping[str, str]] = {
        "data": "JSON string containing data associated with wait condition signals."
    }

    async def create(self, res: Handle) -> None:
        res.adopt(res.physical_name())
        await self._wait(res)

    async def update(self, res: Handle, changed: dict[str, Json]) -> None:
        await self._wait(res)

    async def _wait(self, res: Handle) -> None:
        clock, bus = res.engine.cloud.clock, res.engine.cloud.bus
        handle = str(_document_of(res).get("id"))
        given = _lowercase_props(res)
        deadline = clock.time() + float(given["timeout"])
        while True:
            signals = self._signals(res)
            failures = [one["reason"] for one in signals.values() if one["status"] == "FAILURE"]
            if failures:
                raise WaitConditionFailure(";".join(failures))
            if len(signals) >= given["count"] or res.engine.cloud.setting("guest_signals"):
                return
            left = deadline - clock.time()
            if left <= 0:
                raise WaitConditionTimeout(len(signals), given["count"])
            await bus.wait(KIND, handle, left)

    @staticmethod
    def _signals(res: Handle) -> dict[str, Json]:
        signals: dict[str, Json] = _document_of(res).get("signals", {})
        return signals

    async def delete(self, res: Handle) -> None:
        """Do nothing, as the signals belong to the handle."""

    def reference(self, res: Handle) -> Json:
        return res.physical or res.name

    async def attribute(self, res: Handle, name: str) -> Json:
        if name.lower() == "data":
            return json.dumps({key: one["data"] for key, one in self._signals(res).items()})
        return await super().attribute(res, name)


class CfnWaitCondition(WaitCondition):
    type_name = "AWS::CloudFormation::WaitCondition"
    schema: Mapping[str, Prop] = {name.capitalize(): prop for name, prop in WaitCondition.schema.items()}
    attributes: ClassVar[Mapping[str, str]] = {"Data": WaitCondition.attributes["data"]}


TYPES: list[type[Plugin]] = [
    WaitConditionHandle, CfnWaitConditionHandle, UpdateWaitConditionHandle, WaitCondition, CfnWaitCondition,
]  # fmt: skip
