"""Boot string, day 0 and day 1 of each Nokia package give a kind of card the same MDAs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.factories.packages import shipped_files, shipped_folders, shipped_package
from tests.support.yaml_text import load_yaml
from vnfm.catalog.domain.vnfd import Vnfd
from vnfm.configuration.domain.dialects import SROS
from vnfm.configuration.domain.statements import is_removed, lines_of
from vnfm.lcm.domain.element_config import Component, ConfigRenderer, PlannedElement

Mdas = dict[str, str]
"""Number of an MDA → its type."""
FOLDERS = [folder for folder in shipped_folders() if folder.parts[-3] == "nokia"]
IDS = [folder.parts[-2] for folder in FOLDERS]
OTHER = {"1": "m20-v", "2": "isa-tunnel-v"}


@dataclass(frozen=True)
class BootString:
    """The strings of a VM that is a line card, or a whole chassis."""

    vdu_id: str
    card: str
    setting: str
    mdas: Mdas
    in_metadata: bool


def mdas_in(text: str) -> Mdas:
    return dict(re.findall(r"\bmda/(\d)=(\S+)", text))


def boot_strings(folder: Path) -> Iterator[BootString]:
    """By the root template, the registry and the servers of the nested templates."""
    files = {path: data.decode() for path, data in shipped_files(folder).items() if path.endswith((".yaml", ".env"))}
    root, registry = load_yaml(files["base.yaml"]), load_yaml(files["base.env"])["resource_registry"]
    for resource in root["resources"].values():
        member = resource.get("properties", {}).get("resource_def", resource)
        setting = member.get("properties", {}).get("mdas", {}).get("get_param")
        if setting is None:
            continue
        server = load_yaml(files[registry[member["type"]]])["resources"]["server"]["properties"]
        boot, label = (str(server["user_data"]), str(server["metadata"]["timos"]))
        card = re.search(r"chassis=\S+ card=(\S+) \$mdas", boot)
        assert card is not None, boot
        yield BootString(
            vdu_id=server["metadata"]["vdu"],
            card="iom-v" if "chassis=VSR-I" in boot else card[1],
            setting=setting,
            mdas=mdas_in(root["parameters"][setting]["default"]),
            in_metadata=f"card={card[1]} $mdas" in label,
        )


def cards_of(text: str) -> dict[str, tuple[str, Mdas]]:
    """Slot → type of the card and its MDAs, of a configuration at the command line."""
    kinds: dict[str, str] = {}
    mdas: dict[str, Mdas] = {}
    slot = mda = ""
    for line in text.splitlines():
        match line.split():
            case ["card", slot]:
                mdas.setdefault(slot, {})
            case ["card-type", word]:
                kinds[slot] = word
            case ["mda", mda]:
                pass
            case ["mda-type", word]:
                mdas[slot][mda] = word
    return {slot: (kinds[slot], own) for slot, own in mdas.items()}


def rendered(folder: Path, vnfd: Vnfd, boot: BootString, **settings: Any) -> tuple[str, list[str]]:
    """Day 1 and its removal for one VM of that kind, in slot 1."""
    assert vnfd.element is not None
    component = Component(boot.vdu_id, "1", "pe-1", {})
    element = PlannedElement("pe", "192.0.2.1", component if vnfd.element.per_component else None)
    renderer = ConfigRenderer(vnfd, "id", "pe", settings)
    files = shipped_files(folder)
    templates = {path: data.decode() for path, data in files.items() if path.startswith("day1/")}
    text = renderer.configuration(element, templates, [component], whole=True)
    return text, renderer.removals(element, templates, [component])


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_boot_string_day_zero_and_day_one_agree(folder: Path) -> None:
    vnfd = shipped_package(folder).vnfd
    boots = [*boot_strings(folder)]
    assert boots
    day_zero = [cards_of(path.read_text()) for path in (folder / "day0").iterdir()]
    for boot in boots:
        assert boot.mdas
        assert boot.in_metadata, "the simulated router reads the MDAs there"
        found = [mdas for cards in day_zero for kind, mdas in cards.values() if kind == boot.card]
        assert found == [boot.mdas] * max(1, len(found)), f"day 0 of {boot.card}"
        text, _ = rendered(folder, vnfd, boot)
        assert cards_of(text) == {"1": (boot.card, boot.mdas)}, f"day 1 of {boot.card}"


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_day_one_follows_the_setting_of_the_boot_string(folder: Path) -> None:
    vnfd = shipped_package(folder).vnfd
    for boot in boot_strings(folder):
        words = " ".join(f"mda/{number}={kind}" for number, kind in OTHER.items())
        text, _ = rendered(folder, vnfd, boot, **{boot.setting: words})
        assert cards_of(text) == {"1": (boot.card, OTHER)}


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_a_removal_takes_back_all_that_day_one_configured(folder: Path) -> None:
    """Ports before MDAs before the card, since an element refuses to remove what holds something."""
    vnfd = shipped_package(folder).vnfd
    assert vnfd.element is not None
    for boot in boot_strings(folder) if not vnfd.element.per_component else ():
        text, removals = rendered(folder, vnfd, boot)
        lines = [line.strip() for line in "\n".join(removals).splitlines()]
        ports = re.findall(r"^    (port \S+)$", text, re.MULTILINE)
        wanted = [*ports, *(f"no mda {number}" for number in boot.mdas), "no card 1"]
        assert [line for line in lines if line in wanted] == wanted
        done = [is_removed(SROS.syntax, "", lines_of(SROS.syntax, removal)) for removal in removals]
        assert all(done), "a worker that died after it sends nothing twice"
