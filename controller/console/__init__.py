"""The console of dealer and supervisor over HTTP: the table out as server-sent events, inputs in.

It decides nothing: an input goes to the queue of the runtime, which it knows by a protocol alone. It may not import the
journal, the floor or the runtime (contract `layers`) nor a game (contract `registry`). README.md has the paths. Begin
with `app.py`; who may log in is in `gate.py`.
"""
