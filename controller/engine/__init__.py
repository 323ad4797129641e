"""The table's state machine: pure functions over frozen structs; time and randomness are parameters.

An input is decided into events, and events make the next state, so that a journal can be replayed. It may import
neither the clock, nor chance, nor any I/O (contract `pure-law`). Its folders have an order, `state` below `decisions`
below `shown` (contract `engine`). Begin with `decisions/deciders.py`, then `state/applied.py`.
"""
