"""Hears the message bus of a VIM, where it has one, for as long as we hold the watch over it. News only rings."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vnfm.clouds.errors import CloudError, Denied, NotFound
from vnfm.clouds.ports import Bus, Cloud
from vnfm.clouds.types import BusConnection, Notification
from vnfm.inventory.domain.bus import is_news, words_of_missing
from vnfm.inventory.models import VimPush
from vnfm.inventory.push_services import bus_connection, heard_record, listening_record
from vnfm.kit import clock
from vnfm.vims.models import Vim

SETTINGS_SECONDS = 2.0
"""How often to see whether somebody changed where to listen."""

AGAIN_SECONDS, AGAIN_LONGEST_SECONDS = 1.0, 30.0
"""Pauses before listening is tried again, doubled each time: polling goes on meanwhile."""

HEARD_EVERY = timedelta(seconds=10)
"""How exactly it is kept when we last heard news: a storm of them must not become one of writes."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Means:
    """How a cloud and its bus are reached."""

    connect: Callable[[Vim], Cloud]
    open_bus: Callable[[BusConnection], Bus]


class Hearing:
    """One thread for one VIM. `ring` is called for each piece of news, from that thread."""

    def __init__(self, vim_id: UUID, ring: Callable[[], None], means: Means) -> None:
        self._vim_id = vim_id
        self._ring = ring
        self._means = means
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"hear {vim_id}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self, seconds: float) -> None:
        """Stop, and wait for it so long; the thread is a daemon."""
        self._stop.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        structlog.contextvars.bind_contextvars(vim_id=str(self._vim_id))
        failures = 0
        while not self._stop.is_set():
            failures = failures + 1 if self._failed() else 0
            pause = AGAIN_SECONDS * 2.0 ** min(failures - 1, 10) if failures else SETTINGS_SECONDS
            self._stop.wait(min(pause, AGAIN_LONGEST_SECONDS))

    def _failed(self) -> bool:
        """Listen for as long as there is something to listen to; True when it could not be heard, or no longer."""
        try:
            push = VimPush.objects.select_related("vim").filter(vim=self._vim_id, sealed_bus__isnull=False).first()
            if push is not None:
                self._listen(push)
        except CloudError:  # told where it came up
            return True
        except DatabaseError as error:
            log.warning("hearing.database_unavailable", error=str(error))
            return True
        except Exception:  # whatever a bus may say must not end the hearing
            log.exception("hearing.failed")
            return True
        finally:
            connections.close_all()
        return False

    def _listen(self, push: VimPush) -> None:
        turn = _Turn(push, self._ring, self._project_of(push.vim), self._stop)
        try:
            self._means.open_bus(bus_connection(push)).listen(
                heard=turn.heard, listening=turn.listening, go_on=turn.goes_on
            )
        except CloudError as error:
            reason = _reason(error)
            log.warning("hearing.lost", reason=reason, error=error.message)
            listening_record(push=push, listening="False", reason=reason, message=error.message, now=clock.now())
            raise

    def _project_of(self, vim: Vim) -> str:
        """Empty while the cloud does not say: then whatever is told is news."""
        try:
            return self._means.connect(vim).project_id()
        except CloudError:
            return ""


def _reason(error: CloudError) -> str:
    match error:
        case Denied():
            return "Refused"
        case NotFound():
            return "NothingToHear"
        case _:
            return "Unreachable"


class _Turn:
    """One time of listening, by one version of the settings."""

    def __init__(self, push: VimPush, ring: Callable[[], None], project_id: str, stop: Event) -> None:
        self._push = push
        self._ring = ring
        self._project_id = project_id
        self._stop = stop
        self._settings_at = time.monotonic()
        self._heard_at = clock.now() - HEARD_EVERY

    def listening(self, missing: Sequence[str]) -> None:
        words = f"Notifications of {self._push.vim.name} are heard. {words_of_missing(missing)}".strip()
        log.info("hearing.listening", missing=list(missing))
        listening_record(push=self._push, listening="True", reason="Listening", message=words, now=clock.now())
        connections.close_all()
        self._ring()  # what was told before we heard is to be seen

    def heard(self, notification: Notification) -> None:
        if not is_news(notification, self._project_id):
            return
        self._ring()
        now = clock.now()
        if now - self._heard_at >= HEARD_EVERY:
            self._heard_at = now
            heard_record(push=self._push, now=now)
            connections.close_all()

    def goes_on(self) -> bool:
        if self._stop.is_set():
            return False
        if time.monotonic() - self._settings_at >= SETTINGS_SECONDS:
            self._settings_at = time.monotonic()
            same = VimPush.objects.filter(vim=self._push.vim_id, version=self._push.version).exists()
            connections.close_all()
            return same
        return True
