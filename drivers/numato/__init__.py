"""The jackpot slots on a Numato board: a terminal on USB CDC.

It may import the ports and what all makes share, and no other make (contract `makes`). Begin with `codec.py`, then
`edges.py`, which counts chips by the edges of inputs.
"""
