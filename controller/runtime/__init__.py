"""A table at work: the one queue and its one consumer, with what puts inputs in and takes results out.

Here the pure engine meets clock, journal, devices and floor. It may not import the station or a command (contract
`layers`), nor a game (contract `registry`). `translation.py` alone knows both device messages and inputs, and is pure
(contract `translation-is-pure`). Begin with `loop.py`, then `composition.py`.
"""
