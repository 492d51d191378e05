"""The query of the search."""

from rest_framework import serializers

from vnfm.search.selectors.search import MIN_LENGTH


class SearchQuery(serializers.Serializer[None]):
    q = serializers.CharField(
        min_length=MIN_LENGTH,
        max_length=200,
        trim_whitespace=False,  # the schema counts it, and no schema says what is trimmed: such a text finds nothing
        help_text="A name, an id, an address, a part of one, or words of an alarm; case does not matter.",
    )
