from django.apps import AppConfig


class PmConfig(AppConfig):
    name = "vnfm.pm"
