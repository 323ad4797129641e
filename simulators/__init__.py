"""The bench: every device of the table on its real wire, a physical table, a robot dealer and the camera above them."""
