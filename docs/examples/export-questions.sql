-- Three questions to Parquet files of `dealer-pit export`, for DuckDB in their folder. Money is in minor units.

-- 1. Hold by game and hour of the day in Macau
SELECT game, hour(hour AT TIME ZONE 'Asia/Macau') AS of_day, sum(rounds) AS rounds, sum(win) AS win,
    round(100 * sum(win) / nullif(sum(handle), 0), 2) AS hold_percent
FROM 'table_hours.parquet'
GROUP BY ALL
ORDER BY game, of_day;

-- 2. What each wager brought, with the share of its lines that players won
SELECT game, wager, currency, count(*) AS lines, sum(stake) AS stake, -sum(net) AS win,
    round(100.0 * count(*) FILTER (WHERE outcome = 'win') / count(*), 2) AS won_percent
FROM 'lines.parquet'
WHERE wager <> 'jackpot'
GROUP BY ALL
ORDER BY win DESC;

-- 3. Jackpot by table: chips, contributions in minor units, and hits with their sum
SELECT m.site, m."table", m.chips, m.contributions, h.hits, h.amount
FROM (
    SELECT site, "table", sum(chips) AS chips, sum(contributions_e4 - returned_e4) // 10000 AS contributions
    FROM 'meter_hours.parquet' GROUP BY ALL
) AS m
LEFT JOIN (
    SELECT site, "table", count(*) AS hits, sum(amount) AS amount
    FROM 'hits.parquet' WHERE withdrawn IS NULL GROUP BY ALL
) AS h USING (site, "table")
ORDER BY contributions DESC, site, "table";
