"""`dealer-station bench latency`: the shape of what it finds; no figure of it."""

import json
import subprocess
import sys


def test_a_few_cards_beside_a_bare_bridge_and_a_replay() -> None:
    command = [sys.executable, "-m", "controller", "bench", "latency", "--cards", "1", "--replay", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found.pop("cards") == 24 and found.pop("ratio_p50") > 0 and found.pop("repeated_a_second") > 0
    assert list(found) == [
        "station_durable", "station_acknowledged", "bare_bridge_acknowledged", "station_acknowledged_during_replay"
    ]  # fmt: skip
    assert all(0 < row["p50_ms"] <= row["p99_ms"] <= row["longest_ms"] for row in found.values())
