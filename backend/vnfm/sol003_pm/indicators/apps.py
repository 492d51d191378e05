from django.apps import AppConfig


class IndicatorsConfig(AppConfig):
    name = "vnfm.sol003_pm.indicators"
