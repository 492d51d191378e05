"""Groups that Heat would scale, groups in nested templates, and stacks of their own."""

from tests.factories.packages import schema
from tests.factories.templates import HOT, content
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.derive.descriptor import derive
from vnfm.catalog.domain.package import VNFD, check_content

NODE = (
    HOT
    + "parameters: {image: {type: string}}\n"
    + "resources: {vm: {type: OS::Nova::Server, properties: {flavor: m1.tiny, image: {get_param: image}}}}\n"
    + "outputs: {address: {value: {get_attr: [vm, first_address]}}}\n"
)
SCALED = (
    HOT
    + """
parameters: {image: {type: string}, low: {type: number, default: 2}}
resources:
  web:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 5
      desired_capacity: 3
      cooldown: 60
      resource: {type: node.yaml, properties: {image: {get_param: image}}}
  up:
    type: OS::Heat::ScalingPolicy
    properties: {auto_scaling_group_id: {get_resource: web}, adjustment_type: change_in_capacity, scaling_adjustment: 1}
  busy:
    type: OS::Ceilometer::Alarm
    properties: {meter_name: cpu_util, threshold: 50, alarm_actions: [{get_attr: [up, alarm_url]}]}
  after: {type: OS::Heat::RandomString, depends_on: [up, web]}
outputs:
  url: {value: {get_attr: [up, alarm_url]}}
  addresses: {value: {get_attr: [web, outputs_list, address]}}
  by_name: {value: {get_attr: [web, outputs, address]}}
  size: {value: {get_attr: [web, current_size]}}
"""
)

MONASCA = """
  notice: {type: OS::Monasca::Notification, properties: {type: webhook, address: {get_attr: [up, alarm_url]}}}
  loud:
    type: OS::Monasca::AlarmDefinition
    properties: {name: loud, expression: cpu > 50, alarm_actions: [{get_resource: notice}]}
  master:
    type: OS::Nova::Server
    properties:
      flavor: m1.tiny
      image: {get_param: image}
      user_data: {str_replace: {template: curl URL, params: {URL: {get_attr: [up, alarm_url]}}}}
"""


def checked(files):
    found = derive(content(files))
    assert [f for f in found.findings if f.severity == "error"] == []
    return found, check_content(content({**files, VNFD: found.vnfd, **found.files}), schema("vnfd")).vnfd


def test_an_autoscaling_group_is_scaled_by_the_manager():
    found, vnfd = checked({"base.yaml": SCALED, "node.yaml": NODE})
    (vdu,) = vnfd.vdus
    assert (vdu.hot_group, vdu.minimum, vdu.maximum) == ("web", 1, 5)
    (flavour,) = vnfd.flavours
    (aspect,) = flavour.aspects
    (delta,) = aspect.deltas
    assert (delta.count_parameter, delta.removals_parameter, aspect.max_scale_level) == (
        "web_count",
        "web_removals",
        4,
    )
    assert dict(flavour.levels[0].scale_levels) == {"web": 2}, "three of one to five"
    rewritten = load_yaml(found.files["base-flat.yaml"])
    assert set(rewritten["resources"]) == {"web", "after"}
    assert rewritten["resources"]["after"]["depends_on"] == ["web"]
    assert {name: output["value"] for name, output in rewritten["outputs"].items()} == {
        "addresses": {"get_attr": ["web", "address"]},
        "by_name": {"get_attr": ["web", "attributes", "address"]},
        "size": {"get_param": "web_count"},
    }
    notes = [f.message for f in found.findings if f.code == "DERIVE_AUTOSCALING"]
    assert len(notes) == 3, "the group, the policy, the alarm"
    assert vnfd.hot_template == "base-flat.yaml"


def test_a_group_below_the_root_is_managed_at_its_size():
    low = (
        HOT
        + "parameters: {number: {type: number}, image: {type: string}}\n"
        + "resources: {g: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: number}, resource_def: "
        + "{type: node.yaml, properties: {image: {get_param: image}}}}}}"
    )
    root = (
        HOT
        + "parameters: {image: {type: string}, number: {type: number, default: 2}}\n"
        + "resources: {low: {type: low.yaml, properties: {number: {get_param: number}, image: {get_param: image}}}}"
    )
    found, vnfd = checked({"base.yaml": root, "low.yaml": low, "node.yaml": NODE})
    (vdu,) = vnfd.vdus
    assert (vdu.hot_members, vdu.minimum, vdu.maximum) == (("low/g/0/vm", "low/g/1/vm"), 2, 2)
    assert vnfd.fixed_parameters == {"number": 2}, "nobody changes it behind the roster's back"
    assert vnfd.setting("number") is None
    (finding,) = [f for f in found.findings if f.code == "DERIVE_GROUP_BELOW"]
    assert finding.severity == "warning"


def test_servers_that_are_members_themselves_are_named_by_number():
    group = (
        "{g: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Nova::Server, "
        "properties: {flavor: m1.tiny, image: x}}}}}"
    )
    root = HOT + "resources: {low: {type: low.yaml}}"
    _, vnfd = checked({"base.yaml": root, "low.yaml": HOT + f"resources: {group}"})
    assert vnfd.vdus[0].hot_members == ("low/g/0", "low/g/1")


def test_a_group_within_a_group_scales_as_one_where_it_has_one_server():
    low = (
        HOT
        + "resources: {g: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: "
        + "{type: OS::Nova::Server, "
        + "properties: {flavor: m1.tiny, image: x}}}}}"
    )
    root = (
        HOT
        + "parameters: {n: {type: number, default: 1, constraints: [{range: {min: 1, max: 3}}]}}\n"
        + "resources: {outer: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: n}, resource_def: "
        + "{type: low.yaml}}}}"
    )
    _, vnfd = checked({"base.yaml": root, "low.yaml": low})
    assert [(vdu.hot_group, vdu.maximum) for vdu in vnfd.vdus] == [("outer", 3)]


def test_a_stack_of_its_own_is_nested():
    root = (
        HOT
        + "parameters: {image: {type: string}}\n"
        + "resources:\n"
        + "  edge: {type: OS::Heat::Stack, properties: {template: {get_file: node.yaml}, "
        + "parameters: {image: {get_param: image}}}}\n"
        + "outputs: {a: {value: {get_attr: [edge, outputs, address]}}}\n"
    )
    found, vnfd = checked({"base.yaml": root, "node.yaml": NODE})
    assert [vdu.hot_members for vdu in vnfd.vdus] == [("edge/vm",)]
    rewritten = load_yaml(found.files["base-flat.yaml"])
    assert rewritten["resources"]["edge"] == {"type": "node.yaml", "properties": {"image": {"get_param": "image"}}}
    assert rewritten["outputs"]["a"]["value"] == {"get_attr": ["edge", "address"]}


def test_a_stack_in_another_region_is_left_to_heat():
    far = "{type: OS::Heat::Stack, properties: {template: {get_file: node.yaml}, context: {region_name: West}}}"
    root = HOT + f"resources: {{far: {far}, near: {{type: node.yaml, properties: {{image: x}}}}}}"
    found, vnfd = checked({"base.yaml": root, "node.yaml": NODE})
    assert [vdu.hot_members for vdu in vnfd.vdus] == [("near/vm",)]
    (finding,) = [f for f in found.findings if f.code == "DERIVE_STACK"]
    assert finding.message.startswith("far is a stack of its own (OS::Heat::Stack), whose servers the manager does not")
    assert "base-flat.yaml" not in found.files


def test_a_rewritten_template_takes_no_name_that_another_file_has():
    stranger = HOT + "resources: {x: {type: OS::Nova::Serwer}}\n"
    found, vnfd = checked(
        {"base.yaml": SCALED, "base.env": "parameters: {}\n", "node.yaml": NODE, "in/base-flat.yaml": stranger}
    )
    assert vnfd.hot_template == "base-flat-2.yaml"
    assert load_yaml(found.files["base-flat-2.yaml"])["resources"]["web"]["type"] == "OS::Heat::ResourceGroup"


def test_resources_between_an_alarm_and_its_policy_are_removed_with_them():
    """Monasca's alarms name notifications, and these name the policy; a server may get the policy's URL."""
    text = SCALED.replace("outputs:\n", MONASCA + "outputs:\n", 1)
    found, _ = checked({"base.yaml": text, "node.yaml": NODE})
    resources = load_yaml(found.files["base-flat.yaml"])["resources"]
    assert set(resources) == {"web", "after", "master"}
    empty = {"str_replace": {"template": "", "params": {}}}
    assert resources["master"]["properties"]["user_data"]["str_replace"]["params"] == {"URL": empty}
    messages = [f.message for f in found.findings if f.code == "DERIVE_AUTOSCALING"]
    assert "master gets an empty text instead of what it would read from a resource that is left out." in messages


def test_the_size_of_a_fixed_group_is_text_in_every_version_of_hot():
    text = SCALED.replace("max_size: 5", "max_size: 3").replace("min_size: 1", "min_size: 3")
    found, _ = checked({"base.yaml": text.replace("2015-10-15", "2013-05-23"), "node.yaml": NODE})
    size = load_yaml(found.files["base-flat.yaml"])["outputs"]["size"]["value"]
    assert size == {"str_replace": {"template": "3", "params": {}}}
