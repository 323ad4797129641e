"""`python -m tests.pit.dictionary` trains the dictionary of the archive's frames again, on recorded rounds.

Frames name their dictionary, and a database keeps each one that it has frames of.
"""

from controller.pit.frames import TRAINED, zstd
from controller.rulebook.games import GAMES
from tests.pit.ingest import sequenced

OCTETS = 16_384

if __name__ == "__main__":
    samples = [content for game in GAMES for _, content in sequenced(game)]
    TRAINED.write_bytes(zstd.train_dict(samples, OCTETS).dict_content)
