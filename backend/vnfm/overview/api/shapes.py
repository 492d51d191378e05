"""Serializers of the start page and the lines of operations."""

from rest_framework import serializers

from vnfm.kit.web.wire import JsonSerializer


class FirstStepsChange(JsonSerializer):
    elementViewed = serializers.BooleanField(
        source="element_viewed", required=False, help_text="The caller looked at a network element."
    )
    dismissed = serializers.BooleanField(required=False, help_text="Do not show the steps to the caller any more.")
