"""Management commands without Django's system checks, which take half a second of processor.

`upgrade_schema` and `bootstrap` have made them on the same code and settings.
"""

from django.core.management.base import BaseCommand


class ServiceCommand(BaseCommand):
    """A process of the product; runs until a signal."""

    requires_system_checks = ()


class InstanceCommand(BaseCommand):
    """A command of an operator at an installation."""

    requires_system_checks = ()
