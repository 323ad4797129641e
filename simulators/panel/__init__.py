"""The panel of the simulator: a page to watch the bench, take over from the robot dealer, and cause faults.

It serves HTTP by itself and may not import the console or its libraries (contract `simulators`). Begin with `panel.py`,
then `face.py`.
"""
