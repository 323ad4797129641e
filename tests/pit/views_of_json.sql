-- What rows say, computed from the envelopes alone: a second way to the same figures.

CREATE SCHEMA before;

CREATE TABLE before.messages (
    site text, "table" text, journal text, sequence bigint, type text, round bigint, time timestamptz, received timestamptz,
    envelope json, PRIMARY KEY (site, "table", journal, sequence)
);

CREATE INDEX ON before.messages (type);

-- Confirmed rounds. `handle` is all that was staked but for jackpot chips, `win` what all players together lost of it,
-- commission included and jackpot awards not, both in minor units of `currency`. Where a player is the banker, what he won
-- and those who joined him is not the house's.
CREATE VIEW before.rounds AS
SELECT
    m.site, m."table", m.journal, m.sequence, m.round, m.time AS confirmed, m.received,
    (d ->> 'began')::timestamptz AS began,
    d ->> 'game' AS game,
    d ->> 'mode' AS mode,
    d ->> 'outcome' AS outcome,
    d ->> 'actor' AS confirmed_by,
    d ->> 'currency' AS currency,
    (d ->> 'exponent')::integer AS exponent,
    d -> 'void' ->> 'article' AS void_article,
    d -> 'void' ->> 'reason' AS void_reason,
    seats.occupied, seats.handle, seats.win - bank.net AS win,
    d AS data
FROM before.messages AS m
CROSS JOIN LATERAL (SELECT m.envelope -> 'data') AS one (d)
CROSS JOIN LATERAL (
    SELECT
        count(DISTINCT seat ->> 'seat') AS occupied,
        coalesce(sum((line ->> 'stake')::bigint), 0) AS handle,
        coalesce(-sum((line ->> 'net')::bigint), 0) AS win
    FROM json_array_elements(d -> 'seats') AS seat
    LEFT JOIN LATERAL json_array_elements(seat -> 'lines') AS line ON line ->> 'wager' <> 'jackpot'
) AS seats
CROSS JOIN LATERAL (
    SELECT coalesce((d #>> '{bank,net}')::bigint, 0) + coalesce(sum((joiner ->> 'net')::bigint), 0) AS net
    FROM (SELECT 1) AS always LEFT JOIN LATERAL json_array_elements(d #> '{bank,joiners}') AS joiner ON true
) AS bank
WHERE m.type = 'dealer.station.round';

-- Each line of each round's settlement.
CREATE VIEW before.lines AS
SELECT
    r.site, r."table", r.journal, r.sequence, r.round, r.confirmed, r.received, r.game, r.mode, r.currency, r.exponent,
    (seat ->> 'seat')::integer AS seat,
    line ->> 'wager' AS wager,
    line ->> 'player' AS player,
    line ->> 'outcome' AS outcome,
    line ->> 'odds' AS odds,
    (line ->> 'stake')::bigint AS stake,
    (line ->> 'net')::bigint AS net,
    (line ->> 'commission')::bigint AS commission,
    line ->> 'article' AS article
FROM before.rounds AS r
CROSS JOIN LATERAL json_array_elements(r.data -> 'seats') AS seat
CROSS JOIN LATERAL json_array_elements(seat -> 'lines') AS line;

-- Jackpot hits: locked, and paid if they were.
CREATE VIEW before.hits AS
SELECT
    locked.site, locked."table", locked.journal, locked.round, locked.time AS locked, locked.received,
    (locked.envelope #>> '{data,hit}')::bigint AS hit,
    (locked.envelope #>> '{data,seat}')::integer AS seat,
    locked.envelope #>> '{data,tier}' AS tier,
    (locked.envelope #>> '{data,amount}')::bigint AS amount,
    locked.envelope #>> '{data,currency}' AS currency,
    (locked.envelope #>> '{data,exponent}')::integer AS exponent,
    locked.envelope #>> '{data,article}' AS article,
    paid.time AS paid,
    (paid.envelope #>> '{data,slip}')::bigint AS slip,
    paid.envelope #> '{data,confirmed_by}' AS confirmed_by
FROM before.messages AS locked
LEFT JOIN before.messages AS paid
    ON paid.type = 'dealer.station.event.hit_paid'
    AND (paid.site, paid."table", paid.journal) = (locked.site, locked."table", locked.journal)
    AND paid.envelope #>> '{data,hit}' = locked.envelope #>> '{data,hit}'
WHERE locked.type = 'dealer.station.event.hit_locked';

-- Alarms raised, cleared and acknowledged.
CREATE VIEW before.alarms AS
SELECT
    site, "table", journal, sequence, time, received,
    replace(type, 'dealer.station.event.alarm_', '') AS what,
    envelope #>> '{data,alarm}' AS alarm,
    envelope #>> '{data,actor}' AS actor,
    envelope #>> '{data,texts,en}' AS text
FROM before.messages
WHERE type IN (
    'dealer.station.event.alarm_raised', 'dealer.station.event.alarm_cleared', 'dealer.station.event.alarm_acknowledged'
);

-- Who logged in where, who was refused, and who left.
CREATE VIEW before.persons AS
SELECT
    site, "table", journal, sequence, time, received,
    replace(type, 'dealer.station.event.entry_', '') AS what,
    envelope #>> '{data,name}' AS name,
    envelope #>> '{data,role}' AS role,
    envelope #>> '{data,screen}' AS screen
FROM before.messages
WHERE type LIKE 'dealer.station.event.entry\_%';

-- What a table did in an hour.
CREATE VIEW before.table_hours AS
SELECT
    site, "table", date_trunc('hour', confirmed) AS hour, game, mode, currency, exponent,
    count(*) AS rounds,
    count(*) FILTER (WHERE outcome = 'void') AS voids,
    round(avg(occupied), 2) AS occupied,
    sum(handle) AS handle,
    sum(win) AS win,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM confirmed - began)) AS median_seconds
FROM before.rounds
GROUP BY site, "table", date_trunc('hour', confirmed), game, mode, currency, exponent;

-- The pot that each round left at a table with a jackpot, in minor units of `currency`.
CREATE VIEW before.pots AS
SELECT
    m.site, m."table", m.journal, m.sequence, m.time, m.received,
    m.envelope #>> '{data,currency}' AS currency,
    (m.envelope #>> '{data,exponent}')::integer AS exponent,
    (m.envelope #>> '{data,jackpot,pot_after}')::bigint AS pot
FROM before.messages AS m
WHERE m.type = 'dealer.station.round' AND m.envelope #> '{data,jackpot,pot_after}' IS NOT NULL;
