"""The pit: the archive of many tables, linked pots, and a page for the pit boss. A program of its own.

It receives over MQTT what tables publish, and knows no more of them: it may import neither the journal, nor the
runtime, nor a driver (contract `pit-beside-stations`). `leader.py` and `ledger.py` are pure (contract
`the-link-is-pure`). Begin with `service.py`; `inbox.py` has how messages are put in order.
"""
