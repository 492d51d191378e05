"""Writes the clouds.yaml with which clients use this cloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_CLOUD = """\
  {name}:
    auth:
      auth_url: {url}/identity/v3
      username: {user}
      password: {password}
      project_name: {project}
      user_domain_name: Default
      project_domain_name: Default
    region_name: {region}
    identity_api_version: 3
    interface: public
"""


def write_clouds_yaml(path: Path, url: str, region: str, password: str, admin_password: str) -> None:
    """Clouds ``cloudsim`` (user vnfm in project vnf) and ``cloudsim-admin``; readable by the owner only."""
    text = "clouds:\n" + _CLOUD.format(
        name="cloudsim", url=url, user="vnfm", password=password, project="vnf", region=region
    )
    text += _CLOUD.format(
        name="cloudsim-admin", url=url, user="admin", password=admin_password, project="admin", region=region
    )
    draft = path.with_suffix(".part")
    draft.touch(mode=0o600)
    draft.write_text(text)
    draft.replace(path)
