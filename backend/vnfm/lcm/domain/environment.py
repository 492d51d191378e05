"""Named environments: what of an instantiation's choices may be kept, and how they look as a HOT environment file."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from vnfm.catalog.domain.documents import parse_yaml, pointer
from vnfm.catalog.domain.settings import validate_settings
from vnfm.catalog.domain.vnfd import Setting, Vnfd
from vnfm.kit.problem import FieldError
from vnfm.lcm.domain.adoption import typed
from vnfm.lcm.domain.instantiation import flavour_wanted, levels_wanted
from vnfm.lcm.domain.serving import policies_taken, policy_errors
from vnfm.lcm.domain.target import Refused

NO_SECRETS = "This is a secret, and an environment keeps none: give it at the instantiation."
FILE = "environment"
"""What a file that was sent is called in complaints about it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fitting:
    """What of a HOT environment a VNFD has a place for."""

    params: Mapping[str, Any]
    left_out: tuple[LeftOut, ...]


def environment_errors(vnfd: Vnfd, request: Mapping[str, Any]) -> list[FieldError]:
    """Why these parts of an InstantiateVnfRequest cannot be kept, each at its field.

    What is missing, a required setting for instance, is no error: it is given by whoever begins with the environment.
    """
    params = dict(request.get("additionalParams") or {})
    policies = policies_taken(params)
    flavour = flavour_wanted(request, vnfd)
    levels = flavour if isinstance(flavour, Refused) else levels_wanted(request, flavour)
    errors = list(levels.errors) if isinstance(levels, Refused) else []
    errors += [FieldError(_place(name), words) for name, words in _param_errors(vnfd, params).items()]
    return errors + policy_errors(vnfd, policies)


def read_hot_environment(vnfd: Vnfd, document: str) -> Fitting:
    """What fits of a HOT environment, and why the rest does not.

    Raises PackageError (YAML_INVALID) for what is no YAML mapping, ValueError when it has no `parameters`.
    """
    data = parse_yaml(FILE, document.encode()).data
    given = data.get("parameters")
    if not isinstance(given, Mapping):
        raise ValueError("It has no section `parameters` with names and values.")  # noqa: TRY004 - of a file, not of a caller
    left_out = [
        LeftOut(str(name), "Only the section parameters is taken; the package brings all else.")
        for name in data
        if name != "parameters"
    ]
    params: dict[str, Any] = {}
    for name, value in given.items():
        try:
            params[str(name)] = _taken(vnfd.setting(str(name)), value)
        except ValueError as error:
            left_out.append(LeftOut(str(name), str(error)))
    unfit = _param_errors(vnfd, params)
    left_out += [LeftOut(name, words) for name, words in unfit.items()]
    return Fitting({name: value for name, value in params.items() if name not in unfit}, tuple(left_out))


def hot_environment(title: str, notes: Iterable[str], vnfd: Vnfd | None, params: Mapping[str, Any]) -> str:
    """A HOT environment file that Heat takes: settings as `parameters`, all else as comments.

    `vnfd` is None when its package is gone; then nothing tells settings from mediation policies but their names.
    """
    chosen = dict(params)
    policies = policies_taken(chosen)
    hidden = [setting.name for setting in vnfd.settings if setting.hidden] if vnfd else []
    lines = [title, *notes, *(f"{name}: {value}" for name, value in policies.items())]
    if hidden:
        lines.append(f"Secrets are not in it: {', '.join(hidden)}")
    head = "".join(f"# {_one_line(line)}\n" for line in lines if line)
    text: str = yaml.safe_dump({"parameters": chosen}, sort_keys=True, allow_unicode=True, width=120)
    return head + text


def _param_errors(vnfd: Vnfd, params: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with settings that were given, by name."""
    unfit = {name: words for name, words in ((n, _unkeepable(vnfd, n, v)) for n, v in params.items()) if words}
    rest = {name: value for name, value in params.items() if name not in unfit}
    wrong = {error.field: error.message for error in validate_settings(vnfd, rest)}
    return unfit | {name: wrong[_place(name)] for name in rest if _place(name) in wrong}


def _unkeepable(vnfd: Vnfd, name: str, value: Any) -> str:
    setting = vnfd.setting(name)
    if setting is None:
        return ""
    if setting.hidden:
        return NO_SECRETS
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return "The value is none that JSON knows."
    return "The value holds the character U+0000." if _holds_nul(value) else ""


def _holds_nul(value: Any) -> bool:
    """PostgreSQL keeps no such character, in no text of a JSON value."""
    match value:
        case str():
            return "\0" in value
        case Mapping():
            return any(_holds_nul(key) or _holds_nul(each) for key, each in value.items())
        case list():
            return any(_holds_nul(each) for each in value)
    return False


def _taken(setting: Setting | None, value: Any) -> Any:
    """The value as our settings are typed; Heat, too, takes numbers and truth values for text. Raises ValueError."""
    if setting is None or setting.hidden:
        return value
    if setting.type == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    try:
        return typed(setting.type, value)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{value!r} does not fit: this setting is of type {setting.type}.") from error


def _place(name: str) -> str:
    return pointer(("additionalParams", name))


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
