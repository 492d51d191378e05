from django.urls import path

from vnfm.inventory.api import consoles, notes, notifications, vnf_networks, watch, webhooks

_VIM = "api/v1/vims/<uuid:vim_id>"
_INSTANCE = "api/v1/vnf_instances/<uuid:instance_id>"
_VNFC = f"{_INSTANCE}/vnfcs/<uuid:vnfc_id>"

urlpatterns = [
    path(f"{_INSTANCE}/notes", notes.InstanceNoteListApi.as_view()),
    path(f"{_INSTANCE}/notes/<uuid:note_id>", notes.InstanceNoteApi.as_view()),
    path(f"{_VNFC}/console", consoles.VnfcConsoleApi.as_view()),
    path(f"{_VNFC}/console_log", consoles.VnfcConsoleLogApi.as_view()),
    path(f"{_VIM}/watch", watch.VimWatchApi.as_view()),
    path(f"{_VIM}/hosts", watch.VimHostListApi.as_view()),
    path(f"{_VIM}/vnf_networks", vnf_networks.VnfNetworkListApi.as_view()),
    path(f"{_VIM}/notifications", notifications.VimBusApi.as_view()),
    path(f"{_VIM}/webhooks", webhooks.VimWebhookApi.as_view()),
    path(f"{_VIM}/webhooks/aodh/<str:token>", webhooks.AodhWebhookApi.as_view(), name="vim_webhook_aodh"),
]
