"""Our checks for a cloud against its Heat: what Heat lacks they refuse at its line, and nothing that Heat accepts."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from hot.language import VERSIONS
from hot.schemas import Property, resource_type, type_names
from tests.contract.conftest import Yard, until
from tests.factories.catalog import onboarded
from tests.factories.corpus import corpus
from tests.factories.packages import ROOT, shipped_files, shipped_package, zipped
from tests.factories.templates import template_set
from tests.unit.lcm.deployments import Deployment
from vnfm.catalog.domain.findings import Finding
from vnfm.catalog.domain.hot.templates import HeatTarget
from vnfm.catalog.domain.hot.validate import unsupported
from vnfm.catalog.selectors import template_bundle, templates_of, vnfd_of
from vnfm.clouds.errors import Denied, NotFound, Rejected
from vnfm.clouds.ports import Cloud
from vnfm.clouds.types import StackInput
from vnfm.lcm.domain.plan import Plan
from vnfm.lcm.domain.plan_builder import CloudSnapshot
from vnfm.lcm.domain.states import Operation
from vnfm.lcm.selectors.heat_target import heat_target
from vnfm.vims.domain.findings import findings_of
from vnfm.vims.models import Vim

VALUES = {"string": "x", "number": 1, "integer": 1, "boolean": True, "list": [], "map": {}, "any": "x"}
LACKS = re.compile("Resource Type .* could not be found|not available|orbidden|not authorized|version is invalid")
"""Heat says one of these of a type or a version that it does not have, or not for this user."""


@pytest.fixture(scope="module")
def aim(cloud: Cloud) -> HeatTarget:
    probe = cloud.probe()
    return heat_target(Vim(name="here", versions=dict(probe.versions), features=findings_of(probe).features))


def heats_words(cloud: Cloud, stack: StackInput) -> str:
    """Why Heat refuses it; "" when it does not, as far as it reads without the values of all parameters.

    Only the preview looks which types the policy allows to this user (enforce_stack in heat/engine/service.py).
    """
    try:
        cloud.stacks.validate(stack)
        cloud.stacks.preview_create("contract-preview", stack)
    except (Denied, NotFound, Rejected) as error:
        return "" if "was not provided" in error.message else error.message
    return ""


def compared(cloud: Cloud, aim: HeatTarget, template: dict[str, Any]) -> tuple[str, list[Finding]]:
    templates, _ = template_set({"base.yaml": json.dumps(template, indent=1)}, target=aim)
    return heats_words(cloud, StackInput(json.dumps(template), {}, {}, {})), unsupported(templates)


def value_of(schema: Property) -> Any:
    return schema.allowed[0] if schema.allowed else VALUES[schema.kind]


def one_of(kind: str) -> dict[str, Any]:
    known = resource_type(kind)
    schemas = known.properties if known else {}
    properties = {name: value_of(schema) for name, schema in schemas.items() if schema.required}
    return {"heat_template_version": "2013-05-23", "resources": {"r": {"type": kind, "properties": properties}}}


def words_about(cloud: Cloud, finding: Finding) -> str:
    """Return what Heat says of a template with nothing but the type that the finding names."""
    kind = re.search(r"\w+(::\w+)+", finding.message)
    return heats_words(cloud, StackInput(json.dumps(one_of(kind[0])), {}, {}, {})) if kind else ""


def agree(rows: dict[str, tuple[str, list[Finding]]], record: Any) -> None:
    lacking = {name for name, (words, _) in rows.items() if LACKS.search(words)}
    hidden = {name for name in rows if (kind := resource_type(name)) and kind.hidden}  # in no list: Heat alone knows
    ours = {name for name, (_, findings) in rows.items() if findings}
    record("all", len(rows))
    record("refused by Heat", len(lacking))
    record("refused by the plan", len(ours))
    assert {name: rows[name][0] for name in lacking - ours - hidden} == {}, "Heat lacks it, and the plan goes on"
    assert {name: rows[name][1] for name in ours if not rows[name][0]} == {}, "a false refusal"
    assert all(finding.line for name in ours for finding in rows[name][1])


def test_resource_types(cloud: Cloud, aim: HeatTarget, record_property: Any) -> None:
    agree({name: compared(cloud, aim, one_of(name)) for name in type_names()}, record_property)


def test_versions(cloud: Cloud, aim: HeatTarget, record_property: Any) -> None:
    template = one_of("OS::Heat::RandomString")
    versions = {name: {**template, "heat_template_version": name} for name in VERSIONS}
    agree({name: compared(cloud, aim, versions[name]) for name in VERSIONS}, record_property)


@pytest.mark.django_db
def test_the_corpus(cloud: Cloud, aim: HeatTarget, record_property: Any) -> None:
    rows = {}
    for entry in {entry.folder: entry for entry in corpus() if entry.expect == "onboarded"}.values():
        package = onboarded(zipped(entry.files()))
        vnfd, bundle = vnfd_of(package), template_bundle(package)
        files = {name: bundle.texts[path] for name, path in vnfd.hot_files.items()}
        environment = bundle.content.yaml(vnfd.hot_environment).data
        words = heats_words(cloud, StackInput(bundle.texts[vnfd.hot_template], environment, {}, files))
        findings = unsupported(replace(templates_of(package), target=aim))
        if findings and not words:  # Heat missed a parameter's value first.
            of_types = [words_about(cloud, finding) for finding in findings]
            words = of_types[0] if all(of_types) else ""
        rows[entry.folder.name] = (words, findings)
    agree(rows, record_property)


ROUTER = ROOT / "catalog" / "open" / "frr-router" / "8.4.4"


def router_of(cloud: Cloud, name: str, params: dict[str, Any]) -> StackInput:
    """One FRR router as the product plans it for this cloud."""
    vnfd, files = shipped_package(ROUTER).vnfd, shipped_files(ROUTER)
    view = CloudSnapshot(cloud.flavors.list(), cloud.networks.list(), ())
    request = {"flavourId": "default", "instantiationLevelId": "single", "additionalParams": params}
    plan = Deployment(vnfd, cloud=view).planned(Operation.INSTANTIATE, request)
    assert isinstance(plan, Plan), plan
    environment = yaml.safe_load(files[vnfd.hot_environment])
    return StackInput(
        files[vnfd.hot_template].decode(),
        {**environment, "resource_registry": {**environment["resource_registry"], **plan.registry}},
        {**plan.parameters, vnfd.instance_name_parameter: name},
        {path: files[stored].decode() for path, stored in vnfd.hot_files.items()},
        timeout_minutes=5,
    )


@pytest.mark.parametrize("number", [1, 3])
def test_a_router_has_its_number_of_ports(cloud: Cloud, yard: Yard, image: str, flavor: str, number: int) -> None:
    """The number chooses the member's template, which reads its networks from a map (ADR-0086)."""
    params = {"data_ports": number, "image": image, "router_flavor": flavor, "open_port_attributes": {}}
    stack_id = yard.create(f"router-{number}", router_of(cloud, yard.name(f"router-{number}"), params))
    yard.settled(stack_id, "CREATE_COMPLETE")
    links = [f"data{place}" for place in range(1, number + 1)]
    ports = [one for one in cloud.stacks.resources(stack_id) if one.type == "OS::Neutron::Port" and one.physical_id]
    assert sorted(one.name for one in ports) == [*(f"{link}_port" for link in links), "management_port"]
    networks = cloud.stacks.show(stack_id).outputs["networks"]
    assert {link for link, network in networks.items() if network} == {"management", *links}
    cloud.stacks.delete(stack_id)
    until(lambda: yard.gone(stack_id), "the stack to be deleted")
