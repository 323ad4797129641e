-- Ten questions to the archive of dealer-pit, for psql. Money is in minor units; a day is one of the session's time zone.

-- 1. Yesterday's win by table and game
SELECT site, "table", game, currency, sum(rounds) AS rounds, sum(handle) AS handle, sum(win) AS win
FROM pit.table_hours
WHERE hour >= date_trunc('day', now()) - interval '1 day' AND hour < date_trunc('day', now())
GROUP BY site, "table", game, currency
ORDER BY win DESC;

-- 2. This month's jackpot hits by tier, and what is not paid yet
SELECT tier, currency, count(*) AS hits, sum(amount) AS amount, count(*) FILTER (WHERE paid IS NULL) AS unpaid
FROM pit.hits
WHERE received >= date_trunc('month', now())
GROUP BY tier, currency
ORDER BY amount DESC;

-- 3. Rounds an hour by shift of eight hours, in the last week
SELECT "table", (extract(hour FROM hour)::integer / 8) AS shift, round(sum(rounds) / count(DISTINCT hour), 1) AS rounds
FROM pit.table_hours
WHERE hour >= date_trunc('day', now()) - interval '7 days'
GROUP BY "table", shift
ORDER BY "table", shift;

-- 4. A slip: which hit it paid, when and by whom
SELECT "table", round, seat, tier, amount, locked, paid, confirmed_by
FROM pit.hits
WHERE site = 'macau-1' AND "table" = 'table-1' AND slip = 1;

-- 5. Alarms of the last week by table
SELECT "table", alarm, count(*) AS raised
FROM pit.alarms
WHERE what = 'raised' AND received >= now() - interval '7 days'
GROUP BY "table", alarm
ORDER BY raised DESC;

-- 6. Who logged in at a table yesterday
SELECT time, name, role, screen, what
FROM pit.persons
WHERE site = 'macau-1' AND "table" = 'table-1'
    AND received >= date_trunc('day', now()) - interval '1 day' AND received < date_trunc('day', now())
ORDER BY received, sequence;

-- 7. The last twenty rounds of a table
SELECT round, confirmed, outcome, occupied, handle, win, confirmed_by
FROM pit.rounds
WHERE site = 'macau-1' AND "table" = 'table-1'
ORDER BY received DESC, sequence DESC
LIMIT 20;

-- 8. A complaint: each line at a table in the ten minutes around a time
SELECT round, confirmed, seat, player, wager, stake, outcome, odds, net, article
FROM pit.lines
WHERE site = 'macau-1' AND "table" = 'table-1'
    AND confirmed BETWEEN now() - interval '1 day 5 minutes' AND now() - interval '1 day' + interval '5 minutes'
ORDER BY sequence, seat;

-- 9. This month's rounds, handle and win by game
SELECT game, currency, sum(rounds) AS rounds, sum(handle) AS handle, sum(win) AS win
FROM pit.table_hours
WHERE hour >= date_trunc('month', now())
GROUP BY game, currency
ORDER BY win DESC;

-- 10. This month's void rounds by table and article
SELECT "table", void_article, count(*) AS voids
FROM pit.rounds
WHERE outcome = 'void' AND received >= date_trunc('month', now())
GROUP BY "table", void_article
ORDER BY voids DESC;
