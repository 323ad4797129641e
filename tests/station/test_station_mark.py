"""A journal whose mark beside it is damaged: the station starts, and says so."""

from pathlib import Path

from tests.station.processes import ended_at_last, lone_daemon, patiently


def test_a_mark_with_a_broken_checksum_is_an_alarm_and_the_table_continues(tmp_path: Path) -> None:
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon):
        daemon.start()
        assert "journal" not in [alarm["name"] for alarm in daemon.wait_answering()["alarms"]]
        assert daemon.terminate() == 0
        [mark] = tmp_path.rglob("*.mark")
        content = mark.read_bytes()
        mark.write_bytes(bytes([content[0] ^ 1]) + content[1:])
        daemon.start()

        def alarms() -> list[dict[str, str]]:
            return [alarm for alarm in daemon.wait_answering()["alarms"] if alarm["name"] == "journal"]

        patiently(alarms, 10, "the alarm")
        [alarm] = alarms()
        assert alarm["details"] == f"{mark} is damaged"
