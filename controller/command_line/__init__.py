"""What every command of the station and of the pit shares: arguments, output, streams, signals, exit codes.

It knows no command: `commands` and `pit` import it, and it may not import them (contract `layers`). Begin with
`failures.py`, which has what can go wrong with a configuration, a station or a journal, and its exit code.
"""
