"""The journal: events with a hash chain, sealed cards, answers, snapshots and the outbox, in one SQLite file."""
