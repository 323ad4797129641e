"""A pot that several tables share: the messages of table and pit, and the table's side. No I/O here.

The pit's side is `controller/pit/ledger`. Both are pure, so that every order of lost and late messages can be tried;
no clock, chance or I/O may be imported (contract `the-link-is-pure`). Begin with `messages.py`, then `table.py`.
"""
