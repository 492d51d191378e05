"""`vnf`: VNF instances and their operations."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

from cli.lookup import instance_of, vim_of, vnfd_of
from cli.output import show, show_json, show_one
from demo.api import Api, DemoError
from demo.operation import run_operation
from demo.screen import Screen

INSTANCES = "/vnflcm/v2/vnf_instances"
VIM_TYPE = "ETSINFV.OPENSTACK_KEYSTONE.V_3"
LONGEST = 24 * 3600.0
"""Seconds that an operation is followed; it goes on without us."""
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
    """Creates the VNF instance if a VNFD is named, and instantiates it."""
    vim = vim_of(api, options.vim)
    if options.vnfd:
        body = {"vnfdId": vnfd_of(api, options.vnfd)["vnfdId"], "vnfInstanceName": options.vnf}
        instance_id = api.post(INSTANCES, body).json()["id"]
    else:
        instance_id = instance_of(api, options.vnf)["id"]
    request: dict[str, Any] = {
        "flavourId": options.flavour,
        "vimConnectionInfo": {"vim1": {"vimId": vim["id"], "vimType": VIM_TYPE}},
    }
    if options.level:
        request["instantiationLevelId"] = options.level
    if options.param:
        request["additionalParams"] = dict(_parameters(options.param))
    _operate(api, options, instance_id, "instantiate", request)


def vnf_scale(api: Api, options: Namespace) -> None:
    request = {"type": f"SCALE_{options.direction.upper()}", "aspectId": options.aspect, "numberOfSteps": options.steps}
    _operate(api, options, instance_of(api, options.vnf)["id"], "scale", request)


def vnf_heal(api: Api, options: Namespace) -> None:
    request = {"additionalParams": {"vnfcToHeal": options.vnfc}} if options.vnfc else {}
    _operate(api, options, instance_of(api, options.vnf)["id"], "heal", request)


def vnf_terminate(api: Api, options: Namespace) -> None:
    instance_id = instance_of(api, options.vnf)["id"]
    _operate(api, options, instance_id, "terminate", {"terminationType": "FORCEFUL" if options.force else "GRACEFUL"})
    if options.delete and not options.no_wait:
        api.delete(f"{INSTANCES}/{instance_id}")


def _operate(api: Api, options: Namespace, instance_id: str, task: str, request: Mapping[str, Any]) -> None:
    """Follows the steps, unless --no-wait; DemoError unless it completes."""
    if options.no_wait:
        location = api.post(f"{INSTANCES}/{instance_id}/{task}", request).headers["Location"]
        op_id = location.rsplit("/", 1)[-1]
    else:
        screen = Screen(sys.stderr if options.json else sys.stdout)
        op_id = run_operation(api, screen, instance_id, task, request, seconds=LONGEST)
    if options.json:
        show_json(api.get(f"/vnflcm/v2/vnf_lcm_op_occs/{op_id}"))
    elif options.no_wait:
        sys.stdout.write(f"{op_id}\n")


def _parameters(given: Iterable[str]) -> Iterable[tuple[str, Any]]:
    """NAME=VALUE; a value that is JSON is taken as such, so that numbers and lists can be given."""
    for each in given:
        name, separator, value = each.partition("=")
        if not separator:
            raise DemoError(f"--param {each} is not of the form NAME=VALUE.", "USAGE")
        try:
            yield name, json.loads(value)
        except json.JSONDecodeError:
            yield name, value
