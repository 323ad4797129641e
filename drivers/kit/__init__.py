"""The compatibility kit: numbered assertions with which an owner proves his device, a table for each kind.

It knows what all makes share, and no make (contract `makes`). Begin with `assertion.py`, then `slots.py`.
"""
