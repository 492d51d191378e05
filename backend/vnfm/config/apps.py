from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "vnfm.config"

    def ready(self) -> None:
        from vnfm.config import openapi, wiring  # noqa: F401, PLC0415 - only now can what they import be imported

        wiring.install()
