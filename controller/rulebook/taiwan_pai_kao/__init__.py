"""Taiwan-Pai Kao (Macau, Portaria 15/90/M): tiles, pairs, places, the bank, settlement, round file. No I/O here.

Articles in brackets are those of the ordinance. It may not import another game (contract `games`). Begin with
`tiles.py`, then `pairs.py` and `settle.py`.
"""
