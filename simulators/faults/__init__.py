"""Faults of a table: how they are written, when they strike, and the mistakes of people.

A fault strikes a device, a wire or a hand of the bench; the station learns of it by its wires alone, and nothing here
may import the controller (contract `simulators`). Begin with `syntax.py`, which lists every fault, then `injector.py`.
"""
