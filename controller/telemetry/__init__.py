"""The view of operators on a running station: logs, metrics, and signs of life to the service manager.

The four modules may not import each other, except `writing.py`, which all may (contract `telemetry`), nor HTTP
(contract `console-knows-http`). Begin with `metrics.py`.
"""
