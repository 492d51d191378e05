"""The console and a browser, for what is measured in one."""

from tests.browser.conftest import browser, console

__all__ = ("browser", "console")
