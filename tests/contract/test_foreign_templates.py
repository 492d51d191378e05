"""Templates as strangers write them: no depends_on where Heat finds the order itself, old names, rarer types."""

from typing import Any

import pytest

from tests.contract.conftest import Yard, until
from vnfm.clouds.errors import Denied, Rejected, Transient
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.types import StackInput, StackResource

V = "heat_template_version: 2015-10-15\n"

WITHOUT_ORDER = """\
heat_template_version: 2015-10-15
parameters:
  image: {type: string}
  flavor: {type: string}
resources:
  a_server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: {get_param: flavor}
      networks: [{network: {get_resource: net}}]
  a_port: {type: OS::Neutron::Port, properties: {network_id: {get_resource: net}}}
  reached:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{subnet_id: {get_resource: subnet}}]}
  floating: {type: OS::Neutron::FloatingIP, properties: {floating_network: public, port_id: {get_resource: reached}}}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router_id: {get_resource: router}, subnet_id: {get_resource: subnet}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network_id: {get_resource: net}, cidr: 198.18.21.0/24}}
  net: {type: OS::Neutron::Net}
outputs:
  port: {value: {get_attr: [a_port, fixed_ips, 0, ip_address]}}
  server: {value: {get_attr: [a_server, first_address]}}
  floating: {value: {get_attr: [floating, fixed_ip_address]}}
"""


def heat(cloud: OpenStackCloud, path: str) -> Any:
    """GET of Heat's API below the project: what the product's own port does not tell."""
    root = cloud.account.url(cloud.session, "orchestration")
    return cloud.session.get(f"{root}/{path}").json()


def test_heat_finds_the_order_that_a_template_does_not_say(
    cloud: OpenStackCloud, yard: Yard, image: str, flavor: str, prefix: str
) -> None:
    given = StackInput(WITHOUT_ORDER, {}, {"image": image, "flavor": flavor}, {}, tags=(prefix,), timeout_minutes=5)
    stack_id = yard.create("unordered", given)
    yard.settled(stack_id, "CREATE_COMPLETE")
    outputs = cloud.stacks.show(stack_id).outputs
    assert all(str(outputs[name]).startswith("198.18.21.") for name in ("port", "server", "floating")), outputs
    required_by = {
        one["resource_name"]: set(one["required_by"])
        for one in heat(cloud, f"stacks/{yard.name('unordered')}/{stack_id}/resources")["resources"]
    }
    assert required_by["subnet"] == {"a_port", "a_server", "leg", "reached"}
    assert required_by["router"] == {"floating", "leg"}
    assert required_by["leg"] == {"floating"}
    cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the stack to be deleted")


class Heat:
    """One Heat: makes a stack of a template's resources, waits, and reads what the product's own port does not tell."""

    def __init__(self, cloud: OpenStackCloud, yard: Yard) -> None:
        self.cloud, self.yard = cloud, yard

    def make(self, name: str, template: str, status: str | None = "CREATE_COMPLETE", **parameters: object) -> str:
        given = StackInput(f"{V}{template}", {}, parameters, {}, tags=(self.yard.prefix,), timeout_minutes=5)
        stack_id = self.yard.create(name, given)
        if status:
            self.yard.settled(stack_id, status)
        return stack_id

    def resource(self, stack_id: str, name: str) -> StackResource | None:
        return next((one for one in self.cloud.stacks.resources(stack_id, depth=0) if one.name == name), None)

    def signal(self, stack_id: str, name: str, resource: str, details: object) -> None:
        root = self.cloud.account.url(self.cloud.session, "orchestration")
        self.cloud.session.post(f"{root}/stacks/{name}/{stack_id}/resources/{resource}/signal", json=details)

    def refusal(self, template: str) -> str:
        """Heat's words when it refuses the template, even where they come as an internal error."""
        with pytest.raises((Rejected, Transient)) as caught:
            self.yard.create("refused", StackInput(f"{V}{template}", {}, {}, {}, tags=(self.yard.prefix,)))
        return caught.value.message


@pytest.fixture(scope="module")
def orchestra(cloud: OpenStackCloud, yard: Yard) -> Heat:
    return Heat(cloud, yard)


REACHED = """
resources:
  bond:
    type: OS::Neutron::FloatingIPAssociation
    properties: {floatingip_id: {get_resource: floating}, port_id: {get_resource: port}}
  floating: {type: OS::Neutron::FloatingIP, properties: {floating_network_id: public}}
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{subnet: {get_resource: subnet}}]}
  leg:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 198.18.22.0/24}}
  net: {type: OS::Neutron::Net}
outputs:
  inside: {value: {get_attr: [floating, show, fixed_ip_address]}}
"""


def test_a_floating_ip_is_bound_by_a_resource_of_its_own(orchestra: Heat) -> None:
    stack_id = orchestra.make("bound", REACHED)
    assert orchestra.cloud.stacks.show(stack_id).outputs["inside"].startswith("198.18.22.")


REPLACED = """
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, replacement_policy: AUTO}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 198.18.23.0/24}}
  net: {type: OS::Neutron::Net}
"""


def test_a_port_s_policy_replaces_it_with_each_update(orchestra: Heat) -> None:
    stack_id = orchestra.make("replaced", REPLACED)
    before = orchestra.resource(stack_id, "port")
    always = REPLACED.replace("policy: AUTO", "policy: REPLACE_ALWAYS")
    orchestra.yard.updated(stack_id, StackInput(f"{V}{always}", {}, {}, {}, timeout_minutes=5))
    after = orchestra.resource(stack_id, "port")
    assert before is not None
    assert after is not None
    assert after.physical_id != before.physical_id


SCALED = """
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 1, max_size: 2, resource: {type: OS::Heat::RandomString}}
  out:
    type: OS::Heat::ScalingPolicy
    properties:
      auto_scaling_group_id: {get_resource: group}
      adjustment_type: change_in_capacity
      scaling_adjustment: 1
  inner:
    type: OS::Heat::Stack
    properties:
      template: "{heat_template_version: 2015-10-15, outputs: {who: {value: inner}}}"
outputs:
  size: {value: {get_attr: [group, current_size]}}
  who: {value: {get_attr: [inner, outputs, who]}}
"""


def test_a_scaling_policy_adds_a_member_when_it_is_signalled(orchestra: Heat) -> None:
    stack_id = orchestra.make("signalled", SCALED)
    assert orchestra.cloud.stacks.show(stack_id).outputs == {"size": 1, "who": "inner"}
    for _ in range(2):  # the second one is beyond max_size
        orchestra.signal(stack_id, orchestra.yard.name("signalled"), "out", {})
        until(lambda: orchestra.cloud.stacks.show(stack_id).outputs["size"] == 2, "the group to grow")


def test_a_provider_network_is_for_administrators(orchestra: Heat, is_real: bool) -> None:
    """Liberty's Heat leaves it to Neutron to refuse it."""
    template = """
resources:
  wan:
    type: OS::Neutron::ProviderNet
    properties: {network_type: vlan, physical_network: physnet1, segmentation_id: "7"}
"""
    if is_real:
        with pytest.raises(Denied, match="You are not authorized to use"):
            orchestra.make("provider", template)
        return
    stack_id = orchestra.make("provider", template, "CREATE_FAILED")
    assert "disallowed by policy" in orchestra.cloud.stacks.status(stack_id).status_reason


@pytest.mark.parametrize(
    ("resource", "words"),
    [
        ("OS::Nova::Server, properties: {flavor: FLAVOR}", "Neither image nor bootable volume is specified"),
        (
            "OS::Nova::Server, properties: {flavor: FLAVOR, block_device_mapping_v2: [{volume_size: 1}]}",
            "must be specified",
        ),
        (
            "OS::Nova::Server, properties: {image: IMAGE, flavor: FLAVOR, networks: [{fixed_ip: 192.0.2.1}]}",
            "should be set for the specified network of server",
        ),
        (
            (
                "OS::Nova::Server, properties:"
                " {image: IMAGE, flavor: FLAVOR, security_groups: [a], networks: [{port: {get_resource: port}}]}"
            ),
            "Cannot define the following properties at the same time: security_groups, networks/port.",
        ),
        ("OS::Neutron::RouterInterface, properties: {subnet: x}", "router"),
        ("OS::Neutron::Port, properties: {name: x}", "network"),
        (
            "OS::Neutron::FloatingIP, properties: {floating_network: public, fixed_ip_address: 192.0.2.7}",
            "fixed_ip_address cannot be specified without port_id.",
        ),
        ("OS::Neutron::Port, properties: {network: public, replacement_policy: NEVER}", "is not an allowed value"),
        ("OS::Heat::RandomString, properties: {length: 0}", "0 is out of range"),
        ("OS::Heat::SoftwareDeployment, properties: {}", "Property server not assigned"),
        ("OS::Heat::AutoScalingGroup, properties: {min_size: 1}", "not assigned"),
    ],
)
def test_a_wrong_resource_is_refused_beforehand(
    orchestra: Heat, resource: str, words: str, image: str, flavor: str
) -> None:
    resource = resource.replace("IMAGE", image).replace("FLAVOR", flavor)
    port = "  port: {type: OS::Neutron::Port, properties: {network: public}}\n"
    assert words in orchestra.refusal(f"\nresources:\n{port}  thing: {{type: {resource}}}\n")


# Heat looks at these before a stack exists

OF_A_NETWORK = """
parameters:
  network: {type: string, default: no-such-network, constraints: [{custom_constraint: neutron.network}]}
  size: {type: number, default: 2, constraints: [{range: {max: 5}}]}
"""
ONE_PORT = """
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: network}}}
"""


TWO_GROUPS = """
parameter_groups: [{label: a, parameters: [p]}, {label: b, parameters: [p]}]
parameters: {p: {type: string}}
resources: {r: {type: OS::Heat::None}}
"""


def of_template(text: str, **parameters: object) -> StackInput:
    return StackInput(f"{V}{text}", {}, parameters, {})


def test_validation_looks_at_no_value_but_a_creation_does(orchestra: Heat) -> None:
    """Heat validates a template with `strict_validate` off: neither defaults nor given values are checked then."""
    stacks, text = orchestra.cloud.stacks, OF_A_NETWORK + ONE_PORT
    stacks.validate(of_template(text))
    stacks.validate(of_template(text, network="none-either", size=9))
    orchestra.cloud.stacks.delete(orchestra.make("valued", text, network="public"))
    with pytest.raises(Rejected, match="no-such-network"):
        orchestra.make("defaulted", text)
    with pytest.raises(Rejected, match="9 is out of range"):
        orchestra.make("large", text, network="public", size=9)


def test_validation_knows_names_and_checks_a_default_by_its_own_constraints(orchestra: Heat) -> None:
    stacks = orchestra.cloud.stacks
    with pytest.raises(Rejected, match="other"):
        stacks.validate(of_template(OF_A_NETWORK + ONE_PORT, other="x"))
    with pytest.raises(Rejected, match="9 is out of range"):
        stacks.validate(of_template(OF_A_NETWORK.replace("default: 2", "default: 9") + ONE_PORT))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\nparameters: {port: {type: string}}\nresources: {port: {type: OS::Heat::None}}\n", "Duplicate names"),
        (TWO_GROUPS, "one parameter group only"),
        (
            "\nparameter_groups: [{label: a, parameters: [gone]}]\nresources: {r: {type: OS::Heat::None}}\n",
            "does not reference a valid parameter",
        ),
        ("\nparameter_groups: [{label: a}]\nresources: {r: {type: OS::Heat::None}}\n", "must be provided for each"),
    ],
    ids=["a parameter named as a resource", "in two groups", "of no parameter", "a group of nothing"],
)
def test_what_a_template_cannot_have(orchestra: Heat, text: str, words: str) -> None:
    with pytest.raises(Rejected, match=words):
        orchestra.cloud.stacks.validate(of_template(text))


# Heat says these of itself


def test_heat_lists_its_types(cloud: OpenStackCloud) -> None:
    listed = {
        one if isinstance(one, str) else one["resource_type"] for one in heat(cloud, "resource_types")["resource_types"]
    }
    kinds = ("Config", "Deployment", "DeploymentGroup", "Component")
    assert {f"OS::Heat::Software{kind}" for kind in kinds} <= listed
    assert {"OS::Neutron::Port", "OS::Neutron::FloatingIPAssociation", "OS::Nova::Server"} <= listed
    assert {"OS::Heat::AutoScalingGroup", "OS::Heat::ScalingPolicy", "OS::Heat::Stack"} <= listed
    neutron = heat(cloud, "resource_types?name=OS::Neutron")["resource_types"]
    assert "OS::Neutron::Port" in neutron
    assert not [one for one in neutron if not one.startswith("OS::Neutron")]


@pytest.mark.parametrize(
    ("type_name", "expected"),
    [
        ("OS::Neutron::Port", {"network": ("string", False), "fixed_ips": ("list", True), "name": ("string", True)}),
        ("OS::Neutron::RouterInterface", {"router": ("string", False), "subnet": ("string", False)}),
        ("OS::Nova::Server", {"flavor": ("string", True), "block_device_mapping_v2": ("list", False)}),
        ("OS::Heat::ResourceGroup", {"count": ("integer", True), "removal_policies": ("list", True)}),
    ],
)
def test_heat_shows_the_schema_of_a_type(
    cloud: OpenStackCloud, type_name: str, expected: dict[str, tuple[str, bool]]
) -> None:
    schema = heat(cloud, f"resource_types/{type_name}")
    assert schema["resource_type"] == type_name
    assert {"status", "message", "version", "previous_status"} <= set(schema["support_status"])
    assert "show" in schema["attributes"]
    for name, (kind, updated) in expected.items():
        prop = schema["properties"][name]
        assert (prop["type"], prop["update_allowed"], prop["immutable"]) == (kind, updated, False)


def test_flavors_are_for_administrators(orchestra: Heat) -> None:
    template = "\nresources:\n  own: {type: OS::Nova::Flavor, properties: {ram: 512, vcpus: 1}}\n"
    with pytest.raises(Denied, match=r"You are not authorized to use .*OS::Nova::Flavor\."):
        orchestra.make("flavored", template)
    assert "OS::Nova::Flavor" not in heat(orchestra.cloud, "resource_types")["resource_types"]


def test_heat_lists_its_template_versions_and_their_functions(cloud: OpenStackCloud) -> None:
    versions = {one["version"]: one["type"] for one in heat(cloud, "template_versions")["template_versions"]}
    known = [f"heat_template_version.{day}" for day in ("2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15")]
    assert {versions[one] for one in known} == {"hot"}
    listed = heat(cloud, f"template_versions/{known[-1]}/functions")["template_functions"]
    assert {one["functions"] for one in listed} == {
        "get_attr", "get_file", "get_param", "get_resource", "list_join", "repeat", "digest", "resource_facade",
        "str_replace", "str_split",
    }  # fmt: skip
