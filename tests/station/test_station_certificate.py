"""A station whose certificate for the broker ends soon."""

from pathlib import Path

from tests.floor.certificates import DAY, Authority
from tests.station.processes import Mosquitto, ended_at_last, lone_daemon, patiently


def test_a_certificate_that_ends_soon_is_an_alarm_with_its_date_and_its_file(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.sign("broker")
    own, own_key = authority.sign("table", (-DAY, 10 * DAY))
    settings = f"allow_anonymous true\ncafile {authority.file}\ncertfile {certificate}\nkeyfile {key}"
    broker = Mosquitto(tmp_path / "broker", settings)
    daemon = lone_daemon(tmp_path, f"mqtts://127.0.0.1:{broker.port}")
    text = daemon.config.read_text()
    files = f'[floor]\nca_file = "{authority.file}"\ncert_file = "{own}"\nkey_file = "{own_key}"\n'
    daemon.config.write_text(text.replace("[floor]\n", files))
    with ended_at_last(daemon, broker):
        broker.start()
        daemon.start()

        def alarms() -> list[dict[str, str]]:
            return [alarm for alarm in daemon.wait_answering()["alarms"] if alarm["name"] == "certificate"]

        patiently(alarms, 20, "the alarm")
        [alarm] = alarms()
        assert alarm["details"].startswith(f"{own} ends ")
        assert "Renew the file of cert_file" in alarm["texts"]["en"]  # type: ignore[index]
