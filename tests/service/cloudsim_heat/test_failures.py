import pytest
from heatclient import exc
from openstack.connection import Connection

V = "heat_template_version: 2015-10-15\n"
R = V + "resources:\n"
GROUP = R + (
    "  g:\n    type: OS::Heat::ResourceGroup\n"
    "    properties: {count: 1, resource_def: {type: OS::Nova::Server, properties: {image: tiny, flavor: huge}}}\n"
    "  after: {type: OS::Heat::RandomString, depends_on: g}\n"
)
NO_HOST = (
    'Went to status ERROR due to "Message: No valid host was found. There are not enough hosts available., Code: 500"'
)


@pytest.fixture
def _huge(admin: Connection):
    admin.compute.create_flavor(name="huge", ram=512, vcpus=1000, disk=1)


@pytest.mark.usefixtures("_huge")
def test_no_valid_host_reaches_the_top_in_novas_words(heat):
    ident = heat.create(GROUP)
    stack = heat.client.stacks.get(ident)
    assert stack.stack_status == "CREATE_FAILED"
    assert stack.stack_status_reason == (
        f"Resource CREATE failed: ResourceInError: resources.g.resources[0]: {NO_HOST}"
    )
    resources = heat.resources(ident, 2)
    assert resources["g/0"].resource_status_reason == f"ResourceInError: resources[0]: {NO_HOST}"
    assert resources["after"].resource_status == "INIT_COMPLETE"
    assert heat.delete(ident).stack_status == "DELETE_COMPLETE"
    assert list(heat.connection.compute.servers()) == []


@pytest.mark.usefixtures("_huge")
def test_a_failed_create_with_rollback_leaves_nothing(heat):
    ident = heat.create(GROUP, disable_rollback=False)
    assert heat.client.stacks.get(ident).stack_status == "ROLLBACK_COMPLETE"
    assert list(heat.client.stacks.list()) == []
    assert list(heat.connection.compute.servers()) == []


@pytest.mark.usefixtures("_huge")
def test_a_failed_create_is_mended_by_an_update(heat):
    ident = heat.create(GROUP)
    assert heat.update(ident, GROUP.replace("huge", "m1.tiny")).stack_status == "UPDATE_COMPLETE"
    assert heat.resources(ident)["after"].resource_status == "CREATE_COMPLETE"


def test_a_quota_error_has_novas_message(heat, cloud):
    cloud.control("PUT", "/quotas/vnf", {"compute": {"instances": 0}})
    ident = heat.create(GROUP.replace("huge", "m1.tiny"))
    reason = heat.client.stacks.get(ident).stack_status_reason
    assert "Forbidden: resources.g.resources[0]: Quota exceeded for instances" in reason


def test_a_project_may_have_so_many_stacks(heat, cloud):
    cloud.control("PUT", "/settings", {"max_stacks_per_tenant": 1})
    template = f"{R}  q: {{type: OS::Heat::RandomString}}\n"
    heat.create(template, "one")
    with pytest.raises(exc.HTTPBadRequest, match="maximum stacks per tenant, 1"):
        heat.create(template, "two")


def test_an_injected_refusal_of_nova_ends_the_stack(heat, cloud):
    refusal = {"service": "compute", "method": "POST", "path": "/servers$", "effect": "status", "status": 503}
    cloud.control("POST", "/failures", {**refusal, "callers": "internal"})
    ident = heat.create(GROUP.replace("huge", "m1.tiny"))
    assert "(HTTP 503)" in heat.client.stacks.get(ident).stack_status_reason


@pytest.mark.parametrize(
    ("template", "status", "kind", "words"),
    [
        (
            R + "  q: {type: OS::Aodh::EventAlarm}\n",
            400,
            "StackValidationFailed",
            "The Resource Type (OS::Aodh::EventAlarm) could not be found.",
        ),
        (
            R + "  q: {type: OS::Heat::Value, properties: {value: 1}}\n",
            400,
            "StackValidationFailed",
            "The Resource Type (OS::Heat::Value) could not be found.",
        ),
        (
            R + "  q: {type: OS::Heat::RandomString, properties: {foo: 1}}\n",
            400,
            "StackValidationFailed",
            "Property error: : resources.q.properties: : Unknown Property foo",
        ),
        (
            R + "  q: {type: OS::Nova::Server, properties: {image: nope, flavor: m1.tiny}}\n",
            400,
            "StackValidationFailed",
            (
                "Property error: : resources.q.properties.image: : "
                "Error validating value 'nope': The Image (nope) could not be found."
            ),
        ),
        (
            R + "  q: {type: OS::Neutron::Subnet, properties: {network: nope, cidr: 10.0.0.0/24}}\n",
            400,
            "StackValidationFailed",
            (
                "Property error: : resources.q.properties.network: : "
                "Error validating value 'nope': Unable to find network with name or id 'nope'"
            ),
        ),
        (
            R
            + "  q: {type: OS::Neutron::Subnet, properties: {network: nope, cidr: banana}}\n".replace("nope", "public"),
            400,
            "StackValidationFailed",
            (
                "Property error: : resources.q.properties.cidr: : "
                "Error validating value 'banana': Invalid net cidr invalid IPNetwork banana "
            ),
        ),
        (
            R + "  q: {type: OS::Neutron::Port, properties: {network: {get_resource: nope}}}\n",
            400,
            "InvalidTemplateReference",
            'The specified reference "nope" (in q.Properties.network) is incorrect.',
        ),
        (
            R + "  q: {type: OS::Heat::RandomString, depends_on: r}\n  r: {type: OS::Heat::None, depends_on: q}\n",
            500,
            "CircularDependencyException",
            'Circular Dependency Found: {RandomString "q": {None "r"}, None "r": {RandomString "q"}}',
        ),
        (
            V + "parameters: {a: {type: string}}\n",
            400,
            "UserParameterMissing",
            "The Parameter (a) was not provided.",
        ),
        (
            R + "  q: {type: nested.yaml}\n",
            400,
            "StackValidationFailed",
            'Could not fetch remote template "nested.yaml": Invalid URL scheme ',
        ),
        (
            R + "  g: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: OS::Nope}}}\n",
            400,
            "StackValidationFailed",
            "The Resource Type (OS::Nope) could not be found.",
        ),
    ],
)
def test_heat_refuses_before_it_makes_anything(heat, template, status, kind, words):
    assert heat.refusal(template) == (status, kind, words)
    assert list(heat.client.stacks.list()) == []


def test_names(heat):
    words = (
        'Invalid stack name 1a must contain only alphanumeric or "_-." characters, '
        "must start with alpha and must be 255 characters or less."
    )
    good = R + "  q: {type: OS::Heat::RandomString}\n"
    assert heat.refusal(good, name="1a") == (400, "StackValidationFailed", words)
    heat.create(good, name="taken")
    assert heat.refusal(good, name="taken") == (409, "StackExists", "The Stack (taken) already exists.")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PATCH", "/resources/q", 405),
        ("GET", "/outputs", 404),
        ("GET", "/outputs/x", 404),
        ("GET", "/environment", 404),
        ("GET", "/files", 404),
        ("GET", "/export", 404),
        ("DELETE", "/abandon", 400),
        ("GET", "/resources/nope", 404),
    ],
)
def test_api_calls_that_liberty_lacked(heat, cloud, method, path, status):
    ident = heat.create(R + "  q: {type: OS::Heat::RandomString}\n")
    headers = {"X-Auth-Token": heat.connection.session.get_token()}
    root = f"/orchestration/v1/{heat.connection.current_project_id}/stacks/router/{ident}"
    answered, _ = cloud.request(method, root + path, {} if method == "PATCH" else None, headers=headers)
    assert answered == status


def test_another_project_is_forbidden(heat, cloud):
    headers = {"X-Auth-Token": heat.connection.session.get_token()}
    status, _ = cloud.request("GET", "/orchestration/v1/0123456789abcdef/stacks", headers=headers)
    assert status == 403


def test_a_resource_that_is_not_there(heat):
    heat.create(R + "  q: {type: OS::Heat::RandomString}\n")
    with pytest.raises(exc.HTTPNotFound, match=r"The Resource \(nope\) could not be found in Stack router."):
        heat.client.resources.get("router", "nope")
