"""The private members of aiomqtt and paho that the clients of the broker override or use: another version changes them.

Both libraries are pinned exactly. Who takes another version looks at each member that this test then names.
"""

import asyncio
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import aiomqtt
import pytest
from paho.mqtt.client import Client as PahoClient

AIOMQTT = {
    "__aenter__": "(self)",
    "__aexit__": "(self, exc_type, exc, tb)",
    "_on_connect": "(self, client, userdata, flags, reason_code, properties)",
    "_on_disconnect": "(self, client, userdata, flags, reason_code, properties)",
    "_on_message": "(self, client, userdata, message)",
    "_on_publish": "(self, client, userdata, mid, reason_code, properties)",
    "_on_socket_close": "(self, client, userdata, sock)",
    "_on_socket_open": "(self, client, userdata, sock)",
    "_on_socket_register_write": "(self, client, userdata, sock)",
    "_on_socket_unregister_write": "(self, client, userdata, sock)",
    "_wait_for": "(self, fut, timeout)",
}
PAHO = {
    "_loop_rc_handle": "(self, rc)",
    "_packet_read": "(self)",
    "_sock_close": "(self)",
    "_sock_recv": "(self, bufsize)",
}


def signature(function: object) -> str:
    """The names of its parameters, without types and defaults."""
    assert callable(function)
    parameters = inspect.signature(function).parameters.values()
    return f"({', '.join(parameter.name for parameter in parameters)})"


@pytest.mark.parametrize(
    ("owner", "expected"), [(aiomqtt.Client, AIOMQTT), (PahoClient, PAHO)], ids=["aiomqtt", "paho"]
)
def test_a_private_member_that_is_overridden_has_the_parameters_that_it_had(
    owner: type[object], expected: dict[str, str]
) -> None:
    assert {name: signature(getattr(owner, name)) for name in expected} == expected


async def test_the_state_that_is_read_is_there() -> None:
    client = aiomqtt.Client("127.0.0.1")
    assert isinstance(client._disconnected, asyncio.Future) and isinstance(client._client, PahoClient)
    assert aiomqtt.client.MessagesIterator(client)._client is client
    assert {"command", "have_remaining", "remaining_length", "packet"} <= client._client._in_packet.keys()


def test_both_libraries_are_pinned_to_the_version_that_is_installed() -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in ("aiomqtt", "paho-mqtt"):
        assert f"{name}=={version(name)}" in project["dependencies"]
