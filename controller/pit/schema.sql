-- What the pit keeps. Every statement can be given again; `dealer-pit` gives them at a start where the schema is another one.

CREATE SCHEMA IF NOT EXISTS pit;

-- Which process leads: one that finds another epoch here than its own has been superseded, and writes nothing more. The holder
-- changes `beat` while it is alive; an empty `holder` has released the lead.
CREATE TABLE IF NOT EXISTS pit.leases (
    name text PRIMARY KEY,
    holder text NOT NULL,
    epoch bigint NOT NULL,
    beat bigint NOT NULL
);

-- One row a journal. `through` is the last message that is kept, and all before it are, from `first` on.
CREATE TABLE IF NOT EXISTS pit.journals (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    first bigint NOT NULL DEFAULT 1,
    through bigint NOT NULL DEFAULT 0,
    last_received timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (site, "table", journal)
);

-- How far each journal is, and how far it was before its last batch. A reader of these rows in order sees each batch continue
-- the one before; where it does not, messages are missing or come again. Filled where a head office follows (docs/group.md).
CREATE TABLE IF NOT EXISTS pit.heads (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    before bigint NOT NULL,
    through bigint NOT NULL,
    PRIMARY KEY (site, "table", journal)
);

-- Every message of `events/#` and `rounds`, as it came: a row has consecutive messages of a journal in one frame of zstd, which
-- `dealer-pit messages` reads. `received` is when the archive received the first, and the partitions go by it; the frame has that of
-- each. That a message is stored once, in whatever month it is received again, is ensured by `through`, in the same transaction.
-- Rows of few messages are put together later.
CREATE TABLE IF NOT EXISTS pit.messages (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    count integer NOT NULL,
    received timestamptz NOT NULL,
    frame bytea NOT NULL,
    PRIMARY KEY (site, "table", journal, first, received)
) PARTITION BY RANGE (received);

ALTER TABLE pit.messages ALTER COLUMN frame SET STORAGE EXTERNAL;

CREATE INDEX IF NOT EXISTS messages_of_small_rows ON pit.messages (site, "table", journal, first) WHERE count < 500;

-- The dictionaries of the frames, by the number that a frame has.
CREATE TABLE IF NOT EXISTS pit.dictionaries (
    number bigint PRIMARY KEY,
    content bytea NOT NULL
);

-- Files with messages that `pit.messages` no longer has, of the month in which they were received: a row for those of a journal
-- between which there are no others, and the SHA-256 of the file.
CREATE TABLE IF NOT EXISTS pit.envelope_files (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    month date NOT NULL,
    file text NOT NULL,
    sha256 text NOT NULL,
    PRIMARY KEY (site, "table", journal, first)
);

-- Messages that `pit.messages` does not have, from `first` to `last`, and why. `content` has the bytes of one that was received
-- and is nothing that a database reads. Until a person has decided (`decided_by`), the table keeps them.
CREATE TABLE IF NOT EXISTS pit.gaps (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    reason text NOT NULL,
    content bytea,
    found timestamptz NOT NULL DEFAULT now(),
    decided_by text,
    PRIMARY KEY (site, "table", journal, first)
);

-- Where a person has put the tables on the page: column and row by `site/table`, as JSON. `revision` counts the changes. The
-- person is empty where no one logs in.
CREATE TABLE IF NOT EXISTS pit.floor_plans (
    person text PRIMARY KEY,
    revision bigint NOT NULL,
    cells text NOT NULL
);

-- The pit as a witness: of each table the last checkpoint that it has cosigned and the refusal that no one has lifted, and
-- whether a person has accepted it since; and every checkpoint that it has cosigned, as a signed note.
CREATE TABLE IF NOT EXISTS pit.witnessed (
    "table" text PRIMARY KEY,
    note text,
    refusal text,
    accepted boolean NOT NULL DEFAULT false,
    since timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS pit.checkpoints (
    origin text NOT NULL,
    size bigint NOT NULL,
    cosigned timestamptz NOT NULL DEFAULT now(),
    note text NOT NULL,
    PRIMARY KEY (origin, size)
);

-- Linked pots. A batch is one transaction: the link at its next revision, the journals and claims that changed, the entries that
-- were applied, and what persons decided. `chain` is a hash over all of them; `state` and `opened` are for dealer-pit alone.
CREATE TABLE IF NOT EXISTS pit.links (
    link text PRIMARY KEY,
    revision bigint NOT NULL,
    epoch bigint NOT NULL,
    chain text NOT NULL,
    opened json NOT NULL,
    state json NOT NULL
);

CREATE TABLE IF NOT EXISTS pit.link_journals (
    link text NOT NULL,
    journal text NOT NULL,
    state json NOT NULL,
    PRIMARY KEY (link, journal)
);

-- `open_since` is when the claim was granted, until it is paid or over otherwise.
CREATE TABLE IF NOT EXISTS pit.link_claims (
    link text NOT NULL,
    claim text NOT NULL,
    place bigint NOT NULL,
    state json NOT NULL,
    open_since timestamptz,
    PRIMARY KEY (link, claim)
);

-- The ledger: every entry of every table once, and the revision that applied it.
CREATE TABLE IF NOT EXISTS pit.link_entries (
    link text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    seq bigint NOT NULL,
    revision bigint NOT NULL,
    entry json NOT NULL,
    PRIMARY KEY (link, journal, seq)
);

-- The amount after each batch, in 1/10 000 of a minor unit.
CREATE TABLE IF NOT EXISTS pit.link_revisions (
    link text NOT NULL,
    revision bigint NOT NULL,
    epoch bigint NOT NULL,
    chain text NOT NULL,
    pot_e4 bigint NOT NULL,
    reserve_e4 bigint NOT NULL,
    overflow_e4 bigint NOT NULL,
    pending_e4 bigint NOT NULL,
    cycle bigint NOT NULL,
    stopped text NOT NULL,
    decided json,
    applied timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (link, revision)
);

-- Rows out of messages, stored in the transaction of the message that they are of. Each table has the partitions of `pit.messages`.

-- Confirmed rounds. `handle` is all that was staked but for jackpot chips, `win` what all players together lost of it,
-- commission included and jackpot awards not, both in minor units of `currency`. Where a player is the banker, what he won
-- and those who joined him is not the house's. `pot` is what the round left in the jackpot, null where there is none.
CREATE TABLE IF NOT EXISTS pit.rounds (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    sequence bigint NOT NULL,
    round bigint,
    confirmed timestamptz,
    received timestamptz NOT NULL,
    began timestamptz,
    game text,
    mode text,
    outcome text,
    confirmed_by text,
    currency text,
    exponent integer,
    void_article text,
    void_reason text,
    occupied bigint NOT NULL,
    handle bigint NOT NULL,
    win bigint NOT NULL,
    pot bigint,
    PRIMARY KEY (site, "table", received, journal, sequence)
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS rounds_by_hour ON pit.rounds (site, "table", confirmed);
CREATE INDEX IF NOT EXISTS rounds_by_receipt ON pit.rounds USING brin (received);
CREATE INDEX IF NOT EXISTS rounds_of_voids ON pit.rounds (received) WHERE outcome = 'void';

-- Each line of each round's settlement.
CREATE TABLE IF NOT EXISTS pit.lines (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    sequence bigint NOT NULL,
    round bigint,
    confirmed timestamptz,
    received timestamptz NOT NULL,
    game text,
    mode text,
    currency text,
    exponent integer,
    seat integer,
    wager text,
    player text,
    outcome text,
    odds text,
    stake bigint,
    net bigint,
    commission bigint,
    article text
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS lines_by_time ON pit.lines (site, "table", confirmed);
CREATE INDEX IF NOT EXISTS lines_by_receipt ON pit.lines USING brin (received);

-- Jackpot hits: locked, and paid or withdrawn if they were.
CREATE TABLE IF NOT EXISTS pit.hits (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    round bigint,
    locked timestamptz,
    received timestamptz NOT NULL,
    hit bigint,
    seat integer,
    tier text,
    amount bigint,
    currency text,
    exponent integer,
    article text,
    paid timestamptz,
    slip bigint,
    confirmed_by json,
    withdrawn timestamptz
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS hits_by_number ON pit.hits (site, "table", journal, hit);
CREATE INDEX IF NOT EXISTS hits_by_slip ON pit.hits (site, "table", slip);
CREATE INDEX IF NOT EXISTS hits_by_receipt ON pit.hits (received);

-- What a supervisor paid a seat (negative: took from it) after its round was confirmed (`what` is round), or put on a part of the
-- meter (`what` is meter); in minor units.
CREATE TABLE IF NOT EXISTS pit.adjustments (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    sequence bigint NOT NULL,
    time timestamptz,
    received timestamptz NOT NULL,
    what text NOT NULL,
    round bigint,
    seat integer,
    part text,
    amount bigint,
    currency text,
    exponent integer,
    actor text,
    second text,
    reason text
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS adjustments_by_time ON pit.adjustments (site, "table", time);

-- Alarms raised, cleared and acknowledged; `texts` by language.
CREATE TABLE IF NOT EXISTS pit.alarms (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    sequence bigint NOT NULL,
    time timestamptz,
    received timestamptz NOT NULL,
    what text NOT NULL,
    alarm text,
    actor text,
    texts json,
    text text GENERATED ALWAYS AS (texts ->> 'en') STORED
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS alarms_of_table ON pit.alarms (site, "table", received);
CREATE INDEX IF NOT EXISTS alarms_by_receipt ON pit.alarms (received);

-- Who logged in where, who was refused, and who left.
CREATE TABLE IF NOT EXISTS pit.persons (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    sequence bigint NOT NULL,
    time timestamptz,
    received timestamptz NOT NULL,
    what text NOT NULL,
    name text,
    role text,
    screen text
) PARTITION BY RANGE (received);

CREATE INDEX IF NOT EXISTS persons_of_table ON pit.persons (site, "table", received);
CREATE INDEX IF NOT EXISTS persons_by_name ON pit.persons (name, received);

-- What a table did in an hour of UTC: made again from its rounds by the transaction that stores one of that hour. `seats` were
-- occupied in all its rounds together.
CREATE TABLE IF NOT EXISTS pit.table_hours (
    site text NOT NULL,
    "table" text NOT NULL,
    hour timestamptz,
    game text,
    mode text,
    currency text,
    exponent integer,
    rounds bigint NOT NULL,
    voids bigint NOT NULL,
    occupied numeric,
    handle numeric NOT NULL,
    win numeric NOT NULL,
    median_seconds double precision,
    seats numeric NOT NULL,
    UNIQUE NULLS NOT DISTINCT (site, "table", hour, game, mode, currency, exponent)
);

CREATE INDEX IF NOT EXISTS table_hours_by_hour ON pit.table_hours (hour);

-- What moved on a jackpot in an hour of UTC, in 1/10 000 of a minor unit: sums to which the transaction of a message adds. With a
-- `link` it is what the table's journal has of a linked pot, up to entry `through`; without one it is the table's own meter.
CREATE TABLE IF NOT EXISTS pit.meter_hours (
    site text NOT NULL,
    "table" text NOT NULL,
    journal text NOT NULL,
    link text NOT NULL,
    hour timestamptz,
    currency text,
    exponent integer,
    opened numeric NOT NULL,
    through numeric NOT NULL,
    chips numeric NOT NULL,
    initial_e4 numeric NOT NULL,
    contributions_e4 numeric NOT NULL,
    returned_e4 numeric NOT NULL,
    house_funded_e4 numeric NOT NULL,
    paid_e4 numeric NOT NULL,
    adjustments_e4 numeric NOT NULL,
    pot_e4 numeric NOT NULL,
    reserve_e4 numeric NOT NULL,
    overflow_e4 numeric NOT NULL,
    pending_e4 numeric NOT NULL,
    UNIQUE NULLS NOT DISTINCT (site, "table", journal, link, hour, currency, exponent)
);

-- The same by day, of the reader's time zone.
CREATE OR REPLACE VIEW pit.table_days AS
SELECT
    site, "table", date_trunc('day', hour) AS day, game, mode, currency, exponent,
    sum(rounds) AS rounds,
    sum(voids) AS voids,
    round(sum(seats) / sum(rounds), 2) AS occupied,
    sum(handle) AS handle,
    sum(win) AS win
FROM pit.table_hours
GROUP BY site, "table", date_trunc('day', hour), game, mode, currency, exponent;

-- What each table published of its day so far at the end of each hour, out of `statistics`: a retained message, of which only the
-- last of an hour is kept. `known_` is of the wagers whose odds are known; `theoretical` and `deviation` are theirs.
CREATE TABLE IF NOT EXISTS pit.figures (
    site text NOT NULL,
    "table" text NOT NULL,
    since timestamptz NOT NULL,
    hour timestamptz NOT NULL,
    time timestamptz NOT NULL,
    currency text NOT NULL,
    exponent integer NOT NULL,
    open_ms bigint NOT NULL,
    rounds bigint NOT NULL,
    voids bigint NOT NULL,
    occupied numeric,
    handle bigint NOT NULL,
    win bigint NOT NULL,
    jackpot_win bigint NOT NULL,
    known_handle bigint NOT NULL,
    known_win bigint NOT NULL,
    theoretical numeric NOT NULL,
    deviation numeric NOT NULL,
    shuffle_ms bigint NOT NULL,
    jam_ms bigint NOT NULL,
    dispute_ms bigint NOT NULL,
    device_ms bigint NOT NULL,
    broker_ms bigint NOT NULL,
    corrections bigint NOT NULL,
    PRIMARY KEY (site, "table", since, hour)
);

CREATE INDEX IF NOT EXISTS figures_by_hour ON pit.figures (hour);

-- The same hour by hour: what came since the hour before. `hold`, `expected`, `band` (two standard deviations) and `sigmas`
-- are those of the day so far, the first three in parts of its handle.
CREATE OR REPLACE VIEW pit.kpis AS
SELECT
    f.site, f."table", f.hour, f.currency, f.exponent,
    f.rounds - coalesce(b.rounds, 0) AS rounds,
    f.voids - coalesce(b.voids, 0) AS voids,
    f.occupied,
    round((f.open_ms - coalesce(b.open_ms, 0)) / 60000.0, 1) AS open_minutes,
    f.handle - coalesce(b.handle, 0) AS handle,
    f.win - coalesce(b.win, 0) AS win,
    f.jackpot_win - coalesce(b.jackpot_win, 0) AS jackpot_win,
    f.theoretical - coalesce(b.theoretical, 0) AS theoretical,
    f.known_win::numeric / nullif(f.known_handle, 0) AS hold,
    f.theoretical / nullif(f.known_handle, 0) AS expected,
    2 * f.deviation / nullif(f.known_handle, 0) AS band,
    round((f.known_win - f.theoretical) / nullif(f.deviation, 0), 2) AS sigmas,
    round((f.shuffle_ms - coalesce(b.shuffle_ms, 0)) / 60000.0, 1) AS shuffle_minutes,
    round((f.jam_ms - coalesce(b.jam_ms, 0)) / 60000.0, 1) AS jam_minutes,
    round((f.dispute_ms - coalesce(b.dispute_ms, 0)) / 60000.0, 1) AS dispute_minutes,
    round((f.device_ms - coalesce(b.device_ms, 0)) / 60000.0, 1) AS device_minutes,
    round((f.broker_ms - coalesce(b.broker_ms, 0)) / 60000.0, 1) AS broker_minutes,
    f.corrections - coalesce(b.corrections, 0) AS corrections
FROM pit.figures AS f
LEFT JOIN LATERAL (
    SELECT * FROM pit.figures AS earlier
    WHERE earlier.site = f.site AND earlier."table" = f."table" AND earlier.since = f.since AND earlier.hour < f.hour
    ORDER BY earlier.hour DESC LIMIT 1
) AS b ON true;

-- The pot that each round left at a table with a jackpot, in minor units of `currency`.
CREATE OR REPLACE VIEW pit.pots AS
SELECT site, "table", journal, sequence, confirmed AS time, received, currency, exponent, pot
FROM pit.rounds
WHERE pot IS NOT NULL;
