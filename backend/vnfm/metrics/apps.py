from django.apps import AppConfig


class MetricsConfig(AppConfig):
    name = "vnfm.metrics"

    def ready(self) -> None:
        from vnfm.kit.durable import heartbeat  # noqa: PLC0415 - only now are Django's apps loaded
        from vnfm.metrics import store  # noqa: PLC0415 - as above

        heartbeat.call_after_beat(store.flush)
