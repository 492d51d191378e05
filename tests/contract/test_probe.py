from vnfm.clouds.ports import Cloud

RESOURCES = {"instances", "cores", "ram_mib", "server_groups", "networks", "subnets", "ports", "security_groups"}


def test_a_probe_lists_the_choices(cloud: Cloud, group_stack: str, flavor: str, image: str) -> None:
    probe = cloud.probe()
    assert flavor in {f.name for f in probe.flavors}
    assert image in {i.name for i in probe.images}
    assert any(subnet.cidr == "198.18.7.0/24" for network in probe.networks for subnet in network.subnets)
    assert any(network.external for network in probe.networks)


def test_a_probe_names_zones_key_pairs_and_volume_types(cloud: Cloud) -> None:
    probe = cloud.probe()
    assert probe.zones == tuple(cloud.zones())
    assert probe.key_pairs == tuple(cloud.key_pairs())
    assert probe.volume_types == tuple(cloud.volume_types())
    assert probe.key_pairs is not None
    assert list(probe.key_pairs) == sorted(probe.key_pairs)


def test_a_probe_has_supported_versions(cloud: Cloud) -> None:
    versions = cloud.probe().versions
    assert versions["compute"] == "2.12"
    assert versions["network"] == "2.0"
    assert versions["orchestration"] == "1.0"
    assert versions["identity"].startswith("3.")
    assert versions["image"].startswith("2.")


def test_a_probe_finds_capabilities_by_evidence(cloud: Cloud, admin: Cloud, is_real: bool) -> None:
    ours, theirs = cloud.probe().capabilities, admin.probe().capabilities
    assert (ours["admin"], ours["flavor_create"]) == (False, False)
    assert (theirs["admin"], theirs["flavor_create"]) == (True, True)
    assert (ours["hosts"], theirs["hosts"]) == (False, True)
    assert (ours["network_share"], theirs["network_share"]) == (False, True)
    assert ours["alarming"] is True
    assert ours["heat_mark_unhealthy"] is is_real
    assert ours["heat_check_spares_siblings"] is True


def test_a_probe_reads_the_abilities_that_templates_use(cloud: Cloud, admin: Cloud, is_real: bool) -> None:
    ours, theirs = cloud.probe().features, admin.probe().features
    assert ours.hot_functions is not None
    assert ours.resource_types is not None
    assert theirs.resource_types is not None
    assert ours.network_extensions is not None
    assert "str_split" in ours.hot_functions["2015-10-15"]
    assert ("2018-08-31" in ours.hot_functions) is is_real
    assert {"OS::Nova::Server", "OS::Heat::ResourceGroup"} <= set(ours.resource_types)
    assert "OS::Neutron::RouterGateway" not in ours.resource_types, "a hidden type is not listed"
    assert "OS::Nova::Flavor" in theirs.resource_types
    assert {"binding", "security-group"} <= set(ours.network_extensions)


def test_quotas_have_limit_and_use(cloud: Cloud, group_stack: str) -> None:
    quotas = {quota.resource: quota for quota in cloud.quotas()}
    assert set(quotas) == RESOURCES
    assert all(quota.limit is not None and quota.limit >= -1 for quota in quotas.values())
    used = {name: quota.used or 0 for name, quota in quotas.items()}
    assert used["instances"] >= 2
    assert used["cores"] >= 2
    assert used["ram_mib"] > 0
    assert used["networks"] >= 1
    assert used["ports"] >= 2
