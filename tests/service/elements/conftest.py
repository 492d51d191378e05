from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest


@pytest.fixture
def poll(transactional_db: None) -> Iterator[Callable[..., None]]:
    """Starts a poller in a thread, which ends with the test; `poll(period_seconds=…)`."""
    from tests.service.polling import polling

    with ExitStack() as pollers:
        yield lambda period_seconds=0.3: pollers.enter_context(polling(period_seconds))
