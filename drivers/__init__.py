"""The wires of the table: a package for each make, over the ports, with the one reconnect loop that all share.

A driver reports messages and takes orders, and never decides. It may import neither the controller nor the simulators
(contract `drivers`), and a make may not import another (contract `makes`). Codecs and dialogues have no I/O (contract
`codecs`). README.md has the frames. Begin with `device.py` and `messages.py`, then `adu218/codec.py`, the shortest
codec.
"""
