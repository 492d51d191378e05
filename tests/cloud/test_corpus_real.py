"""The corpus on a real OpenStack, as `tests/service/lcm/test_corpus.py` has it on the simulated cloud."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.factories.corpus import CorpusEntry, placed
from tests.service.lcm.corpus_life import corpus_life, lifecycle_of, refused_by_the_plan
from tests.service.lcm.full_lifecycle import swept
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.vims.models import Vim
from vnfm.vims.services import vim_register_from_clouds_yaml

HANDLE = "AWS::CloudFormation::WaitConditionHandle"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real_cloud, pytest.mark.timeout(1500)]


@contextmanager
def guest_signals(life: Lifecycle) -> Iterator[None]:
    """Signals each of CloudFormation's handles of new stacks, as the guests would that this OpenStack does not run."""
    cloud, done = life.cloud, Event()
    before = {stack.id for stack in cloud.stacks.list()}
    details = {"Status": "SUCCESS", "Reason": "up", "UniqueId": "guest", "Data": ""}

    def signal() -> None:
        root = cloud.account.url(cloud.session, "orchestration")
        while not done.wait(1):
            for stack in cloud.stacks.list():
                for one in cloud.stacks.resources(stack.id) if stack.id not in before else ():
                    if one.type == HANDLE and one.status == "CREATE_COMPLETE":
                        path = f"stacks/{stack.name}/{stack.id}/resources/{one.name}/signal"
                        cloud.session.post(f"{root}/{path}", json=details)

    thread = Thread(target=signal)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("entry", placed("real"))
def test_an_entry_lives(real_vim: Vim, entry: CorpusEntry) -> None:
    vim = real_vim
    if entry.needs == "flavors":
        administrator = f"{os.environ['VNFM_TEST_CLOUD']}-admin"
        vim = vim_register_from_clouds_yaml(path=Path(os.environ["VNFM_TEST_CLOUDS_YAML"]), name=administrator)
    life = lifecycle_of(entry, vim, patience=900)
    with swept(life), guest_signals(life) if entry.needs == "guests" else nullcontext():
        if entry.lacks:
            refused_by_the_plan(life, entry)
        else:
            corpus_life(life, entry)
