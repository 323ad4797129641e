"""What the machine offers to every part: files, ports, processes, tasks and the time.

Nothing here knows a table: it may not import what is above it in the contract `layers`. Begin with `files.py`,
which writes a file so that a power cut leaves the old one or the new one.
"""
