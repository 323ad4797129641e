"""The robot dealer's hands at Fortune 8.

It may not import another game of the dealer (contract `dealer`). Begin with `game.py`, then `dealing.py`.
"""
