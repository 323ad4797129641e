"""What the floor receives: topics, messages, and the client that publishes them in order.

The floor is the casino's MQTT broker and its subscribers. A message is made from events and from the public table. It
may not import the journal or the console (contract `layers`) nor a game (contract `registry`). docs/floor.md is for
subscribers. Begin with `published.py`, which lists what is published, then `client.py`.
"""
