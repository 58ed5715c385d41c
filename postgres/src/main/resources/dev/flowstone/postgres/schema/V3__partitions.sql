-- Partitions of the journal: one for each month of birth, months in UTC, without a gap from the month of installation
-- on. Ids older than that (imported, or a clock that was wrong) have a partition of their own. There is no default
-- partition: it would have to be searched, and could not be split, when a month is missing; instead months are made
-- ahead, and a commit that finds none makes it (PostgresJournal).

SET LOCAL ROLE ${owner};

-- The least run id that is born at this time.
CREATE FUNCTION flowstone.first_run_id(birth timestamptz) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (lpad(to_hex(floor(extract(epoch FROM birth) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Up to when every month has its partition.
CREATE FUNCTION flowstone.partitions_until() RETURNS timestamptz
LANGUAGE sql STABLE
RETURN (
    SELECT (max(to_date(right(child.relname, 7), 'YYYY_MM')) + interval '1 month') AT TIME ZONE 'UTC'
    FROM pg_catalog.pg_inherits
    JOIN pg_catalog.pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = 'flowstone.entries'::regclass AND child.relname ~ '^entries_\d{4}_\d{2}$'
);

-- Shuts a partition like its parent: nothing granted, no rows for anybody, no change.
CREATE FUNCTION flowstone.add_partition(partition text, lower uuid, upper uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    EXECUTE format('CREATE TABLE flowstone.%I (LIKE flowstone.entries INCLUDING ALL) '
                   'WITH (toast_tuple_target = 4080, autovacuum_vacuum_insert_scale_factor = 0.2)', partition);
    EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', partition);
    EXECUTE format('CREATE TRIGGER entries_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change()', partition);
    EXECUTE format('ALTER TABLE flowstone.%I ENABLE ALWAYS TRIGGER entries_are_for_ever', partition);
    -- Attaching locks out nobody who reads or inserts; CREATE TABLE … PARTITION OF would.
    IF lower IS NULL THEN
        EXECUTE format('ALTER TABLE flowstone.entries ATTACH PARTITION flowstone.%I '
                       'FOR VALUES FROM (MINVALUE) TO (%L)', partition, upper);
    ELSE
        EXECUTE format('ALTER TABLE flowstone.entries ATTACH PARTITION flowstone.%I '
                       'FOR VALUES FROM (%L) TO (%L)', partition, lower, upper);
    END IF;
END
$$;
REVOKE ALL ON FUNCTION flowstone.add_partition(text, uuid, uuid) FROM PUBLIC;

-- Makes every month's partition up to the one that holds this time; the number made. The engine may call it, and nothing
-- else of the owner's.
CREATE FUNCTION flowstone.ensure_partitions(until timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    month timestamptz;
    made  integer := 0;
BEGIN
    IF until > clock_timestamp() + interval '400 days' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('partitions are made at most 400 days ahead, not up to %s', until);
    END IF;
    IF flowstone.partitions_until() > until THEN
        RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('flowstone.entries', 0));
    month := flowstone.partitions_until();
    IF month IS NULL THEN
        month := date_trunc('month', clock_timestamp(), 'UTC');
        PERFORM flowstone.add_partition('entries_before', NULL, flowstone.first_run_id(month));
    END IF;
    WHILE month <= until LOOP
        PERFORM flowstone.add_partition(
            'entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'),
            flowstone.first_run_id(month),
            flowstone.first_run_id((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'));
        month := (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
REVOKE ALL ON FUNCTION flowstone.ensure_partitions(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.ensure_partitions(timestamptz) TO ${engine};

SELECT flowstone.ensure_partitions(clock_timestamp() + interval '2 months');

RESET ROLE;
