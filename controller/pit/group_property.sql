-- What a property publishes to its head office: `dealer-pit group property | psql DATABASE`, as the owner of the schema. Every
-- statement can be given again. The cluster has wal_level = logical, and max_slot_wal_keep_size is set.

INSERT INTO pit.heads SELECT site, "table", journal, through, through FROM pit.journals ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION pit.keep_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pit.heads AS known (site, "table", journal, before, through)
    VALUES (new.site, new."table", new.journal, new.first - 1, new.through)
    ON CONFLICT (site, "table", journal) DO UPDATE SET before = known.through, through = excluded.through;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keep_head AFTER INSERT OR UPDATE OF through ON pit.journals
FOR EACH ROW EXECUTE FUNCTION pit.keep_head();

-- Rows of these tables are updated and have no key that is never null. Later months of pit.hits have it from dealer-pit.
ALTER TABLE pit.table_hours REPLICA IDENTITY FULL;
ALTER TABLE pit.meter_hours REPLICA IDENTITY FULL;
DO $$
DECLARE
    month regclass;
BEGIN
    FOR month IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'pit.hits'::regclass LOOP
        EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', month);
    END LOOP;
END $$;

-- Deletions are not published: what a property prunes, the head office keeps.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_publication WHERE pubname = 'pit_group') THEN
        CREATE PUBLICATION pit_group FOR TABLE
            pit.heads, pit.rounds, pit.lines, pit.hits, pit.adjustments, pit.alarms, pit.persons, pit.table_hours,
            pit.meter_hours, pit.figures, pit.checkpoints
        WITH (publish = 'insert, update', publish_via_partition_root = true);
    END IF;
END $$;
