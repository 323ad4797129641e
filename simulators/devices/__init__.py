"""The simulated devices, each at the far end of its real wire.

Frames are written here a second time, from the specification: it may not import the drivers (contract `simulators`).
Begin with `shoe_frames.py` and `shoe.py`; `line.py` is a serial line as a pty.
"""
