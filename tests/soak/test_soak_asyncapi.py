"""AsyncAPI's own parser reads the document of what is published, and finds nothing wrong with it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.soak.npm import installed

HERE = Path(__file__).parent / "asyncapi"
DOCUMENT = Path(__file__).parents[2] / "docs" / "asyncapi.json"
ERROR = 0  # a finding's severity


@pytest.mark.timeout(700)
def test_the_official_parser_reads_the_document_and_refuses_one_that_is_broken(tmp_path: Path) -> None:
    folder = installed(HERE, tmp_path / "parser")

    def parsed(document: dict[str, Any]) -> dict[str, Any]:
        (file := tmp_path / "document.json").write_text(json.dumps(document))
        done = subprocess.run(["node", "parse.js", file], cwd=folder, capture_output=True, text=True, check=True)
        return dict(json.loads(done.stdout))

    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    found = parsed(document)
    assert [one for one in found["findings"] if one["severity"] == ERROR] == []
    assert found["counts"]["operations"] == len(document["operations"]) > 100

    next(iter(document["operations"].values()))["messages"] = [{"$ref": "#/channels/none/messages/none"}]
    assert any(one["severity"] == ERROR for one in parsed(document)["findings"])
