"""The wires of the table, a package for each make, over the ports, with the one reconnect loop that all share."""
