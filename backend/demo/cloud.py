"""The cloud as its own tools show it, without our product, to compare with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from openstack.config import OpenStackConfig
from openstack.connection import Connection

from demo.api import Api, DemoError
from demo.screen import Screen


def _configuration(clouds_yaml: str) -> OpenStackConfig:
    """Read the named file, or by default the files that the OpenStack tools read."""
    return OpenStackConfig(config_files=[clouds_yaml]) if clouds_yaml else OpenStackConfig()


class CloudSide:
    """A cloud of clouds.yaml, accessed by openstacksdk."""

    def __init__(self, name: str, clouds_yaml: str) -> None:
        self.name = name
        self.connection = Connection(config=_configuration(clouds_yaml).get_one(name))

    @property
    def auth_url(self) -> str:
        return str(self.connection.config.config["auth"]["auth_url"])

    def servers(self, instance_id: str) -> dict[str, str]:
        """Return status by id of the servers that have the VNF instance's id in their metadata."""
        return {
            server.id: server.status
            for server in self.connection.compute.servers()
            if server.metadata.get("vnf_instance") == instance_id
        }

    def stacks(self, instance_id: str) -> list[str]:
        """Return the names of the instance's stacks; a stack's name contains the first 8 digits of the id."""
        return [stack.name for stack in self.connection.orchestration.stacks() if instance_id[:8] in stack.name]

    def stop(self, server_id: str) -> None:
        self.connection.compute.stop_server(server_id)

    def start(self, server_id: str) -> None:
        self.connection.compute.start_server(server_id)


def registration(name: str, clouds_yaml: str) -> Mapping[str, Any]:
    """Return the body for POST /api/v1/vims from a clouds.yaml entry.

    Raises DemoError if a password is missing, or if a domain is named by an id other than `default`.
    """
    config = _configuration(clouds_yaml).get_one(name).config
    auth = config["auth"]
    missing = [key for key in ("auth_url", "project_name", "username", "password") if not auth.get(key)]
    if missing:
        raise DemoError(f"Cloud {name!r} in clouds.yaml has no auth.{', auth.'.join(missing)}: add it.")
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
    """Raise DemoError if the registered VIM of this name is another cloud."""
    if _versionless(vim["authUrl"]) != _versionless(auth_url):
        raise DemoError(
            f"The VIM {vim['name']!r} is registered with {vim['authUrl']}, but clouds.yaml has {auth_url} for this "
            "name. Rename one of them."
        )


def _versionless(url: str) -> str:
    return url.rstrip("/").removesuffix("/v3")


def register(api: Api, screen: Screen, body: Mapping[str, Any]) -> None:
    """Register the VIM, with up to two retries when the answer advises to retry: an idle cloud is slow at first."""
    for tries_left in (2, 1, 0):
        try:
            api.post("/api/v1/vims", body)
        except DemoError as error:
            if error.code != "VIM_TOO_SLOW" or not tries_left:
                raise
            screen.note("the cloud is slow to answer: trying again")
        else:
            return


def _domain_name(name: str, auth: Mapping[str, Any], whose: str) -> str:
    """Return the domain's name. Raises DemoError for an id other than `default`, whose name is always Default."""
    named = auth.get(f"{whose}_domain_name") or auth.get("domain_name")
    if named:
        return str(named)
    by_id = auth.get(f"{whose}_domain_id") or auth.get("domain_id") or "default"
    if by_id != "default":
        raise DemoError(f"Cloud {name!r} gives {whose}_domain_id {by_id!r}; give {whose}_domain_name instead.")
    return "Default"
