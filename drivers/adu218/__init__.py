"""The jackpot slots on an Ontrak ADU218: USB, HID reports.

It may import the ports and what all makes share, and no other make (contract `makes`). Begin with `codec.py`, then
`wire.py`, the questions in turn, and `slots.py`, the device.
"""
