"""The devices of a bench as real USB devices: exported over USB/IP, so that a kernel's own drivers meet them.

The protocol is that of Documentation/usb/usbip_protocol.rst in the Linux kernel, version 1.1.1. Written from documents,
it may not import the drivers (contract `simulators`). Begin with `packets.py`, then `functions.py`; `bus.py` has what
is plugged in.
"""
