"""A prepared network: sites, mediation policies, elements and a management profile, registered together, once."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from vnfm.elements.models import ManagementProfile, MediationPolicy, NetworkElement, PreparedNetwork, Site
from vnfm.elements.services.elements import element_register
from vnfm.elements.services.management_profiles import profile_create
from vnfm.elements.services.mediation_policies import policies_resolve, policy_columns, policy_create
from vnfm.elements.services.sites import site_create
from vnfm.vims.models import Vim

Document = Mapping[str, Any]
"""`name`; `sites`, with the attributes of the API; `policies`, with the attributes of the API but `port`; `policiesOf`
elements: their policies by role; `elements`: `name`, `address`, `site` and, of a Virtual System, `host`, and, where it
has more, `policies` by role; `profile`: `name`, `provider` and `addressRange`, of the profile for VNFs of that provider
on the network's cloud, with `policiesOf`."""


@transaction.atomic
def network_register(*, document: Document, port: int, netconf_port: int, vim: Vim) -> bool:
    """Register the network unless that was done before; True if it was done now.

    `port` is that of its routers by SNMP and SSH. What has one of its names, or one of its management addresses, is
    left as it is.
    """
    if not PreparedNetwork.objects.get_or_create(name=document["name"])[1]:
        return False
    for row in document["sites"]:
        if not Site.objects.filter(name=row["name"]).exists():
            site_create(columns=row)
    for row in document["policies"]:
        if not MediationPolicy.objects.filter(name=row["name"]).exists():
            values = {**row, "port": netconf_port if row["protocol"] == "NETCONF" else port}
            policy_create(name=row["name"], protocol=row["protocol"], values=values)
    columns = policy_columns(policies_resolve(document["policiesOf"]))
    for row in document["elements"]:
        _register(row, {**columns, **policy_columns(policies_resolve(row.get("policies", {})))})
    profile = document["profile"]
    if not ManagementProfile.objects.filter(name=profile["name"]).exists():
        where = {"vim": vim, "provider": profile["provider"], "address_range": profile["addressRange"]}
        profile_create(columns={"name": profile["name"], **where, **columns})
    return True


def _register(row: Mapping[str, Any], policies: Mapping[str, MediationPolicy]) -> None:
    rows = NetworkElement.objects
    if rows.filter(name=row["name"]).exists() or rows.filter(management_address=row["address"]).exists():
        return
    columns = {
        "name": row["name"],
        "kind": NetworkElement.Kind.PHYSICAL,
        "management_address": row["address"],
        "site": Site.objects.filter(name=row["site"]).first(),
        "host_element": rows.filter(name=row.get("host", "")).first(),
    }
    element_register(columns={**columns, **policies})
