"""The corpus on a real OpenStack, as `tests/service/lcm/test_corpus.py` has it on the simulated cloud."""

import os
from pathlib import Path

import pytest

from tests.factories.corpus import CorpusEntry, placed
from tests.service.lcm.corpus_life import corpus_life, lifecycle_of, refused_by_the_plan
from tests.service.lcm.full_lifecycle import swept
from vnfm.vims.models import Vim
from vnfm.vims.services import vim_register_from_clouds_yaml

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real_cloud, pytest.mark.timeout(1500)]


@pytest.mark.parametrize("entry", placed("real"))
def test_an_entry_lives(real_vim: Vim, entry: CorpusEntry) -> None:
    vim = real_vim
    if entry.needs == "flavors":
        administrator = f"{os.environ['VNFM_TEST_CLOUD']}-admin"
        vim = vim_register_from_clouds_yaml(path=Path(os.environ["VNFM_TEST_CLOUDS_YAML"]), name=administrator)
    life = lifecycle_of(entry, vim, patience=900)
    with swept(life):
        if entry.lacks:
            refused_by_the_plan(life, entry)
        else:
            corpus_life(life, entry)
