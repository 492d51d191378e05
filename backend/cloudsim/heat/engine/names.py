"""Names and identifiers as Heat generates them."""

import base64
import re
import uuid

from cloudsim.heat.errors import StackValidationFailed

NAME_PATTERN = re.compile(r"[a-zA-Z][a-zA-Z0-9_.-]{0,254}")
_TIME_BITS = 60
_SHORT_ID_LENGTH = 12


def short_id(resource_uuid: str) -> str:
    """Return the twelve letters that Heat derives from a resource's uuid for physical names."""
    padded = uuid.UUID(resource_uuid).time << (64 - _TIME_BITS)
    return base64.b32encode(padded.to_bytes(8, "big"))[:_SHORT_ID_LENGTH].decode().lower()


def physical_name(stack_name: str, resource_name: str, resource_uuid: str, limit: int = 255) -> str:
    """Return `stack-resource-shortid`, without a part of its middle if it is longer than `limit`."""
    name = f"{stack_name}-{resource_name}-{short_id(resource_uuid)}"
    if len(name) <= limit:
        return name
    return f"{name[:2]}-{name[-(limit - 3) :]}"


def check_stack_name(name: object) -> None:
    """Raise StackValidationFailed for a name that Heat refuses."""
    if not isinstance(name, str):
        raise StackValidationFailed(f"Invalid stack name {name}, must be a string")
    if not NAME_PATTERN.fullmatch(name):
        raise StackValidationFailed(
            f"Invalid stack name {name} must contain only alphanumeric or "
            '"_-." characters, must start with alpha and must be 255 characters or less.'
        )


def stack_arn(project_id: str, name: str, stack_id: str, path: str = "") -> str:
    """Return `arn:openstack:heat::<project>:stacks/<name>/<id>`."""
    return f"arn:openstack:heat::{project_id}:stacks/{name}/{stack_id}{path}"
