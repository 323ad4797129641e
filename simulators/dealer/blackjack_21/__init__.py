"""The robot dealer's hands at black-jack/21.

It may not import another game of the dealer (contract `dealer`). Begin with `game.py`, then `asking.py`.
"""
