"""Each check of the table by what it finds, and by the nearest thing that it must leave alone."""

import pytest

from tests.factories.templates import HOT, findings
from vnfm.catalog.domain.hot.templates import HeatTarget
from vnfm.catalog.domain.hot.validate import CHECKS

SERVER = "resources: {vm: {type: OS::Nova::Server, properties: {flavor: m1, %s}}}"
PORT = "resources: {p: {type: OS::Neutron::Port, properties: {network: n, %s}}}"
FLAVOR = "resources: {f: {type: OS::Nova::Flavor, properties: {ram: 1, vcpus: 1, disk: 1, extra_specs: {%s}}}}"
GROUP = """
resources:
  g:
    type: OS::Heat::ResourceGroup
    properties: {resource_def: {type: OS::Nova::Server, properties: {flavor: m1, %s}}}
"""
RANDOM = "resources: {r: {type: OS::Heat::RandomString, %s}}"
ANY = "resources: {r: {type: OS::Heat::RandomString}}"
CHILD = HOT + "parameters: {size: {type: number, constraints: [{range: {min: 2}}]}, name: {type: string, default: x}}\n"
USED = """
resources:
  n: {type: OS::Neutron::Net, properties: {name: {get_param: name}, value_specs: {x: {get_param: size}}}}
"""


def nested(properties, more=""):
    base = HOT + more + f"resources: {{c: {{type: child.yaml, properties: {{{properties}}}}}}}"
    return {"base.yaml": base, "child.yaml": CHILD + USED}


def with_env(env, parameters="{count: {type: number, default: 1, constraints: [{range: {max: 4}}]}}"):
    base = HOT + f"parameters: {parameters}\n" + RANDOM % "properties: {length: {get_param: count}}"
    return {"base.yaml": base, "base.env": env}


def hot(version, text=ANY):
    return {"base.yaml": f"heat_template_version: {version}\n{text}"}


TWO = "resources:\n  a: {type: OS::Heat::None, depends_on: b}\n  b: {type: OS::Heat::None, %s}"
PORTS = """
resources:
  p1: {type: OS::Neutron::Port, properties: {network: n, "binding:vnic_type": %s}}
  p2: {type: OS::Neutron::Port, properties: {network: n}}
  vm:
    type: OS::Nova::Server
    properties: {flavor: m1, image: i, networks: [{port: {get_resource: p1}}, {port: {get_resource: %s}}]}
"""
DEEP = {f"l{n}.yaml": HOT + f"resources: {{x: {{type: l{n + 1}.yaml}}}}" if n < 6 else HOT + ANY for n in range(7)}

CASES = {
    "HOT_VERSION_UNKNOWN": (hot("2015-10-16"), "There is no heat_template_version 2015-10-16.", hot("2013-05-23")),
    "HOT_VERSION_NEWER": (hot("2018-08-31"), "heat_template_version 2018-08-31 came with Rocky", hot("2015-10-15")),
    "HOT_KEY_UNKNOWN": (
        RANDOM % "propertes: {}",
        "'propertes' is no key of a resource in a HOT; there are condition, deletion_policy, ",
        RANDOM % "properties: {}",
    ),
    "FUNCTION_GONE": (
        SERVER % "image: {Ref: x}",
        "Ref is CloudFormation's, and no function of HOT 2015-10-15. Write get_param or get_resource.",
        hot("2013-05-23", "parameters: {x: {type: string}}\n" + SERVER % "image: {Ref: x}"),
    ),
    "FUNCTION_NEWER": (
        SERVER % "metadata: {map_merge: [{a: b}, {c: d}]}",
        "map_merge is a function from heat_template_version 2016-04-08 on; this template says 2015-10-15, where Heat",
        SERVER % "metadata: {filter: all}",
    ),
    "OUTPUT_KEY_UNKNOWN": (
        ANY + "\noutputs: {o: {value: 1, valu: 2}}",
        "'valu' is no key of an output in a HOT; there are condition, description, value. Did you mean value?",
        ANY + "\noutputs: {o: {value: 1, description: x}}",
    ),
    "OUTPUT_FORM": (
        ANY + "\noutputs: {o: {description: x}}",
        "Output o must be a mapping with a value: Heat refuses any other.",
        ANY + "\noutputs: {o: {value: null}}",
    ),
    "FUNCTION_MISUSED": (
        SERVER % "name: {list_join: [a, b]}",
        'list_join cannot work on this. It takes ["separator", [texts], …].',
        SERVER % "name: {list_join: [a, [b]]}",
    ),
    "FUNCTION_MISSPELT": (
        SERVER % "name: {get_parm: x}",
        "'get_parm' is no function of HOT, so Heat passes it on unchanged. Did you mean get_param?",
        SERVER % "metadata: {get_rid: x}",
    ),
    "PARAMETER_UNKNOWN": (
        "parameters: {flavour: {type: string}}\n" + SERVER % "image: {get_param: flavor}, name: {get_param: flavour}",
        "base.yaml declares no parameter 'flavor'. Did you mean flavour? Add it under parameters.",
        SERVER % "name: {get_param: 'OS::stack_name'}",
    ),
    "PARAMETER_PART": (
        "parameters: {a: {type: string}}\n" + SERVER % "name: {get_param: [a, b]}",
        "Parameter a is a string and has no parts: Heat gives an empty text.",
        "parameters: {a: {type: json}}\n" + SERVER % "name: {get_param: [a, b]}",
    ),
    "RESOURCE_UNKNOWN": (
        RANDOM % "depends_on: s",
        "base.yaml has no resource 's'; there are r.",
        "resources: {r: {type: OS::Heat::None}, s: {type: OS::Heat::None, depends_on: [r]}}",
    ),
    "DEPENDS_ON_FORM": (
        RANDOM % "depends_on: {get_resource: r}",
        "depends_on takes the name of a resource, or a list of names; no functions.",
        RANDOM % "depends_on: []",
    ),
    "ATTRIBUTE_UNKNOWN": (
        ANY + "\noutputs: {o: {value: {get_attr: [r, valu]}}}",
        "OS::Heat::RandomString has no attribute 'valu'; it has show, value. Did you mean value?",
        ANY + "\noutputs: {o: {value: {get_attr: [r, value]}}}",
    ),
    "NESTED_OUTPUT_UNKNOWN": (
        {
            "base.yaml": HOT + "resources: {c: {type: child.yaml}}\noutputs: {o: {value: {get_attr: [c, mor]}}}",
            "child.yaml": HOT + ANY + "\noutputs: {more: {value: 1}}",
        },
        "child.yaml has no attribute 'mor'; it has OS::stack_id, more, outputs, show. Did you mean more?",
        {
            "base.yaml": HOT + "resources: {c: {type: child.yaml}}\noutputs: {o: {value: {get_attr: [c, more]}}}",
            "child.yaml": HOT + ANY + "\noutputs: {more: {value: 1}}",
        },
    ),
    "OUTPUT_OF_NOTHING": (
        ANY + "\noutputs: {o: {value: {get_resource: s}}}",
        "base.yaml has no resource 's'; there are r.",
        ANY + "\noutputs: {o: {value: {get_resource: r}}}",
    ),
    "PARAMETER_UNUSED": (
        "parameters: {a: {type: string}}\n" + ANY,
        "Nothing uses parameter a: leave it out",
        "parameters: {a: {type: json}}\n" + SERVER % "name: {get_param: [a, b]}",
    ),
    "CIRCLE": (
        TWO % "metadata: {x: {get_resource: a}}",
        "These resources wait for each other: ",
        TWO % "metadata: {x: {get_resource_: a}}",
    ),
    "TYPE_UNKNOWN": (
        "resources: {r: {type: OS::Nova::Serwer}}",
        "Heat has no resource type OS::Nova::Serwer, and the environment's resource_registry maps it to no template.",
        {
            "base.yaml": HOT + "resources: {r: {type: My::Own}}",
            "base.env": "resource_registry: {My::Own: child.yaml}",
            "child.yaml": HOT + ANY,
        },
    ),
    "TYPE_FOREIGN": (
        "resources: {r: {type: OS::ContrailV2::VirtualNetwork}}",
        "OS::ContrailV2::VirtualNetwork is none of Heat's own types, and no environment maps it to a template",
        "resources: {r: {type: OS::Neutron::Net}}",
    ),
    "TYPE_NEWER": (
        "resources: {r: {type: OS::Neutron::Trunk, properties: {port: p}}}",
        "OS::Neutron::Trunk came with Pike; the Heat of OpenStack Liberty refuses it.",
        "resources: {r: {type: OS::Neutron::Port, properties: {network: p}}}",
    ),
    "TYPE_GONE": (
        "resources: {r: {type: OS::Ceilometer::Alarm, properties: {meter_name: cpu}}}",
        "OS::Ceilometer::Alarm is no longer in today's Heat: it can be deployed on old clouds only.",
        "resources: {r: {type: OS::Heat::None}}",
    ),
    "PROPERTIES_FORM": (
        RANDOM % "properties: [a]",
        "properties must be a mapping of name to value.",
        RANDOM % "properties: {}",
    ),
    "PROPERTY_UNKNOWN": (
        PORT % "fixed_ip: [{ip: 1.2.3.4}]",
        "OS::Neutron::Port has no property 'fixed_ip'; it has ",
        PORT % "network_id: n",
    ),
    "PROPERTY_MISSING": (
        "resources: {s: {type: OS::Neutron::Subnet, properties: {cidr: 1.2.3.0/24}}}",
        "OS::Neutron::Subnet needs the property 'network', which is not given.",
        "resources: {s: {type: OS::Neutron::Subnet, properties: {network_id: n, cidr: 1.2.3.0/24}}}",
    ),
    "PROPERTY_MISSING_IN_LIBERTY": (
        "resources: {s: {type: OS::Neutron::Subnet, properties: {network: n, subnetpool: p}}}",
        "OS::Neutron::Subnet needs the property 'cidr', which is not given. Later Heats do without.",
        "resources: {s: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 1.2.3.0/24}}}",
    ),
    "PROPERTY_GONE": (
        "resources: {b: {type: OS::Magnum::BayModel, properties: {ssh_authorized_key: k}}}",
        "Today's Heat no longer has property 'ssh_authorized_key' of OS::Magnum::BayModel, and refuses it.",
        "resources: {h: {type: OS::Neutron::HealthMonitor, properties: {delay: 1, timeout: 2}}}",
    ),
    "PROPERTY_NEWER": (
        PORT % "dns_name: x",
        "Property 'dns_name' of OS::Neutron::Port came with Newton; the Heat of OpenStack Liberty refuses it.",
        PORT % "name: x",
    ),
    "VALUE_KIND": (
        PORT % "fixed_ips: 1.2.3.4",
        "fixed_ips of OS::Neutron::Port takes a list, not '1.2.3.4'.",
        PORT % "fixed_ips: {get_param: ips}",
    ),
    "VALUE_OUT_OF_BOUNDS": (
        RANDOM % "properties: {length: 513}",
        "length of OS::Heat::RandomString: 513 is not at least 1 and at most 512.",
        RANDOM % "properties: {length: 512}",
    ),
    "VALUE_NOT_ALLOWED": (
        PORT % "'binding:vnic_type': fast",
        "binding:vnic_type of OS::Neutron::Port is one of ",
        PORT % "'binding:vnic_type': macvtap",
    ),
    "VALUE_NEWER": (
        PORT % "'binding:vnic_type': direct-physical",
        "binding:vnic_type of OS::Neutron::Port is one of normal, direct, macvtap on OpenStack Liberty, which does not",
        PORT % "'binding:vnic_type': macvtap",
    ),
    "NESTED_UNKNOWN": (
        nested("size: 2, nam: y"),
        "child.yaml, which stands for child.yaml, declares no parameter 'nam'; it has name, size. Did you mean name?",
        nested("size: 2, name: y"),
    ),
    "NESTED_MISSING": (
        nested("name: y"),
        "child.yaml needs the property 'size': child.yaml, line 2, declares it without a default.",
        {**nested("name: y"), "base.env": "parameter_defaults: {size: 3}"},
    ),
    "NESTED_VALUE": (
        nested("size: 1"),
        "child.yaml does not take this as size: 1 is outside the limits: at least 2.",
        nested("size: '2'"),
    ),
    "NESTED_TYPE": (
        nested("size: {get_param: flag}", "parameters: {flag: {type: comma_delimited_list}}\n"),
        "Parameter flag is a list, and size of child.yaml is a number.",
        nested("size: {get_param: flag}", "parameters: {flag: {type: string}}\n"),
    ),
    "NESTED_CIRCLE": (
        {
            "base.yaml": HOT + "resources: {c: {type: child.yaml}}",
            "child.yaml": HOT + "resources: {b: {type: base.yaml}}",
        },
        "These templates contain each other: ",
        {"base.yaml": HOT + "resources: {c: {type: child.yaml}, d: {type: child.yaml}}", "child.yaml": HOT + ANY},
    ),
    "NESTED_DEPTH": (
        {"base.yaml": HOT + "resources: {x: {type: l0.yaml}}", **DEEP},
        "l5.yaml lies 6 stacks deep; Heat's limit is 5 unless it was raised.",
        {"base.yaml": HOT + "resources: {x: {type: l2.yaml}}", **{k: v for k, v in DEEP.items() if k > "l1.yaml"}},
    ),
    "DEFAULT_INVALID": (
        with_env("parameters: {}", "{count: {type: number, default: 5, constraints: [{range: {max: 4}}]}}"),
        "The default: 5 is outside the limits: at most 4.",
        with_env("parameters: {}"),
    ),
    "ENVIRONMENT_FORM": (
        with_env("parameter: {count: 2}"),
        "Heat knows no section 'parameter' in an environment. Did you mean parameters?",
        with_env("parameters:"),
    ),
    "ENVIRONMENT_NEWER": (
        with_env("event_sinks: []"),
        "event_sinks came with Mitaka; the Heat of OpenStack Liberty refuses it.",
        with_env("encrypted_param_names: []"),
    ),
    "ENVIRONMENT_UNKNOWN": (
        with_env("parameters: {cont: 2}"),
        "base.yaml declares no parameter 'cont', and Heat refuses values for others. It has count. Did you mean count?",
        with_env("parameters: {count: 2}"),
    ),
    "ENVIRONMENT_UNUSED": (
        with_env("parameter_defaults: {cont: 2}"),
        "No template declares a parameter 'cont'. Did you mean count?",
        with_env("parameter_defaults: {count: 2}"),
    ),
    "ENVIRONMENT_VALUE": (
        with_env("parameters: {count: 9}"),
        "count: 9 is outside the limits: at most 4.",
        with_env("parameters: {count: '4'}"),
    ),
    "PLACEHOLDER": (
        with_env("parameters: {count: PUT THE COUNT HERE}"),
        "'PUT THE COUNT HERE' is a placeholder for count.",
        with_env("parameters: {count: <config><here/></config>}"),
    ),
    "PATTERN_UNCHECKED": (
        with_env("parameters: {}", "{count: {type: string, default: a, constraints: [{allowed_pattern: '(?=a)a'}]}}"),
        "The pattern cannot be checked in bounded time",
        with_env("parameters: {}", "{count: {type: string, default: a, constraints: [{allowed_pattern: 'a'}]}}"),
    ),
    "CONTROL_CHARACTER": (
        with_env('parameters: {count: "4\\e[31m"}'),
        "The text holds a control character (U+001B). Remove it.",
        with_env('parameters: {count: "4\\n"}'),
    ),
    "GROUP_INVALID": (
        "parameter_groups: [{parameters: [a]}]\n" + ANY,
        "The group names 'a', which is no parameter.",
        "parameter_groups: [{parameters: [a]}]\nparameters: {a: {type: string}}\n" + ANY,
    ),
    "SECRET_SHOWN": (
        "parameters: {admin_password: {type: string}}\n" + ANY,
        "admin_password looks like a secret: with hidden: true",
        "parameters: {admin_password: {type: string, hidden: true}}\n" + ANY,
    ),
    "NIC_ORDER": (
        PORTS % ("normal", "p2"),
        "The guest of vm finds its NICs in this order: 0 p1, 1 p2.",
        SERVER % "networks: [{network: n}]",
    ),
    "NIC_WITHOUT_PORT": (
        SERVER % "networks: [{network: {get_param: net}}]",
        "NIC 0 of vm is on get_param net without a port of its own",
        SERVER % "networks: [{port: {get_param: management_port}}]",
    ),
    "NIC_MISSING": (SERVER % "image: i", "vm names no networks: ", SERVER % "networks: []"),
    "PORT_TWICE": (
        PORTS % ("normal", "p1"),
        "Port p1 is plugged into vm already; a port has one NIC.",
        PORTS % ("normal", "p2"),
    ),
    "PORT_UNUSED": (
        PORTS % ("normal", "p1"),
        "Nothing uses port p2.",
        PORTS % ("normal", "p2"),
    ),
    "SRIOV_PORT": (
        PORT % "'binding:vnic_type': direct",
        "Port p is an SR-IOV function (direct): its server needs a host",
        PORT % "'binding:vnic_type': normal",
    ),
    "SRIOV_SECURITY": (
        PORT % "'binding:vnic_type': direct, security_groups: [default]",
        "Neutron cannot filter what goes through the SR-IOV port p",
        PORT % "'binding:vnic_type': direct, security_groups: []",
    ),
    "SRIOV_FIRST": (
        PORTS % ("direct", "p2"),
        "The first NIC of vm is an SR-IOV port; routers such as VSR",
        PORTS.replace(
            "[{port: {get_resource: p1}}, {port: {get_resource: %s}}]",
            "[{port: {get_resource: %s}}, {port: {get_resource: p1}}]",
        )
        % ("direct", "p2"),
    ),
    "USER_DATA_WRAPPED": (
        SERVER % "user_data: hello",
        "Without user_data_format Heat wraps the user_data of vm",
        SERVER % "user_data: hello, user_data_format: RAW",
    ),
    "MEMBERS_ALIKE": (
        GROUP % "name: router",
        "All members of g get the same name. Put %index% into it",
        GROUP % "name: router-%index%",
    ),
    "EXTRA_SPEC_UNKNOWN": (
        FLAVOR % "'hw:cpu_thread_policy': isolate",
        "Nova of OpenStack Liberty does not know the extra spec hw:cpu_thread_policy: it has no effect there.",
        FLAVOR % "'hw:cpu_policy': dedicated",
    ),
    "EXTRA_SPEC_FILTER": (
        FLAVOR % "'hw:numa_nodes': 1",
        "Flavor f decides on hosts only where Nova's scheduler has NUMATopologyFilter",
        FLAVOR % "'quota:cpu_shares': 1",
    ),
    "SCHEDULER_HINT": (
        SERVER % "scheduler_hints: {different_host: [a]}",
        "Nova evaluates different_host only with DifferentHostFilter",
        SERVER % "scheduler_hints: {group: g}",
    ),
    "HOOK_UNKNOWN": (
        with_env("resource_registry: {resources: {x: {hooks: before}}}"),
        "Heat has no hook 'before'; it has post-create, post-delete, post-update, pre-create, pre-delete, pre-update.",
        with_env("resource_registry: {resources: {x: {hooks: pre-create}}}"),
    ),
    "HOOK_WAITS": (
        with_env("resource_registry: {resources: {x: {hooks: pre-create}}}"),
        "Heat stops at x until someone clears the hook pre-create.",
        with_env("resource_registry: {resources: {x: {restricted_actions: update}}}"),
    ),
}


PROBED = {"NETWORK_AMBIGUOUS", "NETWORK_FORBIDDEN", "TYPE_LACKING", "FUNCTION_LACKING", "EXTENSION_LACKING"}
"""Some are found only for a cloud that was probed: see test_unsupported.py."""


def test_every_check_has_a_case():
    assert set(CASES) | PROBED == {check.code for check in CHECKS}
    assert len(CHECKS) == len(CASES) + len(PROBED), "a code twice"


@pytest.mark.parametrize("code", CASES)
def test_checks_find_faults(code):
    files, message, _ = CASES[code]
    found = [finding for finding in findings(files) if finding.code == code]
    assert [f.message for f in found if f.message.startswith(message)], found
    assert all(finding.file and finding.line for finding in found)
    assert {finding.severity for finding in found} == {next(c.severity for c in CHECKS if c.code == code)}


@pytest.mark.parametrize("code", CASES)
def test_checks_accept_valid_templates(code):
    assert [finding for finding in findings(CASES[code][2]) if finding.code == code] == []


def test_an_empty_section_is_one_that_heat_refuses():
    reported = findings(with_env("resource_registry:"))
    found = [finding.message for finding in reported if finding.code == "ENVIRONMENT_FORM"]
    assert found == ["resource_registry is empty, and Heat refuses that: leave the line out."]


@pytest.mark.parametrize(
    ("release", "severity"),
    [(5, "error"), (6, "error"), (9, "error"), (11, None), (99, None)],
)
def test_a_chosen_cloud_that_is_too_old_makes_an_error_of_it(release, severity):
    found = findings(hot("2018-08-31"), target=HeatTarget("cloud north", release, chosen=True))
    assert [f.severity for f in found if f.code == "HOT_VERSION_NEWER"] == ([severity] if severity else [])
    assert all("cloud north is older" in f.message for f in found if f.code == "HOT_VERSION_NEWER")


def test_all_is_reported_at_once_the_worst_first():
    found = findings(
        "parameters: {unused: {type: string}}\n" + SERVER % "image: {get_param: gone}, nam: x, networks: [{network: n}]"
    )
    assert {"PARAMETER_UNKNOWN", "PROPERTY_UNKNOWN", "PARAMETER_UNUSED", "NIC_WITHOUT_PORT"} <= {f.code for f in found}
    order = [("error", "warning", "note").index(finding.severity) for finding in found]
    assert order == sorted(order)


def test_a_finding_has_its_place():
    files = {"base.yaml": HOT + "resources:\n  vm:\n    type: OS::Nova::Server\n    properties:\n      flavour: m1\n"}
    found = next(finding for finding in findings(files) if finding.code == "PROPERTY_UNKNOWN")
    assert (found.file, found.line, found.pointer) == ("base.yaml", 6, "/resources/vm/properties/flavour")
