"""An NFVO decides: asked once, not waited for in a thread, followed or refused in words. One over HTTP stands in."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests.factories.catalog import onboarded
from tests.factories.packages import vsr_next
from tests.service.lcm.lifecycle import CrashError, Lifecycle
from tests.support.cloudsim_process import CloudsimProcess
from tests.support.nfvo_standin import NfvoStandIn, dripping, granting, hanging, problem, status, undecided
from vnfm.kit import clock
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import DRIVEN_STATES, CancelMode, Operation
from vnfm.lcm.domain.steps import SHORTEST_REQUESTED
from vnfm.lcm.models import LcmOpOcc
from vnfm.lcm.reconcilers.driver import drive
from vnfm.lcm.reconcilers.preview import compute_preview
from vnfm.lcm.selectors.operations import op_story
from vnfm.lcm.services.operations import op_cancel
from vnfm.lcm.services.plans import plan_request
from vnfm.nfvo import registry
from vnfm.nfvo.http import HttpNfvo
from vnfm.nfvo.login import NfvoCredentials
from vnfm.nfvo.ports import Answer, Nfvo

if TYPE_CHECKING:
    from rest_framework.test import APIClient

SCALE_OUT = {"type": "SCALE_OUT", "aspectId": "data-path"}
TOKEN = "ZmlsZS10b2tlbg=="

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def nfvo(lifecycle: Lifecycle, tmp_path: Path) -> Iterator[NfvoStandIn]:
    """The NFVO that the product is wired to; it grants everything where the test says nothing else."""
    (tmp_path / "token").write_text(TOKEN + "\n")
    with NfvoStandIn() as standin:
        credentials = NfvoCredentials(token_file=str(tmp_path / "token"))
        registry.install(HttpNfvo(standin.url, credentials=credentials, patience=0.5))
        yield standin
        registry.install(None)


@pytest.fixture
def op(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> LcmOpOcc:
    """An instantiation that has been accepted, and not been looked at yet."""
    return lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request())


def look(op: LcmOpOcc) -> LcmOpOcc:
    """One look now, whatever the time of the next one is."""
    LcmOpOcc.objects.filter(id=op.id).update(wake_at=None)
    drive(op.id)
    op.refresh_from_db()
    return op


def ended(op: LcmOpOcc) -> LcmOpOcc:
    """Drive until the operation is in no driven state."""
    while op.state in DRIVEN_STATES:
        op = look(op)
    return op


def texts(op: LcmOpOcc) -> list[str]:
    return [sentence.text for sentence in op_story(op)]


def refused(life: Lifecycle, op: LcmOpOcc, code: str) -> str:
    """Its detail; nothing was touched and the instance is free."""
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", code), life.story(op)
    assert life.stacks_of(op.instance) == []
    op.instance.refresh_from_db()
    assert (op.instance.instantiation_state, op.instance.vim_id) == ("NOT_INSTANTIATED", None)
    return str(op.problem["detail"])


def test_granted_at_once(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    (request,) = nfvo.grant_requests()
    assert request["vnfLcmOpOccId"] == str(op.id)
    assert request["_links"]["vnfLcmOpOcc"]["href"] == "http://testserver" + reverse("vnf_lcm_op_occ", args=[op.id])
    assert request["_links"]["vnfInstance"]["href"].endswith(reverse("vnf_instance", args=[op.instance_uuid]))
    (grant_id,) = nfvo.grants
    assert (op.grant["id"], op.grant["grantedBy"], op.grant["href"]) == (grant_id, "nfvo", nfvo.uri(grant_id))
    assert {"Quota", "Capacity", "Resources", "Vim"} <= {check["name"] for check in op.grant["checks"]}
    assert f"It was granted by the NFVO as grant {grant_id}." in texts(op)
    assert "The NFVO was asked for a grant." in texts(op)
    headers = nfvo.requests[0].headers
    assert (headers["Authorization"], headers["Version"]) == (f"Bearer {TOKEN}", "1.7.0")


def test_the_api_shows_who_granted(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, api: "APIClient") -> None:
    etsi, ours = reverse("vnf_lcm_op_occ", args=[op.id]), f"/api/v1/vnf_lcm_op_occs/{op.id}"
    nfvo.then(undecided)
    look(op)
    (grant_id,) = nfvo.undecided
    pending = api.get(ours).json()
    assert (pending["grant"], pending["pendingGrant"]["grantId"], pending["pendingGrant"]["failure"]) == (
        None,
        grant_id,
        "",
    )
    assert "grantId" not in api.get(etsi).json(), "there is no grant before it is decided"
    nfvo.decide()
    look(op)
    for view in (api.get(etsi).json(), *api.get("/vnflcm/v2/vnf_lcm_op_occs").json()):
        assert (view["grantId"], view["_links"]["grant"]) == (grant_id, {"href": nfvo.uri(grant_id)})
    assert api.get(ours).json()["pendingGrant"] is None
    ended(op)


def test_the_grant_request_of_each_operation(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> None:
    instance = lifecycle.instantiated()
    lifecycle.done(instance, Operation.SCALE, SCALE_OUT)
    servers = lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.SCALE, {**SCALE_OUT, "type": "SCALE_IN"})
    left = set(lifecycle.servers_of(instance).values())
    lifecycle.done(instance, Operation.MODIFY_INFO, {"metadata": {"site": "Bern"}})
    lifecycle.done(instance, Operation.TERMINATE, {"terminationType": "FORCEFUL"})
    first, out, scale_in, end = nfvo.grant_requests()
    assert [row["id"] for row in out["addResources"] if row["type"] == "COMPUTE"] == ["add/data-path/2"]
    gone = {row["resource"]["resourceId"] for row in scale_in["removeResources"] if row["type"] == "COMPUTE"}
    assert gone == set(servers.values()) - left
    assert all(row["resource"]["resourceId"] for row in scale_in["removeResources"] + end["removeResources"])
    assert {row["resource"]["resourceId"] for row in end["removeResources"] if row["type"] == "COMPUTE"} == left
    assert {row["id"].removeprefix("add/") for row in first["addResources"] if row["type"] == "VL"} == {
        row["id"].removeprefix("remove/") for row in end["removeResources"] if row["type"] == "VL"
    }


def test_heal_start_and_stop_are_updates(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> None:
    instance = lifecycle.instantiated()
    servers = lifecycle.servers_of(instance)
    lifecycle.done(instance, Operation.OPERATE, {"changeStateTo": "STOPPED", "stopType": "FORCEFUL"})
    lifecycle.done(instance, Operation.OPERATE, {"changeStateTo": "STARTED"})
    lifecycle.done(instance, Operation.HEAL, {"additionalParams": {"vnfcToHeal": ["control/B"], "method": "reboot"}})
    stop, start, heal = (
        {row["resource"]["resourceId"] for row in request["updateResources"] if row["type"] == "COMPUTE"}
        for request in nfvo.grant_requests()[1:]
    )
    assert stop == start == set(servers.values())
    assert heal == {servers["B"]}


def test_a_decision_that_takes_time_is_looked_for_again(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    nfvo.then(undecided)
    op = look(look(op))
    assert (op.state, op.grant, op.waiting_since) == ("STARTING", None, None)
    assert op.wake_at is not None, "it will be driven again"
    (grant_id,) = nfvo.undecided
    assert f"The NFVO has not decided on grant {grant_id} yet." in texts(op)
    nfvo.decide()
    op = lifecycle.run(look(op).id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert op.grant["id"] == grant_id
    assert len(nfvo.grant_requests()) == 1
    assert op.grant_request is None


def test_no_is_the_end_with_the_nfvos_own_words(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    nfvo.then(problem(403, "The tenant is over its budget."))
    op = look(op)
    assert "The tenant is over its budget." in refused(lifecycle, op, "GRANT_DENIED")
    assert op.problem["causes"] == [{"source": "nfvo", "message": "No: The tenant is over its budget. (403)"}]
    lifecycle.done(op.instance, Operation.INSTANTIATE, lifecycle.instantiate_request())


def test_no_after_a_while(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    nfvo.then(undecided)
    op = look(op)
    nfvo.decide(denied="Not tonight.")
    assert "Not tonight." in refused(lifecycle, look(op), "GRANT_DENIED")


@pytest.mark.matrix(1)
@pytest.mark.parametrize("trouble", [status(500), status(503, Retry_After="1"), hanging, dripping])
def test_an_nfvo_that_is_away_is_waited_for(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, trouble: Any
) -> None:
    nfvo.then(trouble)
    op = look(op)
    assert (op.state, bool(op.waiting_since)) == ("STARTING", True)
    assert any("The NFVO has not answered since" in text for text in texts(op))
    op = lifecycle.run(op.id)
    assert (op.state, op.waiting_since) == ("COMPLETED", None), lifecycle.story(op)
    assert {request["vnfLcmOpOccId"] for request in nfvo.grant_requests()} == {str(op.id)}


@pytest.mark.parametrize("code", [202, 503])
def test_an_nfvo_without_a_pause_gets_one_request_a_second(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, code: int
) -> None:
    at_once = status(code, Location=nfvo.uri("g"), Retry_After="0")
    nfvo.then(*[at_once] * 9)
    began, op = clock.now(), look(op)
    assert len(nfvo.requests) == 1
    assert op.wake_at >= began + timedelta(seconds=SHORTEST_REQUESTED)
    op = look(op)
    assert (op.state, len(nfvo.requests)) == ("STARTING", 2)


def test_the_nfvo_is_out_of_reach(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    registry.install(HttpNfvo("http://127.0.0.1:1/grant/v1"))
    op = look(look(op))
    assert (op.state, op.grant_request["attempts"]) == ("STARTING", 2)
    registry.install(HttpNfvo(nfvo.url))
    assert ended(op).state == "COMPLETED"


@pytest.mark.matrix(1)
@pytest.mark.parametrize(("trouble", "code"), [(status(500), "NFVO_UNREACHABLE"), (undecided, "GRANT_NOT_DECIDED")])
def test_at_the_deadline_the_operation_ends(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, trouble: Any, code: str
) -> None:
    LcmOpOcc.objects.filter(id=op.id).update(deadline=op.start_time)
    nfvo.then(trouble)
    refused(lifecycle, look(op), code)


@pytest.mark.matrix(1)
@pytest.mark.parametrize("trouble", [undecided, status(500)])
def test_while_it_waits_it_can_be_cancelled(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, trouble: Any
) -> None:
    nfvo.then(trouble)
    op = look(op)
    op_cancel(op_id=op.id, mode=CancelMode.GRACEFUL, actor="test")
    op = lifecycle.run(op.id)
    refused(lifecycle, op, "CANCELLED")
    assert all("not decided" not in text for text in texts(op))


@pytest.mark.matrix(1)
@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (problem(401, "Who are you?"), "Who are you?"),
        (problem(422, "No such VNFD."), "No such VNFD."),
        (status(404, b"<html>", Content_Type="text/html"), "404 with 6 bytes of text/html"),
        (status(201, b"{not json"), "is no Grant: 9 bytes of application/json"),
        (status(201, b"[" * 100_000), "is no Grant"),
        (status(201, {"id": "x"}), "not as SOL003 9.5.2.3 has it"),
        (status(201, b" " * 2_000_000), "longer than 1048576 bytes"),
        (status(202), "without a Location"),
        (status(202, Location="https://nfvo.example/grant/v1/grants/.."), "without a Location"),
        (status(204), "204, which is not expected here"),
    ],
)
def test_a_final_refusal_of_the_nfvo_ends_the_operation(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, behaviour: Any, words: str
) -> None:
    nfvo.then(behaviour)
    op = look(op)
    assert op.problem["code"] in ("NFVO_REJECTED", "NFVO_UNUSABLE")
    assert words in refused(lifecycle, op, op.problem["code"])


def test_a_redirect_is_not_followed(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    with NfvoStandIn() as elsewhere:
        nfvo.then(status(307, Location=elsewhere.url + "/grants"))
        assert "redirects are not followed" in refused(lifecycle, look(op), "NFVO_UNUSABLE")
        assert elsewhere.requests == []


def test_a_location_elsewhere_does_not_lead_us_there(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    with NfvoStandIn() as elsewhere:
        nfvo.then(status(202, Location=elsewhere.uri("grant-7")))
        look(op)
        nfvo.grant(nfvo.grant_requests()[0], "grant-7")
        op = ended(op)
        assert (op.state, elsewhere.requests) == ("COMPLETED", [])
        assert op.grant["href"] == nfvo.uri("grant-7")


def test_the_token_is_read_at_each_use_and_never_leaks(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, tmp_path: Path, capfd: Any
) -> None:
    nfvo.then(status(500))
    op = look(op)
    (tmp_path / "token").write_text("another-token")
    nfvo.then(status(500))
    op = look(op)
    assert [request.headers["Authorization"] for request in nfvo.requests] == [
        f"Bearer {TOKEN}",
        "Bearer another-token",
    ]
    (tmp_path / "token").write_text("two words\nand a line")
    op = look(op)
    detail = refused(lifecycle, op, "NFVO_UNUSABLE")
    assert "does not hold a bearer token" in detail
    shown = "".join([str(op.grant_request), str(op.problem), *texts(op), *capfd.readouterr()])
    assert all(secret not in shown for secret in (TOKEN, "another-token", "two words"))


class Dying:
    """The process dies when the NFVO has answered, before the answer is written down."""

    def __init__(self, nfvo: Nfvo) -> None:
        self._nfvo = nfvo

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nfvo, name)

    def request_grant(self, request: Mapping[str, Any]) -> Answer:
        self._nfvo.request_grant(request)
        raise CrashError


@pytest.mark.matrix(1)
@pytest.mark.parametrize(("searchable", "requests"), [(True, 1), (False, 2)])
def test_after_a_crash_an_existing_grant_is_found_before_a_new_request(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, searchable: bool, requests: int
) -> None:
    """An NFVO without search of grants knows the operation by its id."""
    nfvo.searchable = searchable
    wired = registry.nfvo()
    assert wired is not None
    registry.install(Dying(wired))  # type: ignore[arg-type]  # hands on all but `ask`
    with pytest.raises(CrashError):
        look(op)
    registry.install(wired)
    op = ended(op)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert [request["vnfLcmOpOccId"] for request in nfvo.grant_requests()] == [str(op.id)] * requests
    assert nfvo.grant_requests()[0] == nfvo.grant_requests()[-1]


def test_a_stored_grant_is_not_requested_again(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc, cloudsim: CloudsimProcess
) -> None:
    nfvo.then(granting(zones=[{"id": "z", "zoneId": "nova"}]))
    rule = {"service": "compute", "path": "/os-availability-zone", "effect": "status", "status": 503, "times": 50}
    cloudsim.control("POST", "/failures", rule)
    op = look(op)
    assert (op.state, bool(op.waiting_since)) == ("STARTING", True)
    assert any("Its cloud has not answered since" in text for text in texts(op))
    cloudsim.control("DELETE", "/failures")
    asked = len(nfvo.requests)
    op = ended(op)
    assert (op.state, op.grant["zones"], len(nfvo.requests)) == ("COMPLETED", ["nova"], asked)


def test_a_zone_that_cannot_be_chosen_is_refused(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    nfvo.then(granting(zones=[{"id": "z", "zoneId": "east"}]))
    detail = refused(lifecycle, look(op), "GRANT_NOT_HONOURED")
    assert detail == "It wants east; the VIM has nova, and Nova would choose by itself."


def test_another_vim_is_refused(lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc) -> None:
    access = {"username": "u", "password": "their secret"}
    info = {"vimType": "x", "interfaceInfo": {"endpoint": "https://other.example:5000"}, "accessInfo": access}
    nfvo.then(granting(vimConnectionInfo={"west": info}))
    assert "the VIM west used" in refused(lifecycle, look(op), "GRANT_NOT_HONOURED")
    assert "their secret" not in str(op.grant_request)


def test_the_flavor_and_image_that_the_nfvo_names_are_used(
    lifecycle: Lifecycle, nfvo: NfvoStandIn, op: LcmOpOcc
) -> None:
    flavors = lifecycle.cloud.flavors.list()
    chosen = max(flavors, key=lambda flavor: flavor.vcpus)
    image = lifecycle.cloud.images.list()[0]
    assets = {
        "computeResourceFlavours": [{"vnfdVirtualComputeDescId": "control", "vimFlavourId": chosen.id}],
        "softwareImages": [{"vnfdSoftwareImageId": "vsr", "vimSoftwareImageId": image.id}],
    }
    nfvo.then(granting(vimAssets=assets))
    op = lifecycle.run(op.id)
    assert op.state == "COMPLETED", lifecycle.story(op)
    assert (op.grant["flavors"], op.grant["images"]) == ({"control": chosen.id}, {"vsr": image.id})
    assert op.plan["parameters"]["control_flavor"] == chosen.name
    assert op.plan["parameters"]["image"] == image.id
    control = [server for server in lifecycle.cloud.servers.list() if server.metadata.get("vdu") == "control"]
    assert [server.flavor in (chosen.id, chosen.name) for server in control] == [True, True]
    assert lifecycle.images() == [], "no placeholder was uploaded"


def images(ident: str) -> dict[str, Any]:
    return {"softwareImages": [{"vnfdSoftwareImageId": "vsr", "vimSoftwareImageId": ident}]}


def test_the_images_that_the_nfvo_names_are_those_of_the_new_package(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> None:
    instance = lifecycle.instantiated()
    package, before = onboarded(vsr_next()), lifecycle.images()
    image = next(image for image in lifecycle.cloud.images.list() if image.name == "tiny")
    nfvo.then(granting(vimAssets=images(image.id)))
    servers = lifecycle.servers_of(instance)
    op = lifecycle.done(instance, Operation.CHANGE_VNFPKG, {"vnfdId": str(package.vnfd_id)})
    request = nfvo.grant_requests()[-1]
    assert (request["operation"], request["dstVnfdId"]) == ("CHANGE_VNFPKG", str(package.vnfd_id))
    updated = {row["resource"]["resourceId"] for row in request["updateResources"] if row["type"] == "COMPUTE"}
    assert updated == set(servers.values())
    assert op.grant["images"] == {"vsr": image.id}
    assert lifecycle.servers_of(instance) == servers
    assert {lifecycle.cloud.servers.show(server).image for server in servers.values()} == {image.id}
    assert (instance.package_id, instance.settings) == (package.id, {"image": image.id})
    assert lifecycle.images() == before, "the package's own is not brought"


def test_another_image_than_the_requested_one_is_rejected(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> None:
    instance = lifecycle.instantiated()
    package, servers = onboarded(vsr_next()), lifecycle.servers_of(instance)
    nfvo.then(granting(vimAssets=images("their-image")))
    request = {"vnfdId": str(package.vnfd_id), "additionalParams": {"image": "tiny"}}
    op = lifecycle.run(lifecycle.start(instance, Operation.CHANGE_VNFPKG, request).id)
    assert (op.state, op.problem["code"]) == ("ROLLED_BACK", "GRANT_DIFFERS")
    (error,) = op.problem["errors"]
    assert error["field"] == "/additionalParams/image"
    assert error["message"] == "The NFVO grants 'their-image', the request wants 'tiny'."
    instance.refresh_from_db()
    assert (instance.package_id, lifecycle.servers_of(instance)) == (lifecycle.package.id, servers)


def test_without_an_nfvo_we_grant_by_ourselves(lifecycle: Lifecycle) -> None:
    op = lifecycle.run(lifecycle.start(lifecycle.create(), Operation.INSTANTIATE, lifecycle.instantiate_request()).id)
    assert (op.state, op.grant["grantedBy"]) == ("COMPLETED", "vnfm")


def test_a_preview_shows_that_the_nfvo_decides(lifecycle: Lifecycle, nfvo: NfvoStandIn) -> None:
    preview = plan_request(
        request=parse_request(Operation.INSTANTIATE, lifecycle.instantiate_request()),
        vnfd_id=lifecycle.package.vnfd_id,
        instance_id=None,
        actor="test",
    )
    compute_preview(preview.id)
    preview.refresh_from_db()
    first, *ours = preview.result["grant"]
    assert (first["name"], first["status"]) == ("Nfvo", "Unknown")
    assert not any(check["binding"] for check in ours)
    assert nfvo.requests == [], "a preview requests nothing"
