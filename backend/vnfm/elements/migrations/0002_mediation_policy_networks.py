from ipaddress import ip_address, ip_network, summarize_address_range

from django.db import migrations, models

ROLES = ("snmp_policy_id", "ssh_policy_id", "netconf_policy_id")
LOOPBACK = ip_network("127.0.0.0/8")
PREFIX = {4: 24, 6: 64}


def network_of(address):
    """The usual network of a management address; all of the loopback network, which is that of simulated routers."""
    version = ip_network(address).version
    network = ip_network(f"{address}/{PREFIX[version]}", strict=False)
    return str(LOOPBACK if version == 4 and network.subnet_of(LOOPBACK) else network)


def networks_in_use(apps, schema_editor):
    """The secrets of a policy may be sent to where they are sent now."""
    found = {}
    for element in apps.get_model("elements", "NetworkElement").objects.values("management_address", *ROLES):
        try:
            network = network_of(element["management_address"])
        except ValueError:  # a host name, of earlier versions
            continue
        for role in ROLES:
            found.setdefault(element[role], set()).add(network)
    for profile in apps.get_model("elements", "ManagementProfile").objects.exclude(address_range="").values():
        for role in ROLES:
            found.setdefault(profile[role], set()).add(profile["address_range"])
    for rule in apps.get_model("elements", "DiscoveryRule").objects.values("include", *ROLES):
        for text in rule["include"]:
            for role in ROLES:
                found.setdefault(rule[role], set()).update(networks_of(text))
    for policy in apps.get_model("elements", "MediationPolicy").objects.all():
        policy.networks = sorted(found.get(policy.id, ()))
        policy.save(update_fields=["networks"])


def networks_of(text):
    """Of a network, a range or an address of a discovery rule."""
    first, dash, last = (part.strip() for part in text.partition("-"))
    if not dash:
        return {str(ip_network(first, strict=False))}
    return {str(network) for network in summarize_address_range(ip_address(first), ip_address(last))}


class Migration(migrations.Migration):
    dependencies = [("elements", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="mediationpolicy",
            name="networks",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(networks_in_use, migrations.RunPython.noop),
    ]
