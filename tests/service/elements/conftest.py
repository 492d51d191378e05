from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.routersim_process import RoutersimProcess


@pytest.fixture(scope="module")
def routersim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoutersimProcess]:
    """Simulated network elements as a process of their own; each test adds its own on addresses of its own."""
    with RoutersimProcess(tmp_path_factory.mktemp("routersim")) as process:
        yield process


@pytest.fixture
def poll(transactional_db: None) -> Iterator[Callable[..., None]]:
    """Starts a poller in a thread, which ends with the test; `poll(period_seconds=…)`."""
    from tests.service.polling import polling

    with ExitStack() as pollers:
        yield lambda period_seconds=0.3: pollers.enter_context(polling(period_seconds))
