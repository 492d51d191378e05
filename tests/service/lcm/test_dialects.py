"""Real clients of SOL003: ONAP SO's adapter by descriptions of its requests, and IBM's lifecycle driver by the request
templates in its repository."""

from base64 import b64encode
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import NEXT_VNFD, vsr_next
from tests.service.lcm.lifecycle import Lifecycle
from tests.service.notifications.conftest import endpoint, reachable
from tests.support.subscriber import NotifiedEndpoint
from tests.support.validating_client import ValidatingClient
from vnfm.accounts.roles import Role
from vnfm.accounts.services import client_create
from vnfm.kit.durable import outbox
from vnfm.lcm.domain.states import CancelMode
from vnfm.lcm.services.operations import op_cancel
from vnfm.notifications.models import Subscription
from vnfm.notifications.reconcilers import delivery
from vnfm.notifications.services.queueing import NOTIFICATION_QUEUER
from vnfm.vims import selectors as vims
from vnfm.vims.models import Vim

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = "/vnflcm/v1"
PROJECT = "1c86ad7b1f9b4f4b9f5f6f7a8b9c0d1e"
__all__ = ["endpoint", "reachable"]


def logged_in(token_url: str) -> ValidatingClient:
    """Log in by client credentials at the address that the client derives from the interface's."""
    _, secret = client_create(username="so", role=Role.OPERATOR)
    basic = b64encode(f"so:{secret}".encode()).decode()
    anonymous = ValidatingClient(headers={"Authorization": f"Basic {basic}"})
    form = "grant_type=client_credentials"
    answer = anonymous.generic("POST", token_url, form, content_type="application/x-www-form-urlencoded")
    return ValidatingClient(headers={"Authorization": f"Bearer {answer.json()['access_token']}"})


def vim_of_onap(life: Lifecycle) -> dict[str, Any]:
    """As its inventory describes the cloud; the id is the inventory's, too. The project has no name."""
    cloud = vims.connection_of(life.vim)
    return {
        "id": "CloudOwner_RegionOne",
        "vimId": "CloudOwner_RegionOne",
        "vimType": "openstack",
        "interfaceInfo": {"identityEndPoint": cloud.auth_url},
        "accessInfo": {
            "projectId": PROJECT,
            "domainName": cloud.user_domain_name,
            "credentials": {"username": cloud.username, "password": cloud.password},
        },
    }


def ended(life: Lifecycle, client: ValidatingClient, accepted: Any) -> dict[str, Any]:
    """The op occ when it has ended."""
    assert accepted.status_code == 202, accepted.json()
    path = urlsplit(accepted.headers["Location"]).path
    life.run(path.rpartition("/")[2])
    shown: dict[str, Any] = client.get(path).json()
    return shown


SO_KINDS = (
    ("VnfIdentifierCreationNotification", {}),
    ("VnfIdentifierDeletionNotification", {}),
    ("VnfLcmOperationOccurrenceNotification", {"operationTypes": ["INSTANTIATE", "SCALE", "TERMINATE"]}),
)
"""SO subscribes to each kind by itself."""


def send() -> None:
    while outbox.deliver_pending([NOTIFICATION_QUEUER]):
        pass
    for subscription in Subscription.objects.all():
        delivery.deliver(subscription.id)


def handles(shown: Any) -> set[str]:
    """Ids of the VIM connection in all resource handles."""
    if isinstance(shown, list):
        return {found for each in shown for found in handles(each)}
    if not isinstance(shown, dict):
        return set()
    own = {shown["vimConnectionId"]} if "vimConnectionId" in shown else set()
    return own | {found for each in shown.values() for found in handles(each)}


def test_onap_so_drives_a_vnf_from_its_creation_to_its_end(lifecycle: Lifecycle, endpoint: NotifiedEndpoint) -> None:
    """Token, create, three subscriptions, instantiate, scale, terminate, delete."""
    Vim.objects.update(scoped_project_id=PROJECT)  # as the probe found it
    client = logged_in(f"{ROOT}/".replace("vnflcm/v1/", "oauth/token"))
    create = {"vnfdId": str(lifecycle.package.vnfd_id), "vnfInstanceName": "vgw", "vnfInstanceDescription": "service"}
    made = client.post(f"{ROOT}/vnf_instances", create, format="json")
    assert made.status_code == 201, made.json()
    instance = urlsplit(made.json()["_links"]["self"]["href"]).path
    for kind, more in SO_KINDS:
        wanted = {"vnfInstanceSubscriptionFilter": {"vnfInstanceIds": [made.json()["id"]]}, "notificationTypes": [kind]}
        body = {"filter": wanted | more, "callbackUri": endpoint.url}
        assert client.post(f"{ROOT}/subscriptions", body, format="json").status_code == 201
    body = {
        "flavourId": lifecycle.instantiate_request()["flavourId"],
        "vimConnectionInfo": [vim_of_onap(lifecycle)],
        "additionalParams": {},
        "extVirtualLinks": [],
        "extManagedVirtualLinks": [],
    }
    op = ended(lifecycle, client, client.post(f"{instance}/instantiate", body, format="json"))
    assert (op["operation"], op["operationState"]) == ("INSTANTIATE", "COMPLETED"), op
    assert handles(op["resourceChanges"]) == {"CloudOwner_RegionOne"}
    assert op["operationParams"]["vimConnectionInfo"][0]["accessInfo"]["projectId"] == PROJECT
    shown = client.get(instance).json()
    assert shown["instantiationState"] == "INSTANTIATED"
    assert shown["vimConnectionInfo"][0]["id"] == "CloudOwner_RegionOne", "its own identifier"
    assert shown["vimConnectionInfo"][0]["vimId"] == str(lifecycle.vim.id), "a cloud that is known is that cloud"
    assert handles(shown["instantiatedVnfInfo"]) == {"CloudOwner_RegionOne"}
    scale = {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}
    op = ended(lifecycle, client, client.post(f"{instance}/scale", scale, format="json"))
    assert op["operationState"] == "COMPLETED", op
    terminate = {"terminationType": "FORCEFUL"}
    op = ended(lifecycle, client, client.post(f"{instance}/terminate", terminate, format="json"))
    assert op["operationState"] == "COMPLETED"
    assert handles(op["resourceChanges"]) == {"CloudOwner_RegionOne"}
    assert client.delete(instance).status_code == 204
    assert handles(client.get(f"{ROOT}/vnf_lcm_op_occs/{op['id']}").json()) == {"CloudOwner_RegionOne"}
    send()
    got = endpoint.notifications()
    results = [each["operation"] for each in got if each.get("notificationStatus") == "RESULT"]
    assert results == ["INSTANTIATE", "SCALE", "TERMINATE"]
    assert {each["notificationType"] for each in got} >= {"VnfIdentifierDeletionNotification"}
    assert handles(got) == {"CloudOwner_RegionOne"}


def test_a_project_id_finds_the_cloud_for_any_login(lifecycle: Lifecycle, operator_api: ValidatingClient) -> None:
    """An operator may use any registered cloud by its id; he who names endpoint and project names no more than that."""
    sent = vim_of_onap(lifecycle)
    sent["accessInfo"]["credentials"] = {"username": "so", "password": "another"}
    body = {"flavourId": lifecycle.instantiate_request()["flavourId"], "vimConnectionInfo": [sent]}
    path = f"{ROOT}/vnf_instances/{lifecycle.create().id}/instantiate"
    unknown = operator_api.post(path, body, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (403, "VIM_NOT_REGISTERED")
    Vim.objects.update(scoped_project_id=PROJECT)
    assert operator_api.post(path, body, format="json").status_code == 202


def test_a_cloud_by_its_name(lifecycle: Lifecycle, operator_api: ValidatingClient) -> None:
    body = {
        "flavourId": lifecycle.instantiate_request()["flavourId"],
        "vimConnectionInfo": [{"id": "c", "vimId": lifecycle.vim.name, "vimType": "openstack"}],
    }
    path = f"{ROOT}/vnf_instances/{lifecycle.create().id}/instantiate"
    assert operator_api.post(path, body, format="json").status_code == 202


@pytest.mark.parametrize(
    ("access", "words", "place"),
    [
        ({"credentials": {"username": "so", "password": "x"}}, "lacks the project (project or projectId).", "project"),
        ({"projectId": "p"}, "lacks the user name, the password.", "username"),
    ],
)
def test_an_incomplete_connection_says_what_it_lacks(
    lifecycle: Lifecycle, operator_api: ValidatingClient, access: dict[str, Any], words: str, place: str
) -> None:
    info = vim_of_onap(lifecycle) | {"accessInfo": access}
    body = {"flavourId": lifecycle.instantiate_request()["flavourId"], "vimConnectionInfo": [info]}
    path = f"{ROOT}/vnf_instances/{lifecycle.create().id}/instantiate"
    refused = operator_api.post(path, body, format="json").json()
    assert (refused["status"], refused["code"]) == (422, "INCOMPLETE_VIM")
    assert refused["detail"] == f"The VIM connection {words}"
    assert refused["errors"][0]["field"] == f"/vimConnectionInfo/0/accessInfo/{place}"


@pytest.mark.parametrize(
    ("root", "nothing"),
    [
        ("/vnflcm/v1", {"extVirtualLinks": {}, "extManagedVirtualLinks": {}, "vimConnectionInfo": {}}),
        (
            "/vnflcm/v2",
            {"extVirtualLinks": [], "extManagedVirtualLinks": [], "vimConnectionInfo": {}, "extensions": {}},
        ),
    ],
    ids=["2.4.1", "3.5.1"],
)
def test_the_ibm_driver_instantiates_by_its_templates(
    lifecycle: Lifecycle, operator_api: ValidatingClient, root: str, nothing: dict[str, Any]
) -> None:
    instance = lifecycle.create()
    flavour = lifecycle.instantiate_request()["flavourId"]
    body = {**nothing, "flavourId": flavour, "localizationLanguage": "en-GB", "additionalParams": {}}
    accepted = operator_api.post(f"{root}/vnf_instances/{instance.id}/instantiate", body, format="json")
    assert accepted.status_code == 202, accepted.json()


PLACED = {"0": {"id": "l", "resourceId": "private", "extCps": [{"cpdId": "data-path-data1"}]}}
"""IBM's driver adds an entry of an array by its place."""
IBM_VERBS: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("scale", {"type": "SCALE_OUT", "aspectId": "data-path", "numberOfSteps": 1}, False),
    ("scale_to_level", {"scaleInfo": [], "instantiationLevelId": "default"}, False),
    ("scale_to_level", {"scaleInfo": [{"aspectId": "data-path", "scaleLevel": 0}]}, False),
    ("operate", {"changeStateTo": "STOPPED", "stopType": "FORCEFUL"}, False),
    ("operate", {"changeStateTo": "STARTED"}, False),
    ("heal", {"cause": "requested by the orchestrator"}, False),
    ("change_ext_conn", {"extVirtualLinks": PLACED, "vimConnectionInfo": {}}, False),
    (
        "change_flavour",
        {"newFlavourId": "default", "extVirtualLinks": {}, "extManagedVirtualLinks": {}, "vimConnectionInfo": {}},
        False,
    ),
    ("change_vnfpkg", {"extVirtualLinks": [], "extManagedVirtualLinks": [], "vimConnectionInfo": {}}, True),
    ("terminate", {"terminationType": "FORCEFUL"}, False),
)
"""Task, body of its request template, and whether only 3.5.1 has it; the driver adds `additionalParams` to each."""


@pytest.mark.parametrize("root", ["/vnflcm/v1", "/vnflcm/v2"], ids=["2.4.1", "3.5.1"])
def test_the_ibm_driver_requests_every_verb(lifecycle: Lifecycle, operator_api: ValidatingClient, root: str) -> None:
    """Its shapes are accepted; what each verb does is tested elsewhere, so the operation is cancelled at once."""
    create = {"vnfdId": str(lifecycle.package.vnfd_id), "vnfInstanceName": "ibm", "additionalParams": {}}
    made = operator_api.post(f"{root}/vnf_instances", create, format="json")
    assert made.status_code == 201, made.json()
    instance = lifecycle.instantiated()
    onboarded(vsr_next())
    for task, body, is_new in IBM_VERBS:
        if is_new and root.endswith("v1"):
            continue
        whole = {**body, "additionalParams": {}}
        if task == "change_vnfpkg":
            whole |= {"vnfdId": NEXT_VNFD, "extensions": {}, "vnfConfigurableProperties": {}}
        accepted = operator_api.post(f"{root}/vnf_instances/{instance.id}/{task}", whole, format="json")
        assert accepted.status_code == 202, (task, accepted.json())
        op_id = urlsplit(accepted.headers["Location"]).path.rpartition("/")[2]
        op_cancel(op_id=UUID(op_id), mode=CancelMode.FORCEFUL, actor="test")
        assert lifecycle.run(UUID(op_id)).state == "ROLLED_BACK"
