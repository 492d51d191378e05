from django.apps import AppConfig


class CountersConfig(AppConfig):
    name = "vnfm.counters"
    label = "performance"
    """The tables and migrations of release 1.0.0 have it."""
