"""Rounds of five games in memory, disturbed: what the process has of memory and files does not grow with them."""

from tests.soak.rounds_in_memory import SESSION, TABLES, soak, taken

EVERY_TABLE = SESSION * len(TABLES)
ROUNDS = 10 * EVERY_TABLE


def test_a_process_that_plays_rounds_does_not_grow() -> None:
    soak(0, EVERY_TABLE)
    before = taken()
    ended = soak(EVERY_TABLE, ROUNDS)
    after = taken()
    print(f"{ROUNDS} rounds: {before} before, {after} after; {dict(ended)}")
    assert sum(ended.values()) == ROUNDS
    assert after["files"] == before["files"]
    assert after["rss_kib"] < before["rss_kib"] * 1.05
    for table in TABLES:
        assert ended[f"{table}: settled"] > 0.7 * ROUNDS / len(TABLES) and ended[f"{table}: void"] > 0
