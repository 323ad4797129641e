"""The table controller: it applies one regulation to what devices and dealer report.

An input enters one queue, the engine decides it, the journal records the events, and only then console, floor and
devices see the result. Everything here runs without the simulators and may not import them (contract
`live-knows-no-simulator`); `layers` has the order of the folders. Begin with `engine/decisions/deciders.py`, then
`runtime/loop.py`.
"""
