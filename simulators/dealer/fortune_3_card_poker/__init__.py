"""The robot dealer's hands at Fortune 3 Card Poker, by the rules of 2008 and of 2025.

It may not import another game of the dealer (contract `dealer`). Begin with `game.py`, then `dealing.py`.
"""
