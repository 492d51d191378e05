"""The other side of the comparison: the cloud as its own tools see it, past our product."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openstack.config import OpenStackConfig
from openstack.connection import Connection


def _configuration(clouds_yaml: str) -> OpenStackConfig:
    """The named file, or whatever the OpenStack tools would read."""
    return OpenStackConfig(config_files=[clouds_yaml]) if clouds_yaml else OpenStackConfig()


class CloudSide:
    """The cloud of a clouds.yaml, by openstacksdk alone."""

    def __init__(self, name: str, clouds_yaml: str) -> None:
        self.name = name
        self.connection = Connection(config=_configuration(clouds_yaml).get_one(name))

    def servers(self, instance_id: str) -> dict[str, str]:
        """Id to status of the servers that carry the VNF instance's id as metadata."""
        return {
            server.id: server.status
            for server in self.connection.compute.servers()
            if server.metadata.get("vnf_instance") == instance_id
        }

    def stacks(self, instance_id: str) -> list[str]:
        """Names of the stacks of the instance; its short id is part of the name."""
        return [stack.name for stack in self.connection.orchestration.stacks() if instance_id[:8] in stack.name]

    def stop(self, server_id: str) -> None:
        self.connection.compute.stop_server(server_id)

    def start(self, server_id: str) -> None:
        self.connection.compute.start_server(server_id)


def registration(name: str, clouds_yaml: str) -> Mapping[str, Any]:
    """The body for POST /api/v1/vims from a clouds.yaml entry."""
    config = _configuration(clouds_yaml).get_one(name).config
    auth = config["auth"]
    verify = config.get("verify", True)
    return {
        "name": name,
        "authUrl": auth["auth_url"],
        "region": config.get("region_name") or "",
        "interface": config.get("interface") or "public",
        "userDomainName": auth.get("user_domain_name") or auth.get("user_domain_id") or "Default",
        "projectDomainName": auth.get("project_domain_name") or auth.get("project_domain_id") or "Default",
        "projectName": auth["project_name"],
        "username": auth["username"],
        "password": auth["password"],
        "cacert": Path(config["cacert"]).read_text() if config.get("cacert") else "",
        "insecure": verify is False,
    }
