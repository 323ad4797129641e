"""The bench: every device of the table on its real wire, a physical table, a robot dealer, and a camera.

A station that runs against it cannot distinguish it from a table. It shares no code with the drivers or the controller
and may import neither (contract `simulators`), so that a mistake in one is not repeated in the other. README.md has its
commands. Begin with `simulated_table.py`.
"""
