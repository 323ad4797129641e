"""The commands of `dealer-pit`: the arguments of each, and what it does.

What a command needs is imported when it runs. Nothing of the pit but `__main__` imports a command, and a command may
not import what the pit may not (contract `pit-beside-stations`). Begin with `service.py`.
"""
