"""Registered simulated routers, for flows that do not test the registration."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from launcher.ports import free_port
from tests.support.installation import Product
from tests.support.routersim_process import RoutersimProcess

LONG = 90_000
"""Milliseconds that the poller may take on a busy machine."""


@contextmanager
def policy_for(product: Product, sim: RoutersimProcess, name: str, address: str, **parts: Any) -> Iterator[str]:
    """An unregistered 7750 SR-12; yields the id of its SNMP policy."""
    port = sim.add(name=name, kind="7750-SR-12", address=address, bootSeconds=0, **parts)["snmpPort"]
    policy = {"name": f"{name}-v2c", "protocol": "SNMPv2c", "port": port, "community": "public"}
    policy |= {"networks": ["127.0.0.0/8"]}
    made = str(product.post("/api/v1/mediation_policies", policy).json()["id"])
    yield made
    product.post(f"/api/v1/mediation_policies/{made}", method="DELETE")


@contextmanager
def login_for(product: Product, name: str, port: int) -> Iterator[str]:
    """Yields the id of an SSH policy."""
    login = {"username": "admin", "password": "admin"}
    policy = {"name": f"{name}-ssh", "protocol": "SSH", "port": port, **login}
    policy |= {"networks": ["127.0.0.0/8"]}
    made = str(product.post("/api/v1/mediation_policies", policy).json()["id"])
    yield made
    product.post(f"/api/v1/mediation_policies/{made}", method="DELETE")


@contextmanager
def element(product: Product, name: str, address: str, **more: Any) -> Iterator[str]:
    """Registered, and forgotten in the end; its id."""
    wish = {"name": name, "managementAddress": address, "kind": "PHYSICAL", **more}
    made = str(product.post("/api/v1/elements", wish).json()["id"])
    yield made
    product.post(f"/api/v1/elements/{made}", method="DELETE")


@contextmanager
def router(
    product: Product, sim: RoutersimProcess, name: str, address: str, *, site: str | None = None, **parts: Any
) -> Iterator[str]:
    """A 7750 SR-12 that is read, and that one may log in to; the id of the element."""
    ssh = free_port()
    with (
        policy_for(product, sim, name, address, sshPort=ssh, **parts) as snmp,
        login_for(product, name, ssh) as login,
        element(product, name, address, siteId=site, snmpPolicyId=snmp, sshPolicyId=login) as made,
    ):
        yield made


@contextmanager
def site(product: Product, name: str) -> Iterator[str]:
    made = str(product.post("/api/v1/sites", {"name": name}).json()["id"])
    yield made
    product.post(f"/api/v1/sites/{made}", method="DELETE")
