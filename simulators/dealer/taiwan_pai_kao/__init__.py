"""The robot dealer's hands at Taiwan-Pai Kao.

It may not import another game of the dealer (contract `dealer`). Begin with `game.py`, then `banking.py`.
"""
