"""Fortune 8 (Macau, Despacho SEF of 25 June 2009): paytable, wagers, the deal, settlement, round file. No I/O here.

The shortest game, and the one to read before a new one is written. It may not import another game (contract `games`).
Begin with `paytable.py`, then `settle.py` and `live.py`.
"""
