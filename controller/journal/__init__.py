"""The journal: events with a hash chain, sealed cards, answers, snapshots and the outbox, in one SQLite file.

It stores what the engine decided and never decides. Its calls block. It may not import the runtime, the floor or the
console (contract `layers`) nor a game (contract `registry`). Begin with `records.py`, which has what goes in and out,
then `writer.py`.
"""
