from django.urls import path

from vnfm.inventory.api import bus, watch, webhooks

_VIM = "api/v1/vims/<uuid:vim_id>"

urlpatterns = [
    path(f"{_VIM}/watch", watch.VimWatchApi.as_view()),
    path(f"{_VIM}/hosts", watch.VimHostListApi.as_view()),
    path(f"{_VIM}/notifications", bus.VimBusApi.as_view()),
    path(f"{_VIM}/webhooks", webhooks.VimWebhookApi.as_view()),
    path(f"{_VIM}/webhooks/aodh/<str:token>", webhooks.AodhWebhookApi.as_view(), name="vim_webhook_aodh"),
]
