"""Proofs by which others check the record: the Merkle tree over it, and signed notes in the forms of C2SP. No I/O here.

Bytes in, bytes out: it may import nothing of a table, neither engine nor rulebook, and no clock or I/O (contract
`proofs-are-pure`). Begin with `merkle.py`, then `notes.py`.
"""
