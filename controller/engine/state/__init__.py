"""The table as it is, and how events change it. No I/O here.

An event has happened and cannot be refused. It may import neither `decisions` nor `shown` (contract `engine`), nor the
catalogues (contract `engine-has-codes`). Begin with `table.py`, then `applied.py`, which has a function for each event.
"""
