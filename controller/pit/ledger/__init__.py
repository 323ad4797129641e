"""The ledger of a linked pot: the entries of tables and the decisions of persons, in the order they are applied.

It has no clock, no chance and no I/O (contract `the-link-is-pure`). Begin with `state.py`, then `entries.py` and
`claims.py`.
"""
