"""A VNF instance whose router is counted, and a callback."""

from tests.service.notifications.conftest import endpoint, reachable  # noqa: F401 - fixtures
from tests.service.pm.conftest import router  # noqa: F401 - a fixture
