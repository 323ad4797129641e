"""`pit.toml`: read whole, or every mistake in it is named."""

from pathlib import Path

import pytest

from controller.config.document import BadConfiguration
from controller.pit.config import read_config

GOOD = '[floor]\nbroker = "mqtt://127.0.0.1:1"\n[archive]\nname = "cellar"\ndatabase = "dbname=pit"\n'


def test_a_configuration_is_read(tmp_path: Path) -> None:
    (file := tmp_path / "pit.toml").write_text(GOOD)
    assert (read_config(file).archive, read_config(file).database) == ("cellar", "dbname=pit")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOOD.replace("cellar", "a b"), ["archive.name"]),
        (GOOD.replace('"dbname=pit"', "5").replace("cellar", "a/b"), ["archive.database", "archive.name"]),
        (GOOD.replace("[archive]", 'protocol = "3.1.1"\n[archive]'), ["floor.protocol"]),
        ("x = " + "9" * 5000, ["(file)"]),
        ("x = " + "[" * 5000, ["(file)"]),
        ("x = \xff", ["(file)"]),
    ],
    ids=["name", "two", "protocol", "number", "depth", "bytes"],
)
def test_every_mistake_is_named(tmp_path: Path, content: str, said: list[str]) -> None:
    (file := tmp_path / "pit.toml").write_text(content, encoding="latin-1")
    with pytest.raises(BadConfiguration) as bad:
        read_config(file)
    assert sorted(one.key for one in bad.value.mistakes) == said
