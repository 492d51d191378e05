"""Shapes on the wire that several contexts share."""

from typing import Any

from rest_framework import serializers


class LinkSerializer(serializers.Serializer[Any]):
    """Link (SOL013 and SOL003 4.4.1.3)."""

    href = serializers.CharField()
