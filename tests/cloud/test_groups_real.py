"""Groups of several servers in each member on a real OpenStack."""

import pytest

from tests.factories.catalog import onboarded
from tests.factories.packages import zipped
from tests.service.lcm.front_and_back import FILES, front_and_back_live
from tests.service.lcm.full_lifecycle import swept
from tests.service.lcm.lifecycle import Lifecycle
from vnfm.vims.models import Vim

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real_cloud, pytest.mark.timeout(1500)]


def test_servers_of_the_same_members_of_a_group_live(real_vim: Vim) -> None:
    life = Lifecycle(real_vim, onboarded(zipped(FILES)), patience=600)
    with swept(life):
        front_and_back_live(life)
