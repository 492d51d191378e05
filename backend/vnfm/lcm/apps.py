from django.apps import AppConfig


class LcmConfig(AppConfig):
    name = "vnfm.lcm"
