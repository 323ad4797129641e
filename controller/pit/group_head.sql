-- What a head office adds to the schema of the pit: `dealer-pit schema | psql DATABASE`, then `dealer-pit group head | psql
-- DATABASE`, as a superuser. Every statement can be given again.

-- A batch that does not continue the one before is refused with its whole transaction, again and again: nothing is applied.
CREATE OR REPLACE FUNCTION pit.refuse_other_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.before <> old.through THEN
        RAISE EXCEPTION USING
            ERRCODE = 'integrity_constraint_violation',
            MESSAGE = format('%s/%s, journal %s: the property continues after message %s, and the head office has all through %s',
                new.site, new."table", new.journal, new.before, old.through),
            HINT = 'The database of the property was put back, or transactions of it were passed over: docs/group.md.';
    END IF;
    RETURN new;
END $$;

CREATE OR REPLACE TRIGGER refuse_other_head BEFORE UPDATE ON pit.heads
FOR EACH ROW EXECUTE FUNCTION pit.refuse_other_head();
ALTER TABLE pit.heads ENABLE ALWAYS TRIGGER refuse_other_head;

-- Makes the partitions from the month of a day on, until three months from now: each day, by a timer. A row without its month
-- waits, and all behind it, until it is made.
CREATE OR REPLACE FUNCTION pit.make_months(since date DEFAULT current_date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    month date;
    name text;
BEGIN
    FOR month IN
        SELECT generate_series(date_trunc('month', since - 1), date_trunc('month', current_date) + interval '3 months',
            interval '1 month')
    LOOP
        FOREACH name IN ARRAY ARRAY['rounds', 'lines', 'hits', 'adjustments', 'alarms', 'persons'] LOOP
            EXECUTE format('CREATE TABLE IF NOT EXISTS pit.%I PARTITION OF pit.%I FOR VALUES FROM (%L) TO (%L)',
                format('%s_%s', name, to_char(month, 'YYYY_MM')), name,
                to_char(month, 'YYYY-MM-01 00:00:00+00'), to_char(month + interval '1 month', 'YYYY-MM-01 00:00:00+00'));
        END LOOP;
    END LOOP;
END $$;

-- Removes all rows of a property, before they are copied again.
CREATE OR REPLACE FUNCTION pit.forget_site(gone text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'heads', 'rounds', 'lines', 'hits', 'adjustments', 'alarms', 'persons', 'table_hours', 'meter_hours', 'figures'
    ] LOOP
        EXECUTE format('DELETE FROM pit.%I WHERE site = %L', name, gone);
    END LOOP;
    DELETE FROM pit.checkpoints WHERE starts_with(origin, format('dealer/%s/', gone));
END $$;
