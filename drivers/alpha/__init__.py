"""The progressive sign by the Alpha sign protocol: its packets, its memory, and its serial line.

`betabrite` imports it; it may import no other make (contract `makes`). Begin with `codec.py`, then `sign.py`, which
has the command that is next.
"""
