"""Management commands that are processes of the product."""

from django.core.management.base import BaseCommand


class ServiceCommand(BaseCommand):
    """Runs until a signal, and starts without Django's system checks, which take half a second of processor.

    `upgrade_schema` and `bootstrap` have made them on the same code and settings.
    """

    requires_system_checks = ()
