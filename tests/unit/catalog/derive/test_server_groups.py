"""The number of server groups that a stack makes, and of servers that join one."""

from tests.factories.packages import ROOT as ROOT_FOLDER
from tests.factories.packages import shipped_files, shipped_package
from tests.factories.templates import HOT, content
from vnfm.catalog.domain.derive.server_groups import ServerGroupCount, count_server_groups
from vnfm.catalog.domain.hot.templates import FileReference, TemplateSet, load_templates
from vnfm.catalog.domain.package import read_templates

ROOT = (
    HOT
    + """
parameters: {size: {type: number, default: 3}}
resources:
  apart: {type: OS::Nova::ServerGroup, properties: {policies: [anti-affinity]}}
  near: {type: My::Placement}
  first: {type: OS::Nova::Server, properties: {flavor: f, scheduler_hints: {group: {get_resource: apart}}}}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      resource_def: {type: vm.yaml, properties: {group: {get_resource: apart}, hints: {get_attr: [near, hints]}}}
  unsized: {type: OS::Heat::ResourceGroup, properties: {count: {get_attr: [near, x]}, resource_def: {type: vm.yaml}}}
"""
)
FILES = {
    "base.yaml": ROOT,
    "vm.yaml": HOT
    + """
parameters: {group: {type: string}, hints: {type: json}}
resources:
  vm: {type: OS::Nova::Server, properties: {flavor: f, scheduler_hints: {group: {get_param: group}}}}
  hinted: {type: OS::Nova::Server, properties: {flavor: f, scheduler_hints: {get_param: hints}}}
  own: {type: OS::Nova::ServerGroup, properties: {policies: [affinity]}}
  inner: {type: OS::Nova::Server, properties: {flavor: f, scheduler_hints: {group: {get_resource: own}}}}
""",
    "placed.yaml": HOT
    + """
resources: {group: {type: OS::Nova::ServerGroup, properties: {policies: [affinity]}}}
outputs: {hints: {value: {group: {get_resource: group}}}}
""",
    "anywhere.yaml": HOT + "resources: {}\noutputs: {hints: {value: {}}}\n",
}


def loaded(registry: dict[str, str]) -> TemplateSet:
    source = content(FILES)
    base = source.yaml("base.yaml")
    mentions = [FileReference(base, (), name) for name in registry.values()]
    alternatives = {kind: [name] for kind, name in registry.items()}
    templates, _ = load_templates(source, FileReference(base, (), "base.yaml"), "", alternatives, mentions)
    assert templates is not None
    return templates


def test_groups_of_members_and_of_nested_stacks_count():
    registry = {"My::Placement": "placed.yaml"}
    templates = loaded(registry)
    assert count_server_groups(templates, registry, {}) == ServerGroupCount(groups=2 + 3, largest=1 + 3)
    assert count_server_groups(templates, registry, {"size": 12}) == ServerGroupCount(2 + 12, 1 + 12)


def test_the_registry_decides():
    registry = {"My::Placement": "anywhere.yaml"}
    assert count_server_groups(loaded(registry), registry, {}) == ServerGroupCount(1 + 3, 1 + 3)


def test_a_full_gateway_takes_novas_default_of_ten_groups():
    """One for the OAM VMs, and one for each of up to nine MG groups."""
    folder = ROOT_FOLDER / "catalog/nokia/vmg-saegw/8.0"
    vnfd, templates = shipped_package(folder).vnfd, read_templates(content(shipped_files(folder)))

    def groups(pairs: int) -> ServerGroupCount:
        used = {("mg", str(number)) for number in range(1, pairs + 1)}
        registry = {one.registry_type: one.template(True, used) for one in vnfd.variants}
        return count_server_groups(templates, registry, {"mg_count": 2 * pairs})

    assert [groups(pairs) for pairs in (1, 9)] == [ServerGroupCount(2, 2), ServerGroupCount(10, 2)]
