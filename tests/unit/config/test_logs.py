"""The console shows an error in short."""

import logging.config
import sys

from vnfm.config.logs import LOGGING


def connect(password: str) -> None:
    raise ConnectionError("the cloud is away")


def test_a_traceback_shows_no_values_of_variables() -> None:
    formatter = logging.config.DictConfigurator(LOGGING).configure_formatter(LOGGING["formatters"]["structured"])
    try:
        connect("unspeakable")
    except ConnectionError:
        record = logging.LogRecord("vnfm", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    text = formatter.format(record)
    assert "the cloud is away" in text
    assert "in connect" in text
    assert "unspeakable" not in text.replace('connect("unspeakable")', "")
