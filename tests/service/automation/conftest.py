"""The lifecycle's fixtures: automation uses it as a person would."""

from tests.service.lcm.conftest import lifecycle, provider, vim

__all__ = ["lifecycle", "provider", "vim"]
