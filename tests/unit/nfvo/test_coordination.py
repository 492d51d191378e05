"""The adapter of a foreign EM: its answers, and what of them is not believed."""

from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.support.em_standin import EmStandIn, busy, ending, working
from tests.support.nfvo_standin import Behaviour, problem, status
from vnfm.config.nfvo_settings import _nfvo_url, _seconds
from vnfm.kit import clock
from vnfm.nfvo.coordination import HttpElementManager
from vnfm.nfvo.errors import CoordinationRejected, CoordinationUnknown, EmUnreachable
from vnfm.nfvo.login import NfvoCredentials
from vnfm.nfvo.ports import Coordinated, CoordinationPending

ACTION = "drain"
REQUEST = {
    "vnfInstanceId": "i",
    "vnfLcmOpOccId": "o",
    "lcmOperationType": "SCALE",
    "coordinationActionName": ACTION,
    "_links": {},
}


@pytest.fixture
def standin() -> Iterator[EmStandIn]:
    with EmStandIn() as em:
        yield em


@pytest.fixture
def em(standin: EmStandIn) -> HttpElementManager:
    return HttpElementManager(standin.url, patience=1.0)


def test_an_answer_at_once_has_its_result_and_the_words_of_the_em(standin: EmStandIn, em: HttpElementManager) -> None:
    standin.then(ending("ABORT", warnings="slow", error={"title": "No", "status": 409, "detail": "A call is on."}))
    answer = em.coordinate(REQUEST)
    (coordination_id,) = standin.coordinations
    assert answer == Coordinated(coordination_id, "ABORT", "slow", "No: A call is on.")
    assert standin.requests[0].headers["Version"] == "1.0.0"


def test_a_later_answer_is_read_and_cancelled_by_its_location(standin: EmStandIn, em: HttpElementManager) -> None:
    standin.then(working(7))
    pending = em.coordinate(REQUEST)
    assert isinstance(pending, CoordinationPending)
    assert pending.retry_after == 7.0
    assert em.get_coordination(pending.coordination_id) == CoordinationPending(pending.coordination_id)
    em.cancel_coordination(pending.coordination_id)
    assert em.get_coordination(pending.coordination_id) == Coordinated(pending.coordination_id, "CANCELLED")


def test_one_without_an_answer_is_found_where_the_em_can_search(standin: EmStandIn, em: HttpElementManager) -> None:
    assert em.find_coordination("o", ACTION, ()) is None
    standin.then(working())
    pending = em.coordinate(REQUEST)
    assert em.find_coordination("o", ACTION, ()) == CoordinationPending(pending.coordination_id)
    assert em.find_coordination("o", ACTION, {pending.coordination_id}) is None, "it is of another step"
    assert em.find_coordination("o", "undrain", ()) is None
    standin.end("CONTINUE")
    assert em.find_coordination("o", ACTION, ()) == Coordinated(pending.coordination_id, "CONTINUE")
    standin.searchable = False
    assert em.find_coordination("o", ACTION, ()) is None


def test_without_time_it_says_when_to_ask_again(standin: EmStandIn, em: HttpElementManager) -> None:
    standin.then(busy(9), status(500))
    for after in (9.0, None):
        with pytest.raises(EmUnreachable) as error:
            em.coordinate(REQUEST)
        assert error.value.retry_after == after


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        ("in a minute", 50, 60),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 1, 1),
        ("Fri, 01 Jan 9999 00:00:00 GMT", 999_999, 999_999),
    ],
)
def test_it_may_say_it_by_a_date(
    standin: EmStandIn, em: HttpElementManager, value: str, least: float, most: float
) -> None:
    text = format_datetime(clock.now() + timedelta(seconds=60), usegmt=True) if value == "in a minute" else value
    standin.then(status(503, Retry_After=text))
    with pytest.raises(EmUnreachable) as error:
        em.coordinate(REQUEST)
    assert error.value.retry_after is not None
    assert least <= error.value.retry_after <= most


@pytest.mark.parametrize("value", ["soon", "Thu, 99 Foo 2026 00:00:00 GMT", "-1"])
def test_what_is_no_time_is_none(standin: EmStandIn, em: HttpElementManager, value: str) -> None:
    standin.then(status(503, Retry_After=value))
    with pytest.raises(EmUnreachable) as error:
        em.coordinate(REQUEST)
    assert error.value.retry_after is None


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (problem(409, "Another runs."), "Another runs"),
        (problem(403, "Not this VNF."), "Not this VNF"),
        (status(202, Location="/elsewhere/7"), "without a Location"),
        (status(201, {"id": "7", "coordinationResult": "PERHAPS"}), "no LcmCoord"),
        (status(201, {"id": "../7", "coordinationResult": "CONTINUE"}), "no LcmCoord"),
        (status(201, b"[" * 100_000), "no LcmCoord"),
        (status(204), "answers 204"),
        (status(302, Location="http://127.0.0.1:1/"), "redirects are not followed"),
    ],
)
def test_other_answers_are_refused_in_words(
    standin: EmStandIn, em: HttpElementManager, behaviour: Behaviour, words: str
) -> None:
    standin.then(behaviour)
    with pytest.raises(CoordinationRejected, match=words) as error:
        em.coordinate(REQUEST)
    assert error.value.as_problem("Asking").causes[0].source == "em"
    assert len(standin.requests) == 1


def test_a_coordination_that_the_em_has_lost(em: HttpElementManager) -> None:
    with pytest.raises(CoordinationUnknown, match="no such coordination"):
        em.get_coordination("gone")


def test_the_login_is_that_of_the_em(standin: EmStandIn, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("word\n")
    known = NfvoCredentials(client_id="vnfm", secret_file=str(tmp_path / "secret"), settings="VNFM_EM")
    HttpElementManager(standin.url, credentials=known).coordinate(REQUEST)
    assert standin.requests[0].headers["Authorization"].startswith("Basic ")
    (tmp_path / "secret").unlink()
    with pytest.raises(CoordinationRejected, match="VNFM_EM_SECRET_FILE cannot be read"):
        HttpElementManager(standin.url, credentials=known).coordinate(REQUEST)


def test_settings_are_checked() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"https://em\.example/lcmcoord/v1"):
        _nfvo_url("http://em.example/lcmcoord/v1", "VNFM_EM_COORD_URL")
    assert _seconds("60") == 60
    for text in ("0", "x", "99999"):
        with pytest.raises(ImproperlyConfigured, match="VNFM_EM_SECONDS"):
            _seconds(text)
