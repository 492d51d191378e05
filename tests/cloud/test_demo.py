"""./vnfm demo, as a user runs it: on the simulated cloud, and on a real OpenStack where the environment names one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import ROOT, Product, stranger_environment

pytestmark = [pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with Product(Path(tmp_path_factory.mktemp("demo")), from_nothing=True) as running:
        yield running


def _demo(product: Product, *arguments: str, **env: str) -> str:
    command = [sys.executable, str(ROOT / "vnfm"), "demo", "--state-dir", str(product.state_dir), *arguments]
    done = subprocess.run(
        command, env=stranger_environment() | env, capture_output=True, text=True, timeout=800, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_demo_on_the_simulated_cloud(product: Product) -> None:
    assert "All steps are as they should be" in _demo(product)


@pytest.mark.essential
@pytest.mark.real_cloud
def test_demo_on_a_real_openstack(product: Product) -> None:
    cloud = os.environ.get("VNFM_TEST_CLOUD")
    if not cloud:
        pytest.skip("VNFM_TEST_CLOUD names no real OpenStack")
    clouds_yaml = os.environ["VNFM_TEST_CLOUDS_YAML"]
    assert "All steps are as they should be" in _demo(product, "--cloud", cloud, OS_CLIENT_CONFIG_FILE=clouds_yaml)


def test_demo_says_when_something_is_not_as_it_should_be(product: Product) -> None:
    command = [sys.executable, str(ROOT / "vnfm"), "demo", "--state-dir", str(product.state_dir)]
    command += ["--product", "NoSuch"]
    env = stranger_environment()
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "not in the catalog" in done.stdout
