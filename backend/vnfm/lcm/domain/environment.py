"""Named environments: the stored choices of an instantiation, and their form as a HOT environment file."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from vnfm.catalog.domain.documents import parse_yaml, pointer
from vnfm.catalog.domain.settings import validate_settings
from vnfm.catalog.domain.vnfd import Setting, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import convert_value
from vnfm.lcm.domain.element_config import policy_errors
from vnfm.lcm.domain.instantiation import requested_flavour, requested_levels
from vnfm.lcm.domain.operation_request import Rejection
from vnfm.lcm.domain.request_params import split_policies
from vnfm.lcm.domain.requests import InstantiateVnfRequest

NO_SECRETS = "This is a secret, and an environment stores none: give it at the instantiation."
FILE = "environment"
"""Name of an uploaded file in its error messages."""


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportedEnvironment:
    """The parameters of a HOT environment that a VNFD has."""

    params: Mapping[str, Any]
    skipped: tuple[SkippedEntry, ...]


def environment_errors(vnfd: Vnfd, request: InstantiateVnfRequest, params: Mapping[str, Any]) -> list[FieldError]:
    """Return why these parts of an InstantiateVnfRequest cannot be stored, each at its field; `params`: its
    additionalParams.

    A required setting may be missing: the user of the environment gives it.
    """
    settings, policies = split_policies(params)
    flavour = requested_flavour(request.flavour_id, vnfd, "/flavourId")
    levels = flavour if isinstance(flavour, Rejection) else requested_levels(request, flavour)
    errors = list(levels.errors) if isinstance(levels, Rejection) else []
    errors += [FieldError(_pointer_to(name), message) for name, message in _param_errors(vnfd, settings).items()]
    return errors + policy_errors(vnfd, policies)


def read_hot_environment(vnfd: Vnfd, document: str) -> ImportedEnvironment:
    """Return the parameters that fit the VNFD, and the reasons why the others do not.

    Raises PackageError (YAML_INVALID) when it is not a YAML mapping, ValueError when it has no `parameters`.
    """
    data = parse_yaml(FILE, document.encode()).data
    parameters = data.get("parameters")
    if not isinstance(parameters, Mapping):
        raise ValueError("It has no section `parameters` with names and values.")  # noqa: TRY004 - of a file, not of a caller
    skipped = [
        SkippedEntry(str(name), "Only the section parameters is taken; the package brings all else.")
        for name in data
        if name != "parameters"
    ]
    params: dict[str, Any] = {}
    for name, value in parameters.items():
        try:
            params[str(name)] = _convert(vnfd.setting(str(name)), value)
        except ValueError as error:
            skipped.append(SkippedEntry(str(name), str(error)))
    errors_by_name = _param_errors(vnfd, params)
    skipped += [SkippedEntry(name, message) for name, message in errors_by_name.items()]
    return ImportedEnvironment(
        {name: value for name, value in params.items() if name not in errors_by_name}, tuple(skipped)
    )


def hot_environment(title: str, notes: Iterable[str], vnfd: Vnfd | None, params: Mapping[str, Any]) -> str:
    """A HOT environment file that Heat takes: settings as `parameters`, all else as comments.

    `vnfd` is None when its package is gone; then only their names tell settings from mediation policies.
    """
    chosen, policies = split_policies(params)
    hidden = [setting.name for setting in vnfd.settings if setting.hidden] if vnfd else []
    lines = [title, *notes, *(f"{name}: {value}" for name, value in policies.items())]
    if hidden:
        lines.append(f"Secrets are not in it: {', '.join(hidden)}")
    head = "".join(f"# {_one_line(line)}\n" for line in lines if line)
    text: str = yaml.safe_dump({"parameters": chosen}, sort_keys=True, allow_unicode=True, width=120)
    return head + text


def _param_errors(vnfd: Vnfd, params: Mapping[str, Any]) -> dict[str, str]:
    """Error messages of settings, by name."""
    errors_by_name = {
        name: message for name, message in ((n, _storage_error(vnfd, n, v)) for n, v in params.items()) if message
    }
    rest = {name: value for name, value in params.items() if name not in errors_by_name}
    wrong = {error.field: error.message for error in validate_settings(vnfd, rest)}
    return errors_by_name | {name: wrong[_pointer_to(name)] for name in rest if _pointer_to(name) in wrong}


def _storage_error(vnfd: Vnfd, name: str, value: Any) -> str:
    setting = vnfd.setting(name)
    if setting is None:
        return ""
    if setting.hidden:
        return NO_SECRETS
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return "The value cannot be stored as JSON."
    return "The value holds the character U+0000." if _holds_nul(value) else ""


def _holds_nul(value: Any) -> bool:
    """PostgreSQL stores no U+0000 in JSON."""
    match value:
        case str():
            return "\0" in value
        case Mapping():
            return any(_holds_nul(key) or _holds_nul(each) for key, each in value.items())
        case list():
            return any(_holds_nul(each) for each in value)
    return False


def _convert(setting: Setting | None, value: Any) -> Any:
    """The value in the type of our setting; Heat, too, accepts numbers and booleans as text. Raises ValueError."""
    if setting is None or setting.hidden:
        return value
    if setting.type == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    try:
        return convert_value(setting.type, value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{value!r} does not fit: this setting is of type {setting.type}.") from error


def _pointer_to(name: str) -> str:
    return pointer(("additionalParams", name))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
