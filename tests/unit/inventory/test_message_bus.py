"""The address of a message bus, and its relevant notifications."""

import pytest

from vnfm.clouds.types import OsloNotification
from vnfm.inventory.domain.message_bus import is_relevant, missing_exchanges_note, transport_urls

OURS, THEIRS = "project-1", "project-2"


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("rabbit://nova:secret@10.0.0.1:5672/", ("amqp://nova:secret@10.0.0.1:5672/",)),
        ("rabbit://nova:secret@10.0.0.1:5672", ("amqp://nova:secret@10.0.0.1:5672/",)),
        ("rabbit://u:p@h:5672//", ("amqp://u:p@h:5672/%2F",)),
        ("amqp://u:p%40ss@h/cloud%2Fone", ("amqp://u:p%40ss@h/cloud%2Fone",)),
        ("amqps://u:p@h:5671/v", ("amqps://u:p@h:5671/v",)),
        ("rabbit://u:p@h/v?ssl=1", ("amqps://u:p@h/v",)),
        ("rabbit://u:p@h/v?ssl=0&x=1", ("amqp://u:p@h/v",)),
        ("rabbit://u:p@one:1,u:p@two:2/v", ("amqp://u:p@one:1/v", "amqp://u:p@two:2/v")),
    ],
)
def test_a_transport_url_of_oslo_messaging_is_read(text: str, urls: tuple[str, ...]) -> None:
    assert transport_urls(text) == urls


@pytest.mark.parametrize(
    "text", ["", "h:5672", "kafka://h", "http://h/", "rabbit://", "rabbit://u:p@h:port/", "rabbit://u:p@/"]
)
def test_invalid_transport_urls_are_refused_without_the_password(text: str) -> None:
    with pytest.raises(ValueError, match="transport URL") as caught:
        transport_urls(text)
    assert "u:p" not in str(caught.value)


@pytest.mark.parametrize(
    ("event_type", "project", "news"),
    [
        ("compute.instance.update", OURS, True),
        ("compute.instance.power_off.end", OURS, True),
        ("compute.instance.create.error", OURS, True),
        ("port.delete.end", "", True),
        ("orchestration.stack.update.end", OURS, True),
        ("compute.instance.update", THEIRS, False),
        ("compute.instance.power_off.start", OURS, False),
        ("compute.instance.exists", OURS, False),
        ("image.update", OURS, False),
        ("network.create.end", OURS, False),
    ],
)
def test_notifications_of_own_resources_count(event_type: str, project: str, news: bool) -> None:
    assert is_relevant(OsloNotification(event_type, project), OURS) is news


def test_before_we_know_our_project_everybody_s_news_is_ours() -> None:
    assert is_relevant(OsloNotification("compute.instance.update", THEIRS), "")


def test_exchanges_that_are_not_there_are_named() -> None:
    assert missing_exchanges_note(()) == ""
    assert "heat, neutron" in missing_exchanges_note(("heat", "neutron"))
