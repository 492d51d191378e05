"""`vnf`: VNF instances and their operations."""

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from cli.lookup import instance_of, vim_of, vnfd_of
from cli.operations import follow_to_end
from cli.output import show, show_one
from demo.api import SERVER_ERROR, Api, DemoError
from demo.operation import start

INSTANCES = "/vnflcm/v2/vnf_instances"
VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
ROW = {"NAME": "name", "STATE": "instantiationState", "AVAILABLE": "available", "VNFCS": "vnfcCount", "ID": "id"}
DETAIL = ROW | {"VNFD": "vnfdId", "CLOUD": "vimId", "WHY": "why", "OPERATION": "runningOpOccId", "CREATED": "createdAt"}


def vnf_list(api: Api, options: Namespace) -> None:
    rows = api.pages("/api/v1/vnf_instances")
    show(rows if options.json else [_with_condition(row) for row in rows], ROW, as_json=options.json)


def vnf_show(api: Api, options: Namespace) -> None:
    row = instance_of(api, options.vnf)
    show_one(row if options.json else _with_condition(row), DETAIL, as_json=options.json)


def _with_condition(row: Mapping[str, Any]) -> dict[str, Any]:
    found: Mapping[str, Any] = next((each for each in row["conditions"] if each["type"] == "Available"), {})
    return {**row, "available": found.get("status"), "why": found.get("message")}


def vnf_instantiate(api: Api, options: Namespace) -> None:
    """Create the VNF instance if --vnfd names a VNFD, and instantiate it."""
    vim = vim_of(api, options.vim)
    request: dict[str, Any] = {
        "flavourId": options.flavour,
        "vimConnectionInfo": {"vim1": {"vimId": vim["id"], "vimType": VIM_TYPE}},
    }
    if options.level:
        request["instantiationLevelId"] = options.level
    if options.param:
        request["additionalParams"] = dict(_parameters(options.param))
    if options.vnfd:
        op_id = _create_and_start(api, options, request)
    else:
        op_id = start(api, instance_of(api, options.vnf)["id"], "instantiate", request)
    follow_to_end(api, options, op_id, "instantiate")


def _create_and_start(api: Api, options: Namespace, request: Mapping[str, Any]) -> str:
    """Create and instantiate, and return the operation's id; a rejected request deletes the VNF instance again."""
    body = {"vnfdId": vnfd_of(api, options.vnfd)["vnfdId"], "vnfInstanceName": options.vnf}
    instance_id = api.post(INSTANCES, body).json()["id"]
    try:
        return start(api, instance_id, "instantiate", request)
    except DemoError as error:
        if 0 < error.status < SERVER_ERROR:
            with suppress(DemoError):
                api.delete(f"{INSTANCES}/{instance_id}")
        raise


def vnf_scale(api: Api, options: Namespace) -> None:
    request = {"type": f"SCALE_{options.direction.upper()}", "aspectId": options.aspect, "numberOfSteps": options.steps}
    _operate(api, options, instance_of(api, options.vnf)["id"], "scale", request)


def vnf_heal(api: Api, options: Namespace) -> None:
    request = {"additionalParams": {"vnfcToHeal": options.vnfc}} if options.vnfc else {}
    _operate(api, options, instance_of(api, options.vnf)["id"], "heal", request)


def vnf_terminate(api: Api, options: Namespace) -> None:
    if options.delete and options.no_wait:
        raise DemoError("--delete has to wait for the end of the termination: leave --no-wait out.", "USAGE")
    instance_id = instance_of(api, options.vnf)["id"]
    _operate(api, options, instance_id, "terminate", {"terminationType": "FORCEFUL" if options.force else "GRACEFUL"})
    if options.delete:
        api.delete(f"{INSTANCES}/{instance_id}")


def _operate(api: Api, options: Namespace, instance_id: str, task: str, request: Mapping[str, Any]) -> None:
    follow_to_end(api, options, start(api, instance_id, task, request), task)


def _parameters(given: Iterable[str]) -> Iterable[tuple[str, Any]]:
    """Parse NAME=VALUE; a value that is valid JSON is read as JSON, so that numbers and lists can be given."""
    for each in given:
        name, separator, value = each.partition("=")
        if not separator:
            raise DemoError(f"--param {each} is not of the form NAME=VALUE.", "USAGE")
        try:
            yield name, json.loads(value)
        except json.JSONDecodeError:
            yield name, value
