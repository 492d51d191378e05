from django.apps import AppConfig


class Sol003PmConfig(AppConfig):
    name = "vnfm.sol003_pm"
    label = "pm"
    """The tables and migrations of release 1.0.0 have it."""
