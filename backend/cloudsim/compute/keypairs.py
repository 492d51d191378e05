"""Key pairs, by user."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import TYPE_CHECKING

from cloudsim.compute.common import bad, body_of, conflict, not_found
from cloudsim.core.errors import Reply

if TYPE_CHECKING:
    from cloudsim.core.cloud import Cloud
    from cloudsim.core.context import RequestContext
    from cloudsim.core.service import Request
    from cloudsim.core.store import Doc

_LISTED = ("name", "public_key", "fingerprint")
RSA_BITS = 2048


def add_keypair(cloud: Cloud, user_id: str, name: str, public: str) -> Doc:
    """Store a key pair and return it. Raises ApiFault 400 for an invalid public key."""
    ident = f"{user_id}:{name}"
    doc = {
        "id": ident,
        "number": len(cloud.store.list("keypair")) + 1,
        "name": name,
        "user_id": user_id,
        "public_key": public,
        "fingerprint": _fingerprint(public),
        "created_at": cloud.clock.stamp(),
    }
    return cloud.store.put("keypair", ident, doc)


class Keypairs:
    def __init__(self, cloud: Cloud) -> None:
        self._cloud = cloud
        self._store = cloud.store
        self._store.index("keypair", "user", lambda doc: [doc["user_id"]])

    async def index(self, ctx: RequestContext, _request: Request) -> Reply:
        found = self._store.find("keypair", "user", ctx.user_id)
        return Reply(200, {"keypairs": [{"keypair": {name: doc[name] for name in _LISTED}} for doc in found]})

    async def show(self, ctx: RequestContext, request: Request) -> Reply:
        doc = self.get(ctx, request.params["id"])
        more = {"user_id": doc["user_id"], "created_at": doc["created_at"], "deleted": False, "id": doc["number"]}
        return Reply(200, {"keypair": {**{name: doc[name] for name in _LISTED}, **more}})

    async def create(self, ctx: RequestContext, request: Request) -> Reply:
        given = body_of(request, "keypair")
        name = str(given.get("name") or "")
        if not name:
            raise bad("Invalid input for field/attribute name. Value: . '' is too short")
        if self._store.get("keypair", f"{ctx.user_id}:{name}"):
            raise conflict(f"Key pair '{name}' already exists.")
        private, public = ("", str(given["public_key"])) if given.get("public_key") else _generate()
        doc = add_keypair(self._cloud, ctx.user_id, name, public)
        shown = {**{key: doc[key] for key in _LISTED}, "user_id": ctx.user_id}
        return Reply(200, {"keypair": {**shown, **({"private_key": private} if private else {})}})

    async def delete(self, ctx: RequestContext, request: Request) -> Reply:
        self._store.delete("keypair", self.get(ctx, request.params["id"])["id"])
        return Reply(202)

    def get(self, ctx: RequestContext, name: str) -> Doc:
        """The user's key pair. Raises ApiFault 404."""
        doc = self._store.get("keypair", f"{ctx.user_id}:{name}")
        if doc is None:
            raise not_found(f"Keypair {name} not found for user {ctx.user_id}")
        return doc

    def get_for_boot(self, ctx: RequestContext, name: str) -> Doc:
        """The user's key pair for a new server. Raises ApiFault 400."""
        doc = self._store.get("keypair", f"{ctx.user_id}:{name}")
        if doc is None:
            raise bad("Invalid key_name provided.")
        return doc


def _generate() -> tuple[str, str]:
    """Generate an RSA pair; the library is imported here, since that is slow."""
    from cryptography.hazmat.primitives import serialization as ser  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415

    key = rsa.generate_private_key(public_exponent=65537, key_size=RSA_BITS)
    private = key.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.TraditionalOpenSSL, ser.NoEncryption())
    public = key.public_key().public_bytes(ser.Encoding.OpenSSH, ser.PublicFormat.OpenSSH)
    return private.decode(), f"{public.decode()} Generated-by-Nova"


def _fingerprint(public: str) -> str:
    try:
        blob = base64.b64decode(public.split()[1], validate=True)
    except (IndexError, binascii.Error) as error:
        raise bad("Keypair data is invalid: failed to generate fingerprint") from error
    digest = hashlib.md5(blob, usedforsecurity=False).hexdigest()
    return ":".join(digest[place : place + 2] for place in range(0, 32, 2))
