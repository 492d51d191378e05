"""A VNF whose request names no mediation policy is managed by the profile of its cloud and package."""

from typing import Any

import pytest

from tests.factories.elements import make_element
from tests.service.lcm.element_lifecycle import cards, configuration, in_service, kinds
from tests.service.lcm.lifecycle import Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.routersim_process import RoutersimProcess
from vnfm.catalog.selectors import vnfd_of
from vnfm.configuration.reconcilers import push
from vnfm.elements.models import ManagementProfile, MediationPolicy, NetworkElement
from vnfm.elements.services.management_profiles import profile_create
from vnfm.inventory.models import VnfInstance
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import CancelMode, Operation
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.sagas import desired_state
from vnfm.lcm.services.operations import op_cancel
from vnfm.lcm.services.plans import plan_request
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("devices")]

RANGE = "127.52.0.0/16"
BY_NETCONF = """<configure xmlns="urn:nokia.com:sros:ns:yang:sr:conf"><port><port-id>1/1/1</port-id>
    <description>by NETCONF</description></port></configure>"""
SUBNET = ("management_cidr", "management_gateway", "management_ip_active", "management_ip_standby")


@pytest.fixture
def profile(vim: Vim, policies: dict[str, str]) -> ManagementProfile:
    by_name = {policy.name: policy for policy in MediationPolicy.objects.all()}
    columns = {"snmp_policy": by_name["sim-snmp"], "ssh_policy": by_name["sim-ssh"], "address_range": RANGE}
    return profile_create(columns={"name": "Nokia there", "vim": vim, "provider": "Nokia", **columns})


def params_of(life: Lifecycle, **params: Any) -> tuple[VnfInstance, dict[str, Any]]:
    """The additionalParams of an operation that was accepted."""
    instance = life.create()
    op = life.start(instance, Operation.INSTANTIATE, life.instantiate_request(**params))
    found: dict[str, Any] = op.params["additionalParams"]
    return instance, found


def named(policy_id: str) -> str:
    return MediationPolicy.objects.get(id=policy_id).name


@pytest.mark.usefixtures("polled", "profile")
def test_the_plainest_request_ends_with_its_router_managed(
    lifecycle: Lifecycle, routers: RoutersimProcess, cloudsim: CloudsimProcess
) -> None:
    instance = lifecycle.create("pe")
    plain = {name: value for name, value in lifecycle.instantiate_request().items() if name != "additionalParams"}
    op = lifecycle.done(instance, Operation.INSTANTIATE, plain)
    assert kinds(op)[-4:] == ["register_element@1", "set_up_snmp@1", "load_configuration@1", "verify_service@1"]
    assert op.steps.get(kind="verify_service@1").title == "Verify service at 127.52.0.10 within 15 min"
    element = NetworkElement.objects.get(vnf_instance=instance)
    assert (element.management_address, element.reachable) == ("127.52.0.10", "True")
    assert cards(instance) == in_service(lifecycle, instance)
    assert "data 1 of pe-" in configuration(routers, 10)
    instance.refresh_from_db()
    assert instance.settings["management_cidr"] == "127.52.0.0/24"
    assert push.load(element, '/configure port 1/1/1 description "by SSH"').changed
    policy = MediationPolicy.objects.get(name="sim-netconf")
    NetworkElement.objects.filter(id=element.id).update(netconf_policy=policy)
    assert push.load(NetworkElement.objects.get(id=element.id), BY_NETCONF).changed, (
        "the router of a VNF has NETCONF too"
    )
    assert "by NETCONF" in configuration(routers, 10)


@pytest.mark.usefixtures("profile")
def test_each_vnf_gets_a_subnet_that_no_other_has(lifecycle: Lifecycle) -> None:
    make_element(management_address="127.52.1.200")
    instance, first = params_of(lifecycle)
    _, second = params_of(lifecycle)
    assert [first[name] for name in SUBNET] == ["127.52.0.0/24", "127.52.0.1", "127.52.0.10", "127.52.0.11"]
    assert second["management_cidr"] == "127.52.2.0/24", "an element has an address in the one between"
    assert {named(first[name]) for name in ("snmpPolicy", "sshPolicy")} == {"sim-snmp", "sim-ssh"}
    op = LcmOpOcc.objects.get(instance=instance)
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    assert lifecycle.run(op.id).state == "ROLLED_BACK"
    assert params_of(lifecycle)[1]["management_cidr"] == "127.52.0.0/24", "the first one is free again"


def test_the_subnet_of_a_vnf_that_is_not_managed_counts_too(lifecycle: Lifecycle, profile: ManagementProfile) -> None:
    """The package's default, which stands in no settings."""
    ManagementProfile.objects.filter(id=profile.id).update(address_range="10.10.0.0/16")
    instance = lifecycle.create()
    request = lifecycle.instantiate_request(snmpPolicy=None)
    request["additionalParams"].pop("management_cidr", None)
    op = lifecycle.start(instance, Operation.INSTANTIATE, request)
    instance.refresh_from_db()
    assert instance.management_subnet == "10.10.0.0/24"
    LcmOpOcc.objects.filter(id=op.id).update(
        state="FAILED", wake_at=None
    )  # it ended with a stack that nothing could read
    VnfInstance.objects.filter(id=instance.id).update(stack_id="left")
    desired_state.settle_failed_unobserved(op, VnfInstance.objects.get(id=instance.id))
    instance.refresh_from_db()
    assert (instance.instantiation_state, instance.management_subnet) == ("INSTANTIATED", "10.10.0.0/24")
    assert params_of(lifecycle)[1]["management_cidr"] == "10.10.1.0/24"


def test_the_subnet_of_a_vnf_from_before_subnets_were_recorded_counts_too(
    lifecycle: Lifecycle, profile: ManagementProfile
) -> None:
    ManagementProfile.objects.filter(id=profile.id).update(address_range="10.10.0.0/16")
    for settings in ({}, {"management_cidr": "10.10.1.0/24"}):
        deployed = {"instantiation_state": "INSTANTIATED", "management_subnet": "", "settings": settings}
        VnfInstance.objects.filter(id=lifecycle.create().id).update(vim=lifecycle.vim, **deployed)
    assert params_of(lifecycle)[1]["management_cidr"] == "10.10.2.0/24"


@pytest.mark.usefixtures("profile")
def test_a_completed_request_is_validated(lifecycle: Lifecycle) -> None:
    """The policies of a profile may have changed since it was made."""
    MediationPolicy.objects.filter(name="sim-ssh").update(protocol="NETCONF")
    with pytest.raises(ProblemError) as caught:
        params_of(lifecycle)
    assert caught.value.problem.code == "UNFIT_POLICY"
    assert not LcmOpOcc.objects.exists()


@pytest.mark.usefixtures("profile")
@pytest.mark.parametrize(
    ("params", "managed", "subnet"),
    [
        ({"snmpPolicy": None}, False, False),
        ({"snmpPolicy": "sim-snmp"}, True, False),
        ({"management_cidr": "10.10.0.0/24"}, True, False),
        ({"fabric_mtu": 2000}, True, True),
    ],
    ids=str,
)
def test_settings_of_the_request_override_the_profile(
    lifecycle: Lifecycle, params: dict[str, Any], *, managed: bool, subnet: bool
) -> None:
    instance, found = params_of(lifecycle, **params)
    assert (bool(found.get("snmpPolicy")), "management_ip_active" in found) == (managed, subnet)
    instance.refresh_from_db()
    assert instance.management_declined is not managed
    assert params.items() <= found.items()


def test_a_refusal_is_removed_with_a_failed_deployment(lifecycle: Lifecycle) -> None:
    instance, _ = params_of(lifecycle, snmpPolicy=None)
    op = LcmOpOcc.objects.get(instance=instance)
    op_cancel(op_id=op.id, mode=CancelMode.FORCEFUL, actor="test")
    assert lifecycle.run(op.id).state == "ROLLED_BACK"
    instance.refresh_from_db()
    assert instance.management_declined is False


def test_a_range_without_a_free_subnet_is_refused(lifecycle: Lifecycle, profile: ManagementProfile) -> None:
    ManagementProfile.objects.filter(id=profile.id).update(address_range="127.52.0.0/24")
    params_of(lifecycle)
    with pytest.raises(ProblemError) as caught:
        params_of(lifecycle)
    assert caught.value.problem.code == "NO_FREE_SUBNET"
    assert "Nokia there" in caught.value.problem.detail


def test_the_most_specific_profile_applies(lifecycle: Lifecycle, profile: ManagementProfile) -> None:
    other = MediationPolicy.objects.create(
        name="other", protocol="SNMPv2c", port=1, sealed_secrets=b"", networks=["0.0.0.0/0"]
    )
    for name, columns in (("any", {}), ("product", {"provider": "Nokia", "product_name": "VSR-PE"})):
        profile_create(columns={"name": name, "snmp_policy": other, **columns})
        expected = "sim-snmp" if name == "any" else "other"
        assert named(params_of(lifecycle)[1]["snmpPolicy"]) == expected


def planned(lifecycle: Lifecycle, **params: Any) -> dict[str, Any]:
    request, vnfd_id = lifecycle.instantiate_request(**params), vnfd_of(lifecycle.package).vnfd_id
    preview = plan_request(
        request=parse_request(Operation.INSTANTIATE, request), vnfd_id=vnfd_id, instance_id=None, actor="test"
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    assert preview.state == "READY", preview.problem
    assert preview.result is not None
    return preview.result


@pytest.mark.usefixtures("profile")
def test_the_plan_shows_the_subnet_and_takes_none(lifecycle: Lifecycle) -> None:
    for _ in range(2):
        result = planned(lifecycle)
        assert result["parameters"]["management_cidr"] == "127.52.0.0/24"
        assert result["steps"][-1]["title"] == "Verify service at 127.52.0.10 within 15 min"


@pytest.mark.usefixtures("profile")
def test_the_plan_has_each_value_that_will_be_used_with_who_gives_it(lifecycle: Lifecycle) -> None:
    result = planned(lifecycle, fabric_mtu=1500)
    found = {one["name"]: (one["value"], one["origin"]) for one in result["settings"]}
    assert found["management_ip_active"] == ("127.52.0.10", "profile")
    assert found["management_access"] == ("127.52.0.0/24", "profile"), "it follows the subnet"
    assert found["fabric_mtu"] == (1500, "request")
    assert found["data1_cidr"][1] == "package"
    assert found["control_flavor"][1] == "cloud"
    assert "image" not in found, "a step still provides it"


@pytest.mark.usefixtures("profile")
def test_the_plan_says_that_the_request_declines_management(lifecycle: Lifecycle) -> None:
    result = planned(lifecycle, snmpPolicy=None)
    assert "The element is not managed: the request declines it." in result["warnings"]
    assert "Register the network element" not in [step["title"] for step in result["steps"]]
    assert "127.52.0.0/24" not in result["parameters"].values()
