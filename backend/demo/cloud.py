"""The other side of the comparison: the cloud as its own tools see it, past our product."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openstack.config import OpenStackConfig
from openstack.connection import Connection

from demo.api import Api, DemoError
from demo.screen import Screen


def _configuration(clouds_yaml: str) -> OpenStackConfig:
    """The named file, or whatever the OpenStack tools would read."""
    return OpenStackConfig(config_files=[clouds_yaml]) if clouds_yaml else OpenStackConfig()


class CloudSide:
    """The cloud of a clouds.yaml, by openstacksdk alone."""

    def __init__(self, name: str, clouds_yaml: str) -> None:
        self.name = name
        self.connection = Connection(config=_configuration(clouds_yaml).get_one(name))

    @property
    def auth_url(self) -> str:
        return str(self.connection.config.config["auth"]["auth_url"])

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
    """The body for POST /api/v1/vims from a clouds.yaml entry; DemoError when it has no password, or odd domains."""
    config = _configuration(clouds_yaml).get_one(name).config
    auth = config["auth"]
    missing = [key for key in ("auth_url", "project_name", "username", "password") if not auth.get(key)]
    if missing:
        raise DemoError(f"Cloud {name!r} in clouds.yaml does not say its auth.{', auth.'.join(missing)}.")
    verify = config.get("verify", True)
    return {
        "name": name,
        "authUrl": auth["auth_url"],
        "region": config.get("region_name") or "",
        "interface": config.get("interface") or "public",
        "userDomainName": _domain_name(name, auth, "user"),
        "projectDomainName": _domain_name(name, auth, "project"),
        "projectName": auth["project_name"],
        "username": auth["username"],
        "password": auth["password"],
        "cacert": Path(config["cacert"]).read_text() if config.get("cacert") else "",
        "insecure": verify is False,
    }


def check_same_cloud(vim: Mapping[str, Any], auth_url: str) -> None:
    """DemoError when the VIM that has the cloud's name is another cloud."""
    if _versionless(vim["authUrl"]) != _versionless(auth_url):
        raise DemoError(
            f"The VIM {vim['name']!r} is registered with {vim['authUrl']}, but clouds.yaml has {auth_url} for this "
            "name. Rename one of them."
        )


def _versionless(url: str) -> str:
    return url.rstrip("/").removesuffix("/v3")


def register(api: Api, screen: Screen, body: Mapping[str, Any]) -> None:
    """Again where that is the advice: a cloud that has been asked nothing for long takes its time at first."""
    for tries_left in (2, 1, 0):
        try:
            api.post("/api/v1/vims", body)
        except DemoError as error:
            if error.code != "VIM_TOO_SLOW" or not tries_left:
                raise
            screen.note("the cloud is slow to answer: once more")
        else:
            return


def _domain_name(name: str, auth: Mapping[str, Any], whose: str) -> str:
    """VIMs name domains; only of the domain with the id `default` is the name the same everywhere."""
    named = auth.get(f"{whose}_domain_name") or auth.get("domain_name")
    if named:
        return str(named)
    by_id = auth.get(f"{whose}_domain_id") or auth.get("domain_id") or "default"
    if by_id != "default":
        raise DemoError(f"Cloud {name!r} gives {whose}_domain_id {by_id!r}; give {whose}_domain_name instead.")
    return "Default"
