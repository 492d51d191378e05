"""Mediation policies: create, change, delete, and resolve those that a request names."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from vnfm.elements.domain.policies import NEEDS, ROLES, SECRETS, SETTINGS, SNMP, policy_faults
from vnfm.elements.domain.policies import pointer as secret_pointer
from vnfm.elements.models import MediationPolicy
from vnfm.elements.selectors import policy_list, secrets_of
from vnfm.elements.services.destinations import check_networks, check_widening
from vnfm.elements.services.poller import poller_wake
from vnfm.elements.services.versioned_rows import delete_row, insert_row, update_row
from vnfm.kit.problem import FieldError, unprocessable
from vnfm.kit.seal import seal

RECEIVERS = {"port": "port", "username": "user name"}
"""Members that say which server, and which of its accounts, gets the secret; `networks` do so as well."""
PROTOCOLS: Mapping[str, tuple[str, ...]] = {
    "snmp_policy": SNMP,
    "ssh_policy": ("SSH",),
    "netconf_policy": ("NETCONF",),
}
"""An element's column → the protocols that its policy may have."""


def policy_create(*, name: str, protocol: str, values: Mapping[str, Any]) -> MediationPolicy:
    """`values` by the names of settings and secrets, and `port`. Raises 422 for invalid ones, 409 for a name in use."""
    settings, secrets = _split(values)
    _validate(protocol, settings, secrets)
    check_networks(values.get("networks", ()))
    return insert_row(
        MediationPolicy,
        {
            "name": name,
            "protocol": protocol,
            "port": values.get("port") or NEEDS[protocol].port,
            "settings": settings,
            "sealed_secrets": seal(secrets),
            "networks": values["networks"],
        },
    )


def policy_update(*, policy: MediationPolicy, values: Mapping[str, Any], may_widen: bool) -> MediationPolicy:
    """Change a policy; values that are missing in `values` stay, secrets too. Its protocol never changes.

    `may_widen`: networks may be added, and port and user name changed, without entering the stored secrets again;
    raises 422 otherwise.
    """
    settings, secrets = _split(values)
    stored = [name for name, secret in secrets_of(policy).items() if secret and name not in secrets]
    if not may_widen:
        _require_same_receiver(policy, values, stored)
    if "networks" in values:
        check_networks(values["networks"])
        check_widening(policy, values["networks"], () if may_widen else tuple(map(secret_pointer, stored)))
    settings, secrets = {**policy.settings, **settings}, {**secrets_of(policy), **secrets}
    _validate(policy.protocol, settings, secrets)
    plain = {name: values[name] for name in ("name", "port", "networks") if name in values}
    changed = update_row(policy, {**plain, "settings": settings, "sealed_secrets": seal(secrets)})
    poller_wake()
    return changed


def _require_same_receiver(policy: MediationPolicy, values: Mapping[str, Any], stored: Sequence[str]) -> None:
    """Nobody may have a stored secret sent to a server of his own, on another port of a host, or as another user."""
    now = {**policy.settings, "port": policy.port}
    moved = [name for name in RECEIVERS if name in values and values[name] != now.get(name)]
    if moved and stored:
        words = f"The stored secret is not sent with another {', '.join(RECEIVERS[name] for name in moved)}."
        errors = [FieldError(secret_pointer(name), "Enter the secret again.") for name in stored]
        raise unprocessable("SECRET_NEEDED", words, errors, "Send the secret in the same request.")


def policy_delete(*, policy: MediationPolicy) -> None:
    """Raises 409 naming the elements and rules that use it."""
    delete_row(policy, "POLICY_IN_USE")


def policies_resolve(names: Mapping[str, str], pointer: str = "") -> dict[str, MediationPolicy]:
    """The policies that a request names, each by id or by name; keys are those of `ROLES`.

    Raises 422 for policies that do not exist, or have a protocol that does not fit the role.
    """
    policies: dict[str, MediationPolicy] = {}
    errors = []
    for role, name in names.items():
        policy = policy_list().filter(**_by_id_or_name(name)).first()
        if policy is None:
            errors.append(FieldError(f"{pointer}/{role}", f"There is no mediation policy {name!r}."))
        elif policy.protocol not in PROTOCOLS[ROLES[role]]:
            errors.append(FieldError(f"{pointer}/{role}", f"{policy.name} is a policy of {policy.protocol}."))
        else:
            policies[role] = policy
    if errors:
        text = " ".join(error.message for error in errors)
        raise unprocessable("UNFIT_POLICY", text, errors, "GET /api/v1/mediation_policies lists them.")
    return policies


def policy_columns(policies: Mapping[str, MediationPolicy]) -> dict[str, MediationPolicy]:
    """Return the policies by the element's columns."""
    return {ROLES[role]: policy for role, policy in policies.items()}


def check_policies(columns: Mapping[str, Any]) -> None:
    """Raises 422 for a policy whose protocol does not fit its column."""
    faults = [
        FieldError(f"/{role.removesuffix('_policy')}PolicyId", f"{policy.name} is a policy of {policy.protocol}.")
        for role, protocols in PROTOCOLS.items()
        if (policy := columns.get(role)) is not None and policy.protocol not in protocols
    ]
    if faults:
        raise unprocessable("INVALID_ELEMENT", faults[0].message, faults, "Choose a policy of the right protocol.")


def _by_id_or_name(name: str) -> dict[str, Any]:
    try:
        return {"id": UUID(name)}
    except ValueError:
        return {"name": name}


def _split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    settings = {name: values[name] for name in SETTINGS if name in values}
    return settings, {name: values[name] for name in SECRETS if name in values}


def _validate(protocol: str, settings: Mapping[str, Any], secrets: Mapping[str, str]) -> None:
    faults = policy_faults(protocol, settings, secrets)
    if faults:
        where = ", ".join(fault.field for fault in faults)
        raise unprocessable("INVALID_POLICY", f"The policy is not valid: {where}.", faults, "Correct the named fields.")
