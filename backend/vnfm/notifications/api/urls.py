from django.urls import path

from vnfm.notifications.api.events import events

urlpatterns = [path("api/v1/events", events)]
