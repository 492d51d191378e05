"""One installation on two hosts, what it is asked to do, and what must be true of it when all is over.

The hosts are state directories with host names of their own; servers and cloud are neither's.
"""

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from tests.chaos.reconcile import compare
from tests.support.installation import Product, until

OPERATIONS = 8
ROLES = "web,worker,beat,relay,watch,elements,counters"
RECOVERY_SECONDS = 60.0
"""The time from the loss of a server to the first change that is accepted again."""
_SECONDS = 300.0
_SETTLE = 20.0


def named(host: str) -> tuple[str, ...]:
    """Runs a command on a host of that name."""
    return ("unshare", "--uts", "sh", "-c", f'hostname {host} && exec "$@"', "-")


def states(product: Product, kind: str) -> Counter[str]:
    return Counter(op["operationState"] for op in product.operations(kind))


def all_over(product: Product, kind: str, count: int) -> Counter[str]:
    def look() -> Counter[str] | None:
        found = states(product, kind)
        return found if found.total() == count and not found["STARTING"] + found["PROCESSING"] else None

    return until(look, _SECONDS, f"all {kind} end", every=0.5)


def answers(product: Product) -> bool | None:
    return product.session.get(f"{product.url}/vnflcm/v2/vnf_lcm_op_occs", timeout=60).ok or None


@dataclass
class TwoHosts:
    """`first` began the installation; `second` joined it."""

    first: Product
    second: Product
    instances: list[str] = field(default_factory=list)
    """All that there ever were."""

    def created(self, prefix: str) -> list[str]:
        """Some instances, by the second host."""
        vnfd = self.first.vnfd_id()
        new = [self.second.create(f"{prefix}-{number}", vnfd) for number in range(OPERATIONS)]
        self.instances += new
        return new

    def findings(self) -> list[str]:
        """Orphans, duplicates and what was lost, once there has been time to settle."""
        deadline = time.monotonic() + _SETTLE
        while found := compare(self.first.get, self.first.cloud(), self.instances):
            if time.monotonic() > deadline:
                break
            time.sleep(0.5)
        return [str(finding) for finding in found]

    def begin(self, kind: str, start: Callable[[], object]) -> None:
        """Call `start`, and wait until an operation of this kind is under way."""
        start()
        until(lambda: states(self.first, kind)["PROCESSING"] or None, 60, f"{kind} is under way")


@contextmanager
def two_hosts(folder: Path, env: Mapping[str, str], second_env: Mapping[str, str] | None = None) -> Iterator[TwoHosts]:
    """An installation on servers and a cloud that `env` names; `second_env` where the second host names others."""
    began = Product(folder / "first", "--cloud", "cloudsim", from_nothing=True, env=env, prefix=named("first"))
    with began as first:
        (folder / "second").mkdir()
        shutil.copytree(folder / "first" / "keys", folder / "second" / "keys")
        (folder / "second" / "artifacts").symlink_to(folder / "first" / "artifacts")
        joined = Product(
            folder / "second", "--roles", ROLES, from_nothing=True, env=second_env or env, prefix=named("second")
        )
        with joined as second:
            yield TwoHosts(first, second)


@dataclass
class Writer:
    """Creates instances all the time, as a client that does not repeat what was not accepted."""

    product: Product
    vnfd: str
    accepted: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    """Seconds that each took."""
    unexpected: list[str] = field(default_factory=list)
    """Answers that are neither; an assertion in this thread would not fail the test."""

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(0.2):
            body = {"vnfdId": self.vnfd, "vnfInstanceName": f"written-{len(self.times)}-{len(self.refused)}"}
            began = time.monotonic()
            try:
                answer = requests.post(
                    f"{self.product.url}/vnflcm/v2/vnf_instances",
                    json=body,
                    headers={"Authorization": str(self.product.session.headers["Authorization"])},
                    timeout=30,
                )
            except requests.RequestException:
                self.refused.append(time.monotonic() - began)
                continue
            if answer.status_code == requests.codes.created:
                self.accepted.append(answer.json()["id"])
                self.times.append(time.monotonic())
            elif answer.status_code == requests.codes.unavailable:
                self.refused.append(time.monotonic() - began)
            else:
                self.unexpected.append(f"{answer.status_code} {answer.text}")

    @property
    def longest(self) -> float:
        """The longest time from one that was accepted to the next."""
        return max(later - earlier for earlier, later in zip(self.times, self.times[1:], strict=False))

    def lost(self) -> set[str]:
        """Return what was accepted and is not there."""
        return set(self.accepted) - {row["id"] for row in _all(self.product, "/vnflcm/v2/vnf_instances")}


@contextmanager
def writing(product: Product, vnfd: str) -> Iterator[Writer]:
    """Return the time from the first change that was accepted."""
    writer, stop = Writer(product, vnfd), threading.Event()
    thread = threading.Thread(target=writer.run, args=(stop,), daemon=True)
    thread.start()
    try:
        until(lambda: writer.accepted or None, 30, "a change is accepted")
        yield writer
    finally:
        stop.set()
        thread.join(60)


def _all(product: Product, path: str) -> Iterator[dict[str, str]]:
    url = product.url + path
    while url:
        answer = product.session.get(url, timeout=60)
        assert answer.ok, answer.text
        yield from answer.json()
        url = answer.links.get("next", {}).get("url", "")
