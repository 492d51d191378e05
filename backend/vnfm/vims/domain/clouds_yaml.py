"""One entry of an OpenStack clouds.yaml, with its secrets from the secure.yaml next to it, as a `Connection`."""

from collections.abc import Mapping
from typing import Any, Literal, cast

import yaml

from vnfm.clouds.types import Connection
from vnfm.vims.domain.registration import SERVICES

_CREDENTIAL_ID = "application_credential_id"


class CloudsYamlError(ValueError):
    """A fault of the file, as a sentence for the operator who wrote it."""


def connection_named(text: str, name: str, secure: str = "", cacert: str = "") -> Connection:
    """Raises CloudsYamlError when there is no such entry, or it logs in by other means than a password or an
    application credential.

    `cacert` is the PEM text of the file that the entry names (see `cacert_path`): this module reads no files.
    """
    entry = _merged(_entry(text, name), _entries(secure).get(name, {}))
    auth = entry.get("auth") or {}
    return Connection(
        auth_url=_needed(auth, name, "auth_url"),
        **_login(entry, auth, name),
        region=str(entry.get("region_name") or ""),
        interface=_interface(entry, name),
        cacert=cacert,
        insecure=entry.get("verify") is False or entry.get("insecure") is True,
        endpoint_overrides=_overrides(entry),
    )


def _login(entry: Mapping[str, Any], auth: Mapping[str, Any], name: str) -> dict[str, str]:
    """The fields of `Connection` for who logs in and where, by the auth_type."""
    kind = entry.get("auth_type") or "password"
    if kind == "v3applicationcredential":
        secret = _needed(auth, name, "application_credential_secret")
        if auth.get("application_credential_id"):
            return {"username": "", "password": secret, "application_credential_id": _text(auth, _CREDENTIAL_ID)}
        return {
            "username": _needed(auth, name, "username"),
            "password": secret,
            "application_credential_name": _needed(auth, name, _CREDENTIAL_ID, "application_credential_name"),
            "user_domain_name": _domain(auth, name, "user"),
        }
    if kind not in {"password", "v3password"}:
        words = f"Cloud {name!r} has auth_type {kind!r}; there are password and v3applicationcredential."
        raise CloudsYamlError(words)
    login = {
        "username": _needed(auth, name, "username"),
        "password": _needed(auth, name, "password"),
        "user_domain_name": _domain(auth, name, "user"),
    }
    project_id = _text(auth, "project_id") or _text(auth, "tenant_id")
    if project_id:
        return {**login, "project_id": project_id, "project_name": _text(auth, "project_name")}
    project = _needed(auth, name, "project_name", "tenant_name")
    return {**login, "project_name": project, "project_domain_name": _domain(auth, name, "project")}


def cacert_path(text: str, name: str, secure: str = "") -> str:
    """The file that the entry trusts; "" for the system's own authorities."""
    return str(_merged(_entry(text, name), _entries(secure).get(name, {})).get("cacert") or "")


def _entries(text: str) -> Mapping[str, Any]:
    try:
        document = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise CloudsYamlError(f"The file is not YAML: {error}") from error
    clouds = document.get("clouds") if isinstance(document, dict) else None
    return clouds if isinstance(clouds, dict) else {}


def _entry(text: str, name: str) -> Mapping[str, Any]:
    clouds = _entries(text)
    if not isinstance(clouds.get(name), dict):
        raise CloudsYamlError(f"There is no cloud {name!r}; there are: {', '.join(sorted(clouds)) or 'none'}.")
    return cast("Mapping[str, Any]", clouds[name])  # a dict, checked in the line before


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def _needed(auth: Mapping[str, Any], name: str, *keys: str) -> str:
    for key in keys:
        if auth.get(key):
            return str(auth[key])
    raise CloudsYamlError(f"Cloud {name!r} does not say its auth.{keys[0]}.")


def _text(auth: Mapping[str, Any], key: str) -> str:
    return str(auth.get(key) or "")


def _domain(auth: Mapping[str, Any], name: str, whose: str) -> str:
    named = auth.get(f"{whose}_domain_name") or auth.get("domain_name")
    if named:
        return str(named)
    by_id = auth.get(f"{whose}_domain_id") or auth.get("domain_id") or "default"
    if by_id != "default":
        raise CloudsYamlError(f"Cloud {name!r} gives {whose}_domain_id {by_id!r}; give {whose}_domain_name instead.")
    return "Default"


def _interface(entry: Mapping[str, Any], name: str) -> Literal["public", "internal", "admin"]:
    given = str(entry.get("interface") or entry.get("endpoint_type") or "public").removesuffix("URL")
    if given not in {"public", "internal", "admin"}:
        raise CloudsYamlError(f"Cloud {name!r} has the interface {given!r}; there are public, internal and admin.")
    return cast("Literal['public', 'internal', 'admin']", given)  # one of them, checked in the line before


def _overrides(entry: Mapping[str, Any]) -> dict[str, str]:
    keys = {service: f"{service}_endpoint_override" for service in SERVICES}
    return {service: str(entry[key]) for service, key in keys.items() if entry.get(key)}
