"""Sessions live here: one account per connection in the process, one cloud per connection and thread."""

import threading
from collections import OrderedDict
from dataclasses import fields
from typing import Generic, TypeVar

from vnfm.clouds.openstack.account import Account
from vnfm.clouds.openstack.bus import OsloBus
from vnfm.clouds.openstack.cloud import OpenStackCloud
from vnfm.clouds.openstack.session import open_session
from vnfm.clouds.types import BusConnection, Connection

Key = tuple[object, ...]
V = TypeVar("V")

_ACCOUNTS = 256
_CLOUDS_PER_THREAD = 32


class _Recent(Generic[V]):
    """The most recently used values, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Key, V] = OrderedDict()

    def get(self, key: Key) -> V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: Key, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._size:
            self._values.popitem(last=False)


class OpenStackProvider:
    """Connecting sends nothing: the first call makes the token, for all threads; a 401 renews it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._accounts: _Recent[Account] = _Recent(_ACCOUNTS)
        self._local = threading.local()

    def connect(self, connection: Connection) -> OpenStackCloud:
        key = _key(connection)
        account = self._account(key, connection)
        clouds: _Recent[OpenStackCloud] | None = getattr(self._local, "clouds", None)
        if clouds is None:
            clouds = self._local.clouds = _Recent(_CLOUDS_PER_THREAD)
        cloud = clouds.get(key)
        if cloud is None or cloud.account is not account:
            cloud = OpenStackCloud(account, open_session(connection, account.auth))
            clouds.put(key, cloud)
        return cloud

    def bus(self, connection: BusConnection) -> OsloBus:
        return OsloBus(connection)

    def _account(self, key: Key, connection: Connection) -> Account:
        with self._lock:
            account = self._accounts.get(key)
            if account is None or account.worn_out:
                account = Account(connection)
                self._accounts.put(key, account)
            return account


def _key(connection: Connection) -> Key:
    """All of it, password included: a changed registration must not go on under an old token."""
    plain = (field.name for field in fields(Connection) if field.compare and field.name != "endpoint_overrides")
    values = (getattr(connection, name) for name in plain)
    return (*values, *sorted(connection.endpoint_overrides.items()))
