from django.apps import AppConfig


class ElementsConfig(AppConfig):
    name = "vnfm.elements"
