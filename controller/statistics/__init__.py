"""The results of a table, compared with its odds: pure computation over rounds and events. No I/O here.

Sums are exact and can be added, so that a day is the sum of its hours. It may not import `queries`, which calls it
(contract `layers`). Begin with `wagered.py`; `day.py` has the day of a table.
"""
