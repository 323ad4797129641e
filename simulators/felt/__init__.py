"""The physical table: cards, chips, players, and the camera that sees them.

It is the truth that tests compare the station with, and may import neither controller nor drivers (contract
`simulators`). Begin with `table.py`, then `players.py`.
"""
