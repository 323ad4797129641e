"""The payment slip of a jackpot hit: a value, its amount in words, and the page that is printed.

It may not import HTTP (contract `console-knows-http`) nor a game (contract `registry`): a slip has what was settled.
Begin with `slip.py`, then `printed.py`.
"""
