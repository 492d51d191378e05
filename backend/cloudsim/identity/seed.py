"""The first domain, projects, roles, users and services."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud

ROLES = ("admin", "member", "heat_stack_owner", "service")
PROJECTS = ("admin", "vnf", "service")
USERS = {
    "admin": ("admin", ("admin",)),
    "vnfm": ("vnf", ("member", "heat_stack_owner")),
    "heat": ("service", ("admin", "service")),
}
"""The project and the roles in it by user."""

_SEED = uuid.UUID("0d9a2c9e-7f0d-4a53-9a3e-6c1f2b6d5e10")


def stable_id(name: str) -> str:
    """Return an id that is the same in every cloud, so that clients can use it after a reset."""
    return uuid.uuid5(_SEED, name).hex


def stable_uuid(name: str) -> str:
    """Return the ``stable_id`` in the form of images and flavors."""
    return str(uuid.UUID(stable_id(name)))


def seed(cloud: Cloud) -> None:
    """Create missing objects, and leave existing ones unchanged."""
    store = cloud.store
    if store.get("domain", "default") is None:
        domain = {"id": "default", "name": "Default", "enabled": True, "description": ""}
        store.put("domain", "default", domain)
    for name in ROLES:
        ident = stable_id(f"role:{name}")
        if store.get("role", ident) is None:
            store.put("role", ident, {"id": ident, "name": name})
    for name in PROJECTS:
        ident = stable_id(f"project:{name}")
        if store.get("project", ident) is None:
            store.put(
                "project",
                ident,
                {
                    "id": ident,
                    "name": name,
                    "domain_id": "default",
                    "enabled": True,
                    "description": "",
                    "is_domain": False,
                    "parent_id": None,
                },
            )
    for name in USERS:
        _seed_user(cloud, name)


def _seed_user(cloud: Cloud, name: str) -> None:
    ident = stable_id(f"user:{name}")
    if cloud.store.get("user", ident) is not None:
        return
    passwords = {"admin": cloud.options.admin_password, "vnfm": cloud.options.password}
    user = {"id": ident, "name": name, "domain_id": "default", "enabled": True}
    cloud.store.put("user", ident, {**user, "password": passwords.get(name, uuid.uuid4().hex)})
    project, roles = USERS[name]
    for role in roles:
        assign(cloud, ident, stable_id(f"project:{project}"), stable_id(f"role:{role}"))
    if name == "admin":
        assign(cloud, ident, "default", stable_id("role:admin"), target="domain")


def assign(cloud: Cloud, user_id: str, target_id: str, role_id: str, target: str = "project") -> None:
    """Give a user a role on a project or a domain."""
    ident = f"{user_id}:{target_id}:{role_id}"
    doc = {"id": ident, "user_id": user_id, "target": target, "target_id": target_id, "role_id": role_id}
    cloud.store.put("assignment", ident, doc)
