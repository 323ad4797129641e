"""Black-jack/21 and its accumulated prize (Portugal, Portaria 1364/2001): bets, play, settlement, file. No I/O here.

Numbers in brackets are its rules. It may not import another game (contract `games`). Begin with `points.py`, then
`waits.py`, which has what a round waits for, and `settle.py`.
"""
