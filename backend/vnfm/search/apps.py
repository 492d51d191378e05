from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "vnfm.search"
