"""The wires of the table: codecs that do no I/O, the ports they run over, the one reconnect loop, and the devices."""
