from django.apps import AppConfig


class VimsConfig(AppConfig):
    name = "vnfm.vims"
