"""A port that is found free stays so until anyone who it is for listens there."""

import socket

import pytest

from controller.system.addresses import free_port


def test_a_free_port_is_given_to_no_one_else_and_to_a_server_that_names_it() -> None:
    port = free_port()
    with socket.socket() as other, pytest.raises(OSError, match="Address already in use"):
        other.bind(("127.0.0.1", port))
    with socket.socket() as own, pytest.raises(ConnectionRefusedError):
        own.connect(("127.0.0.1", port))  # nor does it answer itself
    with socket.create_server(("127.0.0.1", port)) as server, socket.create_connection(("127.0.0.1", port)) as far:
        near, at = server.accept()
        near.close()
        assert at == far.getsockname()
    assert free_port() != port
