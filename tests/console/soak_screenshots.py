"""`make screenshots` makes every picture that the pages show, none of them empty, and the same one again."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.console.screenshots import FOLDER, SCENES, SHEETS, SIZES, main
from tests.games import FORTUNE_8

FEWEST_COLOURS = 50  # of a screen that shows anything
UNSEEN = 16  # of 255: a busy machine draws the edge of a circle otherwise, and the picture has another palette then


def pictures(folder: Path, game: str) -> dict[str, bytes]:
    """What was made of a game, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith(f"{game}-")}


@pytest.mark.parametrize("game", [*(scene.game for scene in SCENES), SHEETS])
def test_every_picture_is_made_in_its_size_and_shows_something(game: str, tmp_path: Path) -> None:
    main(tmp_path, game)
    assert pictures(tmp_path, game).keys() == pictures(FOLDER, game).keys()
    for file in tmp_path.iterdir():
        with Image.open(file) as picture:
            size = SIZES[file.stem.rpartition("-")[2]]
            assert picture.size == (size["width"], size["height"]), file.name
            assert len(picture.convert("RGB").getcolors(1 << 20) or []) >= FEWEST_COLOURS, file.name


def test_a_picture_is_the_same_when_it_is_made_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        main(folder, FORTUNE_8)
    assert pictures(first, FORTUNE_8) and pictures(first, FORTUNE_8).keys() == pictures(second, FORTUNE_8).keys()
    for name in pictures(first, FORTUNE_8):
        with Image.open(first / name) as image, Image.open(second / name) as other:
            apart = ImageChops.difference(image.convert("RGB"), other.convert("RGB"))
        assert max(apart.tobytes()) <= UNSEEN, name
