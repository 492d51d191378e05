"""AnswerSerializer: fields, sources and methods are the one declaration of an answer."""

from operator import itemgetter
from types import SimpleNamespace
from uuid import UUID

from rest_framework import serializers

from vnfm.kit.web.wire import AnswerSerializer

ID = UUID("6f3f4f4e-2b0c-4a83-9a7c-0f6a3f1f4d11")


class Port(AnswerSerializer):
    getter = itemgetter

    id = serializers.CharField(source="port_id")


class Server(AnswerSerializer):
    id = serializers.UUIDField()
    host_name = serializers.CharField(source="host.name")
    fault = serializers.CharField(source="message", required=False)
    zone = serializers.CharField(allow_null=True)
    upper_name = serializers.CharField()
    ports = Port(many=True)
    first = Port(allow_null=True)
    whole = Port(source="*")

    def get_upper_name(self, row):
        return row.host.name.upper() + self.context["suffix"]

    def get_first(self, row):
        return next(iter(row.ports), None)

    def get_whole(self, row):
        return {"port_id": str(row.id)}


def server(**values):
    host = SimpleNamespace(name="rack1")
    return SimpleNamespace(**({"id": ID, "host": host, "message": None, "zone": None, "ports": []} | values))


def test_values_come_from_sources_and_methods():
    answer = Server(server(ports=[{"port_id": "a"}, {"port_id": "b"}]), context={"suffix": "!"}).data
    assert answer == {
        "id": str(ID),
        "host_name": "rack1",
        "zone": None,
        "upper_name": "RACK1!",
        "ports": [{"id": "a"}, {"id": "b"}],
        "first": {"id": "a"},
        "whole": {"id": str(ID)},
    }


def test_no_answer_has_a_write_only_field():
    class Login(AnswerSerializer):
        name = serializers.CharField()
        password = serializers.CharField(write_only=True, required=False)

    assert Login(SimpleNamespace(name="ann", password="secret")).data == {"name": "ann"}


def test_only_optional_fields_without_a_value_are_left_out():
    rows = [server(), server(message="No valid host was found.")]
    first, second = Server(rows, many=True, context={"suffix": ""}).data
    assert ("fault" in first, second["fault"]) == (False, "No valid host was found.")
    assert (first["zone"], first["first"]) == (None, None)
