"""The composition root: which adapter serves which port, and who hears of which events."""

from vnfm.kit.outbox import Subscriber

SUBSCRIBERS: tuple[Subscriber, ...] = ()


def install() -> None:
    """Called once in every process, when Django's apps are loaded."""
