"""What users do with the document: validate it, generate models in Python and TypeScript, and read messages by them.

`make generators` runs this in the folder with the packages of npm. Modelina is AsyncAPI's own generator and makes both
languages from the document as it is. The models of Python are pydantic's. Types of TypeScript exist only for its
compiler, so each message is compiled as a literal of its type, where a key too many is an error as well.
"""

import compileall
import importlib
import json
import re
import shutil
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from controller.floor.asyncapi import document, text
from controller.rulebook.games import GAMES
from tests.floor.happened import messages, of_a_hit, of_a_witness

HERE = Path(__file__).parent
LEAST = 2_000  # messages
LEAST_OF_A_GAME = 400
WRONG = {"specversion": "2.0"}  # which no message may have
LATER = {"later": 1}  # which a later version may have
MODULES = {"target": "es2022", "module": "preserve", "moduleResolution": "bundler", "types": []}
TSCONFIG = {
    "compilerOptions": {"strict": True, "noEmit": True, **MODULES},
    "include": ["models/typescript/*.ts", "messages/*.ts"],
}


class Recorded(NamedTuple):
    """A message, the game it is of, and the title of its schema."""

    game: str
    title: str
    content: Any


def main(folder: Path) -> None:
    """All steps, each with a line. Exits with 1 at the first that fails."""
    for old in ("models", "messages"):
        shutil.rmtree(folder / old, ignore_errors=True)
    (folder / "asyncapi.json").write_text(text(), encoding="utf-8")
    shutil.copy(HERE / "generate.mjs", folder)
    run(["node", "generate.mjs"], folder)
    recorded = [*every_message(document()["components"]["messages"])]
    counts = Counter(message.game for message in recorded)
    if len(recorded) < LEAST or any(counts[game] < LEAST_OF_A_GAME for game in GAMES):
        fail(f"there are too few messages: {dict(counts)}")
    read_by_python(folder / "models", recorded)
    read_by_typescript(folder, recorded)
    listed = ", ".join(f"{game} {count}" for game, count in counts.items())
    print(f"{len(recorded)} of {len(recorded)} messages were read by the models of both languages: {listed}")


def every_message(kinds: Mapping[str, Any]) -> Iterator[Recorded]:
    """What tables of all games published, and one of each kind that they never came to."""
    found: list[tuple[str, bytes]] = [(game, message.payload) for game in GAMES for message in messages(game)]
    found += [("a prize", message) for message in of_a_hit()]
    found += [("a witness", message) for message in of_a_witness()]
    for game, payload in found:
        content = json.loads(payload)
        yield Recorded(game, kinds[content["type"].removeprefix("dealer.station.")]["payload"]["title"], content)
    for kind in kinds.values():
        yield Recorded("examples", kind["payload"]["title"], kind["examples"][0]["payload"])


def read_by_python(models: Path, recorded: Sequence[Recorded]) -> None:
    """Compile and import every module; read each message and write the same again.

    A wrong message is refused, and one with a key more is not.
    """
    from pydantic import ValidationError

    package = models / "asyncapimodels"
    if not compileall.compile_dir(package, quiet=1):
        fail("the models of Python do not compile")
    sys.path.insert(0, str(models))
    modules = sorted(file.stem for file in package.glob("*.py"))
    classes: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", 'Field name "schema"', UserWarning)  # an old name of pydantic's own
        for module in modules:
            classes |= vars(importlib.import_module(f"asyncapimodels.{module}"))
    print(f"Python: {len(modules)} modules compiled and imported")
    for game, title, content in recorded:
        try:
            model = classes[title].model_validate_json(json.dumps(content))
            again = json.loads(model.model_dump_json(exclude_unset=True, by_alias=True))
        except ValidationError as error:
            fail(f"Python: {title} of {game}: {error}")
        if again != content:
            fail(f"Python: {title} of {game} is written otherwise than it was read: {again} instead of {content}")
    for title, content in {message.title: message.content for message in recorded}.items():
        classes[title].model_validate(content | LATER)
        try:
            classes[title].model_validate(content | WRONG)
        except ValidationError:
            continue
        fail(f"Python: {title} takes {WRONG}")
    print(f"Python: {len(recorded)} messages read, and written the same again")


def read_by_typescript(folder: Path, recorded: Sequence[Recorded]) -> None:
    """Have the compiler hold each message against the type of its kind; a wrong one has to be an error."""
    (folder / "messages").mkdir()
    of_games = defaultdict[str, list[Recorded]](list)
    for message in recorded:
        of_games[message.game].append(message)
    for game, own in of_games.items():
        titles = sorted({message.title for message in own})
        lines = [f'import type {{ {title} }} from "../models/typescript/{title}";' for title in titles]
        for number, message in enumerate(own):
            lines.append(f"export const m{number}: {message.title} = {json.dumps(message.content)};")
        for title, content in {message.title: message.content for message in own}.items():
            lines.append(f"// @ts-expect-error\nexport const wrong{title}: {title} = {json.dumps(content | WRONG)};")
        name = re.sub("[^a-z0-9]", "_", game)
        (folder / "messages" / f"{name}.ts").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tsconfig.json").write_text(json.dumps(TSCONFIG), encoding="utf-8")
    run(["node_modules/.bin/tsc", "--project", "tsconfig.json"], folder)
    files = len([*(folder / "models" / "typescript").glob("*.ts")])
    print(f"TypeScript: {files} files compiled with --strict, and {len(recorded)} messages are of their types")


def run(command: list[str], folder: Path) -> None:
    """Run a program and show what it prints."""
    if subprocess.run(command, cwd=folder, check=False).returncode:
        fail(f"{command[0].rsplit('/', 1)[-1]} failed: what it printed is above")


def fail(why: str) -> NoReturn:
    """End with what is wrong."""
    sys.exit(f"generators: {why}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
