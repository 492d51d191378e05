"""The served API does what its description says: schemathesis sends what each operation allows, and what it forbids.

The normal run has a case or two of each operation; `-m long` has all corner cases of each schema, and a hundred random
requests beside them, in parts that can be repeated by themselves.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from importlib import import_module
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from jsonschema import Draft202012Validator, FormatChecker
from rest_framework.exceptions import ErrorDetail
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import AcceptedNegativeData, IgnoredAuth, RejectedPositiveData, ignored_auth

from tests.factories.accounts import make_user
from tests.support.product import web
from tests.support.validating_client import EARLIER_EDITION, OPENAPI
from tests.support.worker import serving
from tests.support.yaml_text import openapi
from vnfm.accounts.tokens import token_issue
from vnfm.kit.durable import worker_request
from vnfm.kit.problem import Problem, ProblemError
from vnfm.kit.web.wire import StrictSerializer

PARTS = 12
"""The long run has this many parts."""
LONGEST_QUERY = 32 * 1024
"""Characters: of the line and headers of a request the server (h11) takes 64 KiB, of which no schema tells."""

log = logging.getLogger(__name__)

pytestmark = pytest.mark.django_db(transaction=True)

NOT_HERE = {
    "/api/v1/events": "streams for ten minutes",
    "/api/v1/session": "logs out",
    "/api/v1/api_tokens/{token_id}": "may be the token of the test itself",
}
BEYOND_SCHEMAS = {"INVALID_FILTER", "INVALID_MARKER", "INVALID_SELECTOR", "FILE_MISSING", "FILE_TWICE"}
BEYOND_SCHEMAS |= {"FILE_EXPECTED", "ROOT_INVALID", "FETCH_INVALID"}
"""Codes of 400 about texts with a grammar of their own (SOL013 5), which a schema calls strings, and about files."""
BETWEEN_ATTRIBUTES = (
    "It belongs to ASSIGN, and ASSIGN needs it.",
    "Not together with vnfdId.",
    "Only with terminationType GRACEFUL.",
    "Only with stopType GRACEFUL.",
    "Needed with stopType GRACEFUL.",
    "Only with changeStateTo STOPPED.",
    "Only with notificationTypes that include ",
    "A port gets one address of a kind.",
    "This field is required without vimId.",
    "Give either vnfdId or vnfInstanceId.",
    "Give operationalState, userDefinedData, or both.",
    "Name something to change.",
    "Name a performanceMetric or a performanceMetricGroup.",
    "With subObjectInstanceIds there must be exactly one object instance.",
    "Give callbackUri, authentication or both.",
    "The counters of ",
    "Only for the channel ",
    "There is no such time zone,",
    "More were lost than sent.",
    "Give either instantiationLevelId or scaleInfo.",
    "Give the amount of at least one dimension.",
    "It is required for this channel.",
    "Enter a valid IPv4 or IPv6 address.",
    "does not exist",
    "This time has passed.",
    "Figures are known for these host types:",
    "The number is too large.",
    "Allowed units: ",
    "We have no client certificate",
    "Either a mix of frame sizes or one frame size.",
    "It is required: no parameters are provisioned out of band.",
)
"""The messages of attributes that are each right by themselves, of names in a registry such as that of time zones, and
of integers beyond 64 bits in values of any type (the others have bounds), and of what this installation has not.
"""

_BROKEN = re.compile("violates `(.+?)`")
_OF_FILES = {"format", "additionalProperties"}
PLANNED = "/request/"
"""Attributes below it are those of the planned operation, whose schema must refuse them too: a plan's has any."""


@schemathesis.serializer("application/zip")
def _zip(_: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _no_cloud_answers(request_id: str) -> None:
    """In place of a worker: it has found no cloud and no subscriber."""

    def respond(_: dict[str, Any]) -> dict[str, Any]:
        raise ProblemError(Problem(422, "NOT_REACHABLE", "Not reachable", "Nothing answers."))

    worker_request.answer(UUID(request_id), respond)


class Caller:
    """An administrator who checks all that schemathesis can."""

    def __init__(self, url: str, *, without_auth: bool) -> None:
        _, secret = token_issue(user=make_user(role="admin"), name="schemathesis")
        self._url, self._headers = url, {"Authorization": f"Bearer {secret}"}
        self._session = requests.Session()
        self._excluded = [] if without_auth else [ignored_auth]
        self.sent = 0
        self.failures: dict[str, str] = {}
        """Operation and kind of failure → the first of its kind."""

    def check(self, case: Case) -> None:
        if len(urlencode(case.query or {}, doseq=True)) > LONGEST_QUERY:
            return
        if case.headers and "Idempotency-Key" in case.headers and case.method == "POST":
            case.headers["Idempotency-Key"] = str(uuid4())  # one that comes again would only get its answer again
        response = case.call(base_url=self._url, session=self._session, headers=self._headers, timeout=60)
        self.sent += 1
        try:
            case.validate_response(response, headers=self._headers, excluded_checks=self._excluded)
        except FailureGroup as group:
            for failure in group.exceptions:
                if not _is_beyond_schemas(failure, case, response):
                    self.failures.setdefault(
                        f"{case.operation.label}: {failure.title}", _description(case, failure, response)
                    )


def _is_beyond_schemas(failure: Failure | Exception, case: Case, response: Any) -> bool:
    """Return whether a request is refused for what no schema says: that its schema allows, or by the limit of
    guesses.
    """
    if isinstance(failure, IgnoredAuth):
        return f"got `{HTTPStatus.TOO_MANY_REQUESTS.value} " in failure.message
    if isinstance(failure, AcceptedNegativeData):
        form = response.request.headers.get("Content-Type", "").startswith("multipart/")
        return (form and _is_form(failure.message)) or response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if not isinstance(failure, RejectedPositiveData):
        return False
    if response.status_code in {HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.PRECONDITION_FAILED} or not _allows(
        case.operation.path, case.operation.method.lower(), case.body
    ):
        return True  # schemathesis knows no format of a value that may be null, so that its body may be wrong
    problem = response.json()
    if "error" in problem:  # RFC 6749: a client's id and secret are in the form or in a header, which no schema says
        return True
    return problem["code"] in BEYOND_SCHEMAS or _are_excused(problem["errors"], response.request.body)


def _is_form(message: str) -> bool:
    """Return whether a form loses what is wrong: an array of one is what is in it, and each part is a file of any
    bytes.
    """
    return "became array" in message or ("in body" in message and set(_BROKEN.findall(message)) <= _OF_FILES)


@cache
def _unsupported() -> set[str]:
    """The messages of attributes that the types have and that are never honoured: 422, but for other errors beside."""
    import_module("vnfm.config.urls")
    kinds, sentences = [StrictSerializer], set[str]()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        sentences |= {str(reason) for reason in kind.cannot.values()}
        if isinstance(kind.strange, ErrorDetail):
            sentences.add(kind.strange)
    return sentences


def _are_excused(errors: list[dict[str, str]], body: str | bytes) -> bool:
    """Return whether all of these errors are of values that the schema does not describe."""
    unknown = _unknown(errors)
    if not unknown:
        return bool(errors)
    return all(each["field"].startswith(PLANNED) for each in unknown) and not _is_allowed(json.loads(body))


def _unknown(errors: list[dict[str, str]]) -> list[dict[str, str]]:
    known = (*BETWEEN_ATTRIBUTES, *_unsupported())
    return [each for each in errors if not any(words in each["message"] for words in known)]


def _is_allowed(plan: dict[str, Any]) -> bool:
    """Return whether the planned operation's own schema allows the request."""
    instance, name = "/vnflcm/v2/vnf_instances/{instance_id}", plan["operation"].lower()
    path, method = (instance, "patch") if name == "modify_info" else (f"{instance}/{name}", "post")
    return _allows(path, method, plan["request"])


def _allows(path: str, method: str, body: Any) -> bool:
    """Whether the schema of the request allows the body; what is not JSON is not looked at."""
    content = _document()["paths"][path][method].get("requestBody", {}).get("content", {})
    schema = next((each["schema"] for kind, each in content.items() if kind.endswith("json")), True)
    if schema is True:
        return True
    whole = {**schema, "components": _document()["components"]}
    return bool(Draft202012Validator(whole, format_checker=FormatChecker()).is_valid(body))


@cache
def _document() -> Any:
    return openapi()


def _description(case: Case, failure: Failure | Exception, response: Any) -> str:
    errors = response.json().get("errors", ()) if response.status_code == HTTPStatus.BAD_REQUEST else ()
    return f"{failure}\n{_unknown(errors)}\n{response.status_code} {response.text[:3000]}\n{case.as_curl_command()}"


def _operations() -> Iterator[APIOperation[Any, Any, Any, Any]]:
    schema = schemathesis.openapi.from_path(OPENAPI)
    schema.config.generation.update(allow_x00=False)  # U+0000 is refused before any view, with a test of its own
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path in NOT_HERE or operation.path.startswith(EARLIER_EDITION):
            continue  # the shapes of the earlier edition are ETSI's: any object is described there
        yield operation


def _random(operation: APIOperation[Any, Any, Any, Any], examples: int, check: Callable[[Case], None]) -> None:
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

        @settings(
            max_examples=examples,
            derandomize=examples == 1,  # the normal run says what has changed, not what chance has found
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(generation_mode=mode))
        def run(case: Case) -> None:
            check(case)

        with suppress(Unsatisfiable):  # nothing can be wrong with a request that has neither parameter nor body
            run()


def _all_corners(operation: APIOperation[Any, Any, Any, Any], check: Callable[[Case], None]) -> None:
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    config = operation.schema.config.generation_for(operation=operation, phase="coverage")
    for case in operation.schema.iter_coverage_cases(operation, generation_modes=modes, generation_config=config):
        check(case)


def test_each_operation_follows_its_description(product_env: dict[str, str]) -> None:
    with web(product_env) as url, serving(_no_cloud_answers):
        caller = Caller(url, without_auth=False)
        for operation in _operations():
            _random(operation, 1, caller.check)
    _judge(caller)


def test_each_integer_of_a_request_has_bounds() -> None:
    document = _document()
    bodies = {name: schema for name, schema in document["components"]["schemas"].items() if name.endswith("Request")}
    operations = [each for path in document["paths"].values() for each in path.values()]
    parameters = [parameter for operation in operations for parameter in operation.get("parameters", ())]
    assert [each for each in _integers([bodies, parameters]) if not {"minimum", "maximum"} <= each.keys()] == []


def _integers(schema: Any) -> Iterator[dict[str, Any]]:
    """Also those inside; not those of a list of values."""
    if isinstance(schema, list):
        schema = dict(enumerate(schema))
    if isinstance(schema, dict):
        kind = schema.get("type")
        if "enum" not in schema and (kind == "integer" or (isinstance(kind, list) and "integer" in kind)):
            yield schema
        for inside in schema.values():
            yield from _integers(inside)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: f"part-{part + 1}")
def test_each_operation_follows_its_description_in_all_corners(product_env: dict[str, str], part: int) -> None:
    with web(product_env) as url, serving(_no_cloud_answers):
        caller = Caller(url, without_auth=True)
        for operation in list(_operations())[part::PARTS]:
            _random(operation, 100, caller.check)
            _all_corners(operation, caller.check)
            log.info("%s: %d requests so far, %d failures", operation.label, caller.sent, len(caller.failures))
    _judge(caller)


@pytest.mark.parametrize("sentence", [BETWEEN_ATTRIBUTES[0], "A VNF instance has one VNFD."])
def test_one_known_sentence_excuses_no_other_error(sentence: str) -> None:
    known, other = ({"field": "/name", "message": words} for words in (sentence, "Not so."))
    assert _are_excused([known], "{}")
    assert not _are_excused([known, other], "{}")
    assert not _are_excused([], "{}")


def test_a_planned_request_is_excused_where_its_own_schema_refuses_it() -> None:
    planned, other = ({"field": field, "message": "Not so."} for field in ("/request/aspectId", "/vnfdId"))
    right = {"type": "SCALE_OUT", "aspectId": "cards", "numberOfSteps": 1}
    wrong = json.dumps({"operation": "SCALE", "request": {}})
    assert _are_excused([planned], wrong)
    assert not _are_excused([planned], json.dumps({"operation": "SCALE", "request": right}))
    assert not _are_excused([planned, other], wrong)
    assert _are_excused([planned], json.dumps({"operation": "MODIFY_INFO", "request": {"vnfInstanceName": 1}}))


def _judge(caller: Caller) -> None:
    log.info("%d requests, %d failures", caller.sent, len(caller.failures))
    assert not caller.failures, "\n\n".join(f"{what}\n{first}" for what, first in caller.failures.items())
