"""The end of a client of paho that has a thread: its own `loop_stop` fails where the thread ends as it looks for it."""

import paho.mqtt.client as mqtt


def hang_up(client: mqtt.Client) -> None:
    """Disconnect, which ends the thread of `loop_start`, and wait for it."""
    thread = client._thread  # forgotten by the client as it ends
    client.disconnect()
    if thread is not None:
        thread.join()
