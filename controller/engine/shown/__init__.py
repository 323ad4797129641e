"""What is shown of the table: prompts, the public table, displays, and orders to its devices. No I/O here.

All of it follows from the state and from what is legal now, and nothing here changes the table. `decisions` and `state`
may not import it (contract `engine`). Begin with `projection.py`; `public.py` has the shape of the public table.
"""
