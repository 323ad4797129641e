"""Runs a program and prints, at each SIGRTMIN, the longest gap of its event loop since the last one: MODULE ARGS…"""

import asyncio
import json
import os
import runpy
import signal
import sys
import time
from pathlib import Path

TICK_SECONDS = 0.002


class _Watching(asyncio.DefaultEventLoopPolicy):
    """Each loop counts for itself how late it is."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        loop = super().new_event_loop()
        longest, due = 0.0, 0.0

        def tick() -> None:
            nonlocal longest, due
            now = time.monotonic()
            if due:
                longest = max(longest, now - due)
            due = now + TICK_SECONDS
            loop.call_later(TICK_SECONDS, tick)

        def on_event(*_: object) -> None:
            nonlocal longest
            status = Path("/proc/self/status").read_text(encoding="ascii").split()
            memory = {name: int(status[status.index(f"{name}:") + 1]) for name in ("VmHWM", "VmRSS")}
            os.write(2, json.dumps({"gap_ms": round(longest * 1000, 1), **memory}).encode() + b"\n")
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
            longest = 0.0

        loop.call_soon(tick)
        signal.signal(signal.SIGRTMIN, on_event)
        return loop


if __name__ == "__main__":
    asyncio.set_event_loop_policy(_Watching())
    sys.argv = sys.argv[1:]
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
