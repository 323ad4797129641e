"""Answers from a journal in JSON: rounds, alarms, sign-ins, the register, payment slips. Nothing here writes.

The commands and the runtime ask here. It may not import the runtime, the console or HTTP (contracts `layers` and
`console-knows-http`) nor a game (contract `registry`). Begin with `rounds.py`; `following.py` has which events belong
to a round.
"""
