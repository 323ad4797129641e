"""The ports of a wire: a serial line, one behind a network address, a USB device.

It opens, reads and writes, and knows no protocol: it may not import a make (contract `makes`). Begin with `line.py`,
which is what a driver sees, then `serial.py`.
"""
