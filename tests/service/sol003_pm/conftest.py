"""A VNF instance whose router is counted, and a callback."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.service.notifications.conftest import endpoint, reachable  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from tests.service.sol003_pm.scenario import Create, Router


@pytest.fixture
def router(transactional_db: None, telemetry: object) -> "Router":
    from tests.service.sol003_pm.scenario import make_router

    return make_router()


@pytest.fixture
def create(operator_api: Any) -> "Create":
    """Posts to a collection; returns the response."""

    def post(path: str, body: dict[str, Any]) -> Any:
        return operator_api.post(path, body, format="json")

    return post
