"""Reads `additionalParams` of requests, and says what is wrong with them."""

from collections.abc import Mapping
from typing import Any

from vnfm.kit.problem import FieldError

DRAIN = "drain"


def drain_of(params: Mapping[str, Any]) -> tuple[bool, tuple[FieldError, ...]]:
    """Whether to drain, and why the request does not say it clearly."""
    drain = params.get(DRAIN, True)
    return drain is not False, () if isinstance(drain, bool) else (no_boolean(DRAIN),)


def no_boolean(name: str) -> FieldError:
    return FieldError(f"/additionalParams/{name}", "Give true or false.")


def is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def no_names(param: str) -> FieldError:
    return FieldError(f"/additionalParams/{param}", "Give a list of VNFC ids, server names or slots.")


def unknown(params: Mapping[str, Any], *known: str) -> tuple[FieldError, ...]:
    """An error for every parameter that the operation does not know."""
    can = f"only {', '.join(known)}" if known else "none"
    return tuple(
        FieldError(f"/additionalParams/{name}", f"Unknown here; known: {can}.") for name in params if name not in known
    )


def undeclared(body: Mapping[str, Any]) -> tuple[FieldError, ...]:
    """An error for every attribute whose declaration a VNFD would need: none declares any, so it had no effect."""
    return tuple(
        FieldError(f"/{attribute}/{name}", "The VNFD declares no such attribute.")
        for attribute in ("extensions", "vnfConfigurableProperties")
        for name in body.get(attribute) or {}
    )
