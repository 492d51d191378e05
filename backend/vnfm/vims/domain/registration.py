"""Registering a VIM: checks that need no cloud, and the cloud's refusal at the fields at fault."""

import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from vnfm.clouds.errors import CloudError, Denied, NotFound, Transient
from vnfm.clouds.types import Connection
from vnfm.kit.problem import Cause, FieldError, Problem

SERVICES = ("compute", "network", "image", "orchestration", "alarming")

POINTERS: Mapping[str, str] = {
    "auth_url": "/authUrl",
    "username": "/username",
    "password": "/password",
    "project_name": "/projectName",
    "project_id": "/projectId",
    "application_credential_id": "/applicationCredentialId",
    "application_credential_name": "/applicationCredentialName",
    "region": "/region",
    "interface": "/interface",
    "cacert": "/cacert",
    "insecure": "/insecure",
    "endpoint_overrides": "/endpointOverrides",
}
"""Fields of `Connection` to JSON pointers into the request."""

DESTINATION = ("auth_url", "cacert", "insecure", "endpoint_overrides")
"""Fields of `Connection` that decide which server gets the password, or a token obtained with it."""

_ADVICE: Mapping[str, str] = {
    "auth_url": "Give Keystone's URL, like https://cloud.example:5000/v3, and check that it can be reached from here.",
    "username": "Check user name, password and the user's domain.",
    "password": "Check user name, password and the user's domain.",
    "project_name": "Name a project in which the user has a role, and its domain.",
    "project_id": "Give the id of a project in which the user has a role.",
    "application_credential_id": "Check id and secret of the application credential, and whether it has expired.",
    "application_credential_name": "Check name and secret of the application credential, its user and their domain.",
    "region": "Name a region of the cloud's catalog, or none for its first one.",
    "interface": "Choose an interface for which the catalog has endpoints.",
    "cacert": "Give the PEM certificate of the authority that signed the cloud's certificate.",
    "endpoint_overrides": "Give the URL of the service as it can be reached from here.",
}


def connection_errors(connection: Connection) -> list[FieldError]:
    """Errors in the form of the connection, by pointer."""
    errors = [
        FieldError(POINTERS[name], "This is needed.") for name in _needed(connection) if not getattr(connection, name)
    ]
    if connection.auth_url and (error := _url_error(connection.auth_url)):
        errors.append(FieldError(POINTERS["auth_url"], error))
    for service, url in connection.endpoint_overrides.items():
        pointer = f"{POINTERS['endpoint_overrides']}/{service}"
        if service not in SERVICES:
            errors.append(FieldError(pointer, f"There is no such service here; there are {', '.join(SERVICES)}."))
        elif error := _url_error(url):
            errors.append(FieldError(pointer, error))
    if connection.cacert and (error := _pem_error(connection.cacert)):
        errors.append(FieldError(POINTERS["cacert"], error))
    return errors


def _needed(connection: Connection) -> tuple[str, ...]:
    """Fields that must not be empty, by what it logs in with."""
    if connection.application_credential_id:
        return ("auth_url", "password")
    if connection.application_credential_name:
        return ("auth_url", "username", "password")
    if connection.project_id:
        return ("auth_url", "username", "password")
    return ("auth_url", "username", "password", "project_name")


def _url_error(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        secret = "@" in parts.netloc
    except ValueError:
        usable = secret = False
    if secret:
        return "The URL must not hold a user name or password: it is shown and logged. Give them in their own fields."
    return "" if usable else f"{url!r} is not a URL like https://cloud.example:5000/v3."


def _pem_error(pem: str) -> str:
    try:
        ssl.create_default_context(cadata=pem)
    except (ssl.SSLError, ValueError, TypeError) as error:  # TypeError: not ASCII
        return f"This is not a certificate in PEM form: {error}"
    return ""


def refusal(error: CloudError, connection: Connection) -> Problem:
    """Why the cloud cannot be registered like this, at the fields at fault."""
    offending_fields = error.offending_fields or ("auth_url",)
    return Problem(
        status=422,
        code=_code(error, offending_fields),
        title="The cloud cannot be used like this",
        detail=_detail(error, connection, offending_fields[0]),
        next_step=_ADVICE[offending_fields[0]],
        causes=(Cause(error.source, error.cause_text()),),
        errors=tuple(FieldError(POINTERS[name], _ADVICE[name]) for name in offending_fields),
    )


def _code(error: CloudError, offending_fields: tuple[str, ...]) -> str:
    if "cacert" in offending_fields:
        return "VIM_TLS_FAILED"
    if isinstance(error, NotFound):
        return "VIM_NOT_IN_CATALOG"
    return error.code


def _detail(error: CloudError, connection: Connection, culprit: str) -> str:
    """Explain the cloud's message; the message itself is among the causes."""
    host = urlsplit(connection.auth_url).netloc
    if isinstance(error, Denied) and (words := _denial(error, connection, culprit, host)):
        return words
    match error, culprit:
        case Transient(), "cacert":
            return f"No trusted TLS connection to {host}: {error.message}"
        case Transient(), "auth_url":
            return f"Keystone at {connection.auth_url} cannot be reached."
        case Transient(), _:
            return f"Keystone at {host} lets us in, but the endpoint of {error.source} does not answer."
        case _:
            return error.message


def _denial(error: CloudError, connection: Connection, culprit: str, host: str) -> str:
    match culprit:
        case "project_name" | "project_id":
            project = connection.project_id or connection.project_name
            return f"Keystone accepts the user {connection.username}, but not in the project {project}."
        case "application_credential_id" | "application_credential_name":
            return f"Keystone at {host} does not accept this application credential."
        case "username" if error.source == "keystone":
            return f"Keystone at {host} does not accept this user and password."
        case _:
            return ""


def connection_json(connection: Connection) -> dict[str, Any]:
    """All fields, password included: only to be sealed."""
    names = Connection.__dataclass_fields__
    return {name: getattr(connection, name) for name in names} | {
        "endpoint_overrides": dict(connection.endpoint_overrides)
    }
