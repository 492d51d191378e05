"""Heat's own exceptions: the class name is the `error.type` of the reply, the text its `error.message`.

Source: heat/common/exception.py and heat/api/middleware/fault.py at tag liberty-eol.
"""

from collections.abc import Sequence


class HeatError(Exception):
    """An error of the engine; `status` is the HTTP status of the API's answer."""

    status = 400

    @property
    def kind(self) -> str:
        """Return the name in `error.type`."""
        return type(self).__name__


class StackValidationFailed(HeatError):
    """A template, property or parameter is wrong at `path` (`resources.vm.properties.flavor`).

    The message has Heat's form with double colons: `Property error: : resources.vm.properties.flavor: : …`.
    """

    def __init__(self, message: str, *, error: str = "", path: Sequence[str] = ()) -> None:
        self.error, self.path, self.message = error, list(path), message
        super().__init__(format_error(error, self.path, message, colon=": : "))

    def below(self, *path: str, error: str = "") -> "StackValidationFailed":
        """Return the same failure with `path` in front of its own path."""
        return StackValidationFailed(self.message, error=self.error or error, path=[*path, *self.path])


class ResourceFailure(HeatError):
    """A resource's action failed; format_error `ResourceInError: resources.vm: Went to status ERROR …`."""

    status = 500

    def __init__(self, message: str, *, error: str = "", path: Sequence[str] = ()) -> None:
        self.error, self.path, self.message = error, list(path), message
        super().__init__(format_error(error, self.path, message))

    @classmethod
    def of(cls, cause: Exception, resource_name: str) -> "ResourceFailure":
        """Wrap any exception raised by the plugin of `resource_name`."""
        if isinstance(cause, ResourceFailure):
            return cls(cause.message, error=cause.error, path=["resources", resource_name, *cause.path])
        kind = cause.kind if isinstance(cause, HeatError) else type(cause).__name__
        return cls(str(cause), error=kind, path=["resources", resource_name])

    @classmethod
    def from_reason(cls, reason: str, action: str) -> "ResourceFailure":
        """Parse a child stack's status reason, as Heat does for the parent's."""
        if f"Resource {action} failed: " not in reason:
            return cls(reason)
        parts = [part.strip() for part in reason.split(":")]
        if len(parts) < 4:  # noqa: PLR2004 - "Resource X failed", error, path, message
            return cls(reason)
        return cls(": ".join(parts[3:]), error=parts[1], path=_split_path(parts[2]))


def format_error(error: str, path: Sequence[str], message: str, colon: str = ": ") -> str:
    """Return `error: path.to[0].thing: message` without empty parts; validation errors have `: : ` as the colon."""
    where = ""
    for item in path:
        if item.isdigit():
            where += f"[{item}]"
        else:
            where = f"{where}.{item}" if where else item
    return colon.join(part for part in (error, where, message) if part)


def _split_path(path: str) -> list[str]:
    return path.split(".")


class InvalidSchemaError(HeatError):
    """The parameters section is invalid."""


class UserParameterMissing(HeatError):
    def __init__(self, key: str) -> None:
        super().__init__(f"The Parameter ({key}) was not provided.")


class UnknownUserParameter(HeatError):
    def __init__(self, key: str) -> None:
        super().__init__(f"The Parameter ({key}) was not defined in template.")


class InvalidTemplateVersion(HeatError):
    def __init__(self, explanation: str) -> None:
        super().__init__(f"The template version is invalid: {explanation}")


class InvalidTemplateReference(HeatError):
    def __init__(self, resource: str, key: str) -> None:
        super().__init__(f'The specified reference "{resource}" (in {key}) is incorrect.')


class InvalidTemplateAttribute(HeatError):
    def __init__(self, resource: str, key: str) -> None:
        super().__init__(f"The Referenced Attribute ({resource} {key}) is incorrect.")


class CircularDependencyException(HeatError):
    """Dependencies have a cycle; the middleware of 5.0.0 maps it to an internal error."""

    status = 500

    def __init__(self, cycle: str) -> None:
        super().__init__(f"Circular Dependency Found: {cycle}")


class EntityNotFound(HeatError):
    """A stack, event, resource type, flavor, image or other object does not exist."""

    status = 404

    def __init__(self, entity: str, name: str) -> None:
        super().__init__(f"The {entity} ({name}) could not be found.")


class ResourceNotFound(HeatError):
    status = 404

    def __init__(self, resource: str, stack: str) -> None:
        super().__init__(f"The Resource ({resource}) could not be found in Stack {stack}.")


class ResourceNotAvailable(HeatError):
    status = 404

    def __init__(self, resource: str) -> None:
        super().__init__(f"The Resource ({resource}) is not available.")


class NotFound(HeatError):
    status = 404


class StackExists(HeatError):
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(f"The Stack ({name}) already exists.")


class ActionInProgress(HeatError):
    status = 409

    def __init__(self, name: str, action: str) -> None:
        super().__init__(f"Stack {name} already has an action ({action}) in progress.")


class NotSupported(HeatError):
    def __init__(self, feature: str) -> None:
        super().__init__(f"{feature} is not supported.")


class ResourceActionNotSupported(HeatError):
    def __init__(self, action: str) -> None:
        super().__init__(f"{action} is not supported for resource.")


class RequestLimitExceeded(HeatError):
    def __init__(self, message: str) -> None:
        super().__init__(f"Request limit exceeded: {message}")


class StackResourceLimitExceeded(HeatError):
    status = 403

    def __init__(self) -> None:
        super().__init__("Maximum resources per stack exceeded.")


class ResourcePropertyConflict(HeatError):
    def __init__(self, *names: str) -> None:
        super().__init__(f"Cannot define the following properties at the same time: {', '.join(names)}.")


class PropertyUnspecifiedError(HeatError):
    def __init__(self, *names: str) -> None:
        super().__init__(f"At least one of the following properties must be specified: {', '.join(names)}")


class ResourcePropertyDependency(HeatError):
    """A property needs another one; the middleware maps it to an internal error."""

    status = 500

    def __init__(self, name: str, needed: str) -> None:
        super().__init__(f"{name} cannot be specified without {needed}.")


class Forbidden(HeatError):
    status = 403

    def __init__(self, action: str) -> None:
        super().__init__(f"You are not authorized to use {action}.")


class Invalid(HeatError):
    def __init__(self, reason: str) -> None:
        super().__init__(f"Data supplied was not valid: {reason}")


class Error(HeatError):
    """A failure inside a plugin."""


class ResourceInError(HeatError):
    """The cloud reports ERROR, with its own reason."""

    def __init__(self, reason: str = "Unknown", status: str = "ERROR") -> None:
        super().__init__(f'Went to status {status} due to "{reason}"')


class ResourceUnknownStatus(HeatError):
    def __init__(self, status: str, reason: str = "Unknown", result: str = "Resource failed") -> None:
        super().__init__(f'{result} - Unknown status {status} due to "{reason}"')


class UpdateReplace(Exception):
    """The resource cannot be changed in place and must be replaced."""
