"""The commands of `dealer-station`, one module each.

A command has `add_arguments`, and `run`, which returns the exit code; helpers of one have no `run`. A command may
import everything below it, and no simulator: `simulate.py` starts the bench as a process (contracts `layers` and
`live-knows-no-simulator`). `run.py` may not import what a running table does not need (contract `a-table-runs-lean`).
Begin with `settle.py`.
"""
