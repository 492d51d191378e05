from django.apps import AppConfig


class InstallationConfig(AppConfig):
    name = "vnfm.installation"
