"""Fortune 3 Card Poker (Macau, 2025 and 2008): paytables, wagers, settlement, the round. No I/O here.

Both regulations are values of `Rules`, and the code does not ask which one it has. It may not import another game
(contract `games`). Begin with `paytables.py`, then `settle.py`.
"""
