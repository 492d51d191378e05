"""What was found, on the wire."""

from typing import Any

from rest_framework import serializers

from vnfm.search.selectors import SHORTEST, Kind

KINDS = [kind.value for kind in Kind]


class AskedSerializer(serializers.Serializer[None]):
    q = serializers.CharField(
        min_length=SHORTEST,
        max_length=200,
        help_text="A name, an id, an address, a part of one, or words of an alarm; case does not matter.",
    )


class SearchHit(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    detail = serializers.CharField(help_text="What tells it from others of that name.")
    matched = serializers.CharField(help_text="Where the text was found, when that is not the name.")
    ownerKind = serializers.ChoiceField(
        choices=KINDS, source="owner_kind", help_text="Of the object whose page shows it: often its own."
    )
    ownerId = serializers.CharField(source="owner_id")
    severity = serializers.CharField(help_text="Of an alarm; else empty.")


class SearchGroup(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KINDS)
    hits = SearchHit(many=True)
    more = serializers.BooleanField(help_text="There are others of this kind.")


class SearchResult(serializers.Serializer[Any]):
    groups = SearchGroup(many=True, help_text="Those with the best hits first.")
