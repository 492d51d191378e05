"""Short words for what these tests do with Heat."""

import time
from typing import Any

from heatclient import exc
from heatclient.client import Client
from openstack.connection import Connection

PATIENCE = 30.0
MEMBER = """
heat_template_version: 2015-10-15
parameters:
  index: {type: string}
  slots: {type: json}
  net: {type: string}
resources:
  port:
    type: OS::Neutron::Port
    properties: {network: {get_param: net}, "binding:vnic_type": direct}
  server:
    type: OS::Nova::Server
    properties:
      image: tiny
      flavor: m1.tiny
      networks: [{port: {get_resource: port}}]
      config_drive: true
      user_data_format: RAW
      user_data: {str_replace: {template: slot=$SLOT, params: {$SLOT: {get_param: [slots, {get_param: index}]}}}}
      metadata: {slot: {get_param: [slots, {get_param: index}]}}
outputs:
  server_id: {value: {get_resource: server}}
  slot: {value: {get_param: [slots, {get_param: index}]}}
"""
ROUTER = """
heat_template_version: 2015-10-15
description: a router of control VM and line cards
parameters:
  count: {type: number, default: 2, constraints: [{range: {min: 0, max: 9}}]}
  removed: {type: json, default: []}
  slots: {type: json, default: {"0": "1", "1": "2", "2": "3", "3": "4", "4": "5"}}
  flavor: {type: string, default: m1.tiny, constraints: [{custom_constraint: nova.flavor}]}
  cpm_name: {type: string, default: cpm-a}
resources:
  fabric: {type: My::Fabric}
  apart: {type: OS::Nova::ServerGroup, properties: {policies: [anti-affinity]}}
  cpm_port: {type: OS::Neutron::Port, properties: {network: {get_attr: [fabric, network]}}}
  cpm:
    type: OS::Nova::Server
    properties:
      name: {get_param: cpm_name}
      image: tiny
      flavor: {get_param: flavor}
      networks: [{port: {get_resource: cpm_port}}]
      scheduler_hints: {group: {get_resource: apart}}
      metadata: {slot: A}
  ioms:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: count}
      removal_policies: [{resource_list: {get_param: removed}}]
      resource_def:
        type: My::Iom
        properties: {index: "%index%", slots: {get_param: slots}, net: {get_attr: [fabric, network]}}
outputs:
  cpm_ip: {value: {get_attr: [cpm, first_address]}}
  iom_ids: {value: {get_attr: [ioms, server_id]}}
  iom_slots: {value: {get_attr: [ioms, attributes, slot]}}
  first_slot: {value: {get_attr: [ioms, resource.0.slot]}}
"""
FABRIC = """
heat_template_version: 2015-10-15
resources:
  net: {type: OS::Neutron::Net}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 10.9.0.0/24, gateway_ip: "", enable_dhcp: false}
outputs:
  network: {value: {get_resource: net}}
"""
FILES = {"iom.yaml": MEMBER, "fabric.yaml": FABRIC}
REGISTRY = {"My::Iom": "iom.yaml", "My::Fabric": "fabric.yaml"}


class Orchestra:
    """One stack at a time, by python-heatclient."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        endpoint = connection.orchestration.get_endpoint()
        self.client = Client("1", session=connection.session, endpoint_override=endpoint)

    def create(self, template: str = ROUTER, name: str = "router", *, wait: bool = True, **more: Any) -> str:
        """Create and wait for the end, whatever it is; returns the id."""
        made = self.client.stacks.create(stack_name=name, template=template, **self._body(more))
        return self.ended(made["stack"]["id"]).id if wait else made["stack"]["id"]

    def update(self, ident: str, template: str = ROUTER, **more: Any) -> Any:
        """PUT everything and wait for the end; returns the stack."""
        self.client.stacks.update(ident, template=template, **self._body(more))
        return self.ended(ident)

    def act(self, ident: str, action: str) -> Any:
        getattr(self.client.actions, action)(ident)
        return self.ended(ident)

    def delete(self, ident: str) -> Any:
        self.client.stacks.delete(ident)
        return self.ended(ident)

    @staticmethod
    def _body(more: dict[str, Any]) -> dict[str, Any]:
        parameters = more.pop("parameters", {})
        environment = {"parameters": parameters, "resource_registry": REGISTRY}
        return {"files": FILES, "environment": environment, **more}

    def ended(self, ident: str) -> Any:
        deadline = time.monotonic() + PATIENCE
        while (stack := self.client.stacks.get(ident)).stack_status.endswith("IN_PROGRESS"):
            assert time.monotonic() < deadline, (stack.stack_status, stack.stack_status_reason)
            time.sleep(0.02)
        return stack

    def until(self, question: Any) -> Any:
        """Ask until the answer is true."""
        deadline = time.monotonic() + PATIENCE
        while not (answer := question()):
            assert time.monotonic() < deadline, "it never came true"
            time.sleep(0.02)
        return answer

    def outputs(self, ident: str) -> dict[str, Any]:
        return {one["output_key"]: one["output_value"] for one in self.client.stacks.get(ident).outputs}

    def resources(self, ident: str, depth: int = 0) -> dict[str, Any]:
        """By name; nested ones as `parent/name`."""
        found = self.client.resources.list(ident, nested_depth=depth)
        return {
            f"{one.parent_resource}/{one.resource_name}" if hasattr(one, "parent_resource") else one.resource_name: one
            for one in found
        }

    def servers(self, ident: str) -> dict[str, str]:
        """Nova ids by place in the stack: `cpm`, `0/server` …"""
        return {
            place: one.physical_resource_id
            for place, one in self.resources(ident, 5).items()
            if one.resource_type == "OS::Nova::Server"
        }

    def lose(self, server: str) -> None:
        """Delete a VM behind Heat's back."""
        self.connection.compute.delete_server(server)
        self.until(lambda: self.connection.compute.find_server(server) is None)

    def refusal(self, template: str, **more: Any) -> tuple[int, str, str]:
        """Status, error type and message of a create that Heat refuses."""
        try:
            self.create(template, wait=False, **more)
        except exc.HTTPException as refused:
            return refused.code, refused.error["error"]["type"], refused.error["error"]["message"]
        raise AssertionError("Heat took it")
