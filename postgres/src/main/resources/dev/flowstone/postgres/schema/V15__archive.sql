-- Cold months leave the database: runs that are over go to a file, and the month's partition is replaced by a copy that holds
-- only the runs that live.
--
-- The engine's role stages what may go, and calls one function that does it. The function is the owner's, whom row-level
-- security holds like everybody; its policies below let it in only while one of the functions here runs.

SET LOCAL ROLE ${owner};

-- Each archive that was made of a month; a month whose last runs ended later has several.
CREATE TABLE flowstone.archives (
    month   date        NOT NULL CHECK (extract(day FROM month) = 1),
    number  integer     NOT NULL CHECK (number > 0),
    file    text        NOT NULL UNIQUE,
    runs    bigint      NOT NULL CHECK (runs > 0),
    entries bigint      NOT NULL CHECK (entries >= runs),
    events  bigint      NOT NULL CHECK (events >= entries),
    anchor  bytea       NOT NULL CHECK (octet_length(anchor) = 32),
    content bytea       NOT NULL CHECK (octet_length(content) = 32),
    made_at timestamptz NOT NULL,
    PRIMARY KEY (month, number)
);

-- What of it was whose: a tenant is told of its own only.
CREATE TABLE flowstone.archived_tenants (
    tenant text    NOT NULL,
    month  date    NOT NULL,
    number integer NOT NULL,
    file   text    NOT NULL,
    runs   bigint  NOT NULL,
    events bigint  NOT NULL,
    PRIMARY KEY (tenant, month, number)
);

-- The runs that the archive under way is about to take along, and whether they were found in the file. Empty after a crash of
-- the server; an archive that goes on then is refused.
CREATE UNLOGGED TABLE flowstone.archiving (
    attempt   uuid    NOT NULL,
    tenant    text    NOT NULL,
    run_id    uuid    NOT NULL,
    last_seq  bigint  NOT NULL,
    last_hash bytea   NOT NULL,
    confirmed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (attempt, tenant, run_id)
);

DO $shut$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['archives', 'archived_tenants'] LOOP
        EXECUTE format('CREATE TRIGGER archived_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.%I '
                       'FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change()', one);
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ALWAYS TRIGGER archived_is_for_ever', one);
    END LOOP;
    FOREACH one IN ARRAY ARRAY['archived_tenants', 'archiving'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
    END LOOP;
    -- The owner, and only in the functions below, which set this for as long as they run, in their transaction.
    FOREACH one IN ARRAY ARRAY['runs', 'entries', 'snapshots', 'receipts', 'timers', 'outbox', 'inbox', 'feed', 'letters',
                               'human_tasks', 'subject_windows', 'archived_tenants', 'archiving'] LOOP
        EXECUTE format('CREATE POLICY archive ON flowstone.%I TO ${owner} '
                       'USING (current_setting(''flowstone.archiving'', true) = ''on'')', one);
    END LOOP;
END
$shut$;
CREATE POLICY one_tenant ON flowstone.archived_tenants FOR SELECT TO ${api} USING (tenant = flowstone.current_tenant());

GRANT SELECT ON flowstone.archives, flowstone.archived_tenants TO ${engine};
GRANT SELECT ON flowstone.archived_tenants TO ${api};
GRANT SELECT, UPDATE (confirmed), DELETE ON flowstone.archiving TO ${engine};

-- Runs whose letters are under way, and those that somebody has written to: what may come for a run that doesn't move itself. A
-- letter to another shard waits in the inbox there, under a key that begins with its sender.
CREATE VIEW flowstone.written_runs WITH (security_invoker = true) AS
    SELECT tenant, sender AS run_id FROM flowstone.letters
    UNION ALL SELECT tenant, receiver FROM flowstone.letters
    UNION ALL SELECT tenant, run_id FROM flowstone.inbox WHERE NOT consumed
    UNION ALL SELECT tenant, CASE WHEN key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' THEN left(key, 36)::uuid END
              FROM flowstone.inbox WHERE NOT consumed AND source = 'run';

-- Runs that something waits for, or that wait for something: they stay, whatever their status. A receipt that is remembered
-- keeps its run, so that a repeated request is answered; the names of resets are no request's.
CREATE VIEW flowstone.waiting_runs WITH (security_invoker = true) AS
    SELECT tenant, run_id FROM flowstone.written_runs
    UNION ALL SELECT tenant, run_id FROM flowstone.timers
    UNION ALL SELECT tenant, run_id FROM flowstone.outbox
    UNION ALL SELECT tenant, run_id FROM flowstone.human_tasks
    UNION ALL SELECT tenant, run_id FROM flowstone.subject_windows WHERE live
    UNION ALL SELECT tenant, run_id FROM flowstone.receipts
              WHERE expires_at > clock_timestamp() AND scope NOT LIKE 'resets:%';

-- The month's first run id and the next month's, and the name of its partition. Only of a month that is over.
CREATE FUNCTION flowstone.cold_month(of_month date, OUT lower uuid, OUT upper uuid, OUT partition text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    partition := 'entries_' || to_char(of_month, 'YYYY_MM');
    IF NOT EXISTS (SELECT FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
                   WHERE inhparent = 'flowstone.entries'::regclass AND c.relname = partition) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('the journal has no partition of its own for %s', to_char(of_month, 'YYYY-MM'));
    END IF;
    IF (of_month + interval '1 month') AT TIME ZONE 'UTC' > clock_timestamp() THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('%s is not over yet', to_char(of_month, 'YYYY-MM'));
    END IF;
    lower := flowstone.first_run_id(of_month::timestamp AT TIME ZONE 'UTC');
    upper := flowstone.first_run_id((of_month + interval '1 month') AT TIME ZONE 'UTC');
END
$$;

-- One archive at a time stages or replaces, until the end of its transaction; the others are refused at once.
CREATE FUNCTION flowstone.archive_alone() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('flowstone.archive', 0)) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = 'another archive is at work in this database: try again when it is done';
    END IF;
END
$$;

-- The runs of a month that are over and quiet. Never those of the last day, whoever asks: what was sent to them may be under way.
CREATE FUNCTION flowstone.cold_runs(lower uuid, upper uuid, ended_before timestamptz)
RETURNS TABLE (tenant text, run_id uuid, last_seq bigint, last_hash bytea)
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    SELECT r.tenant, r.run_id, r.last_seq, r.last_hash
    FROM flowstone.runs r
    WHERE r.run_id >= lower AND r.run_id < upper AND NOT r.awake
      AND r.ended_at < least(ended_before, clock_timestamp() - interval '1 day')
      AND NOT EXISTS (SELECT FROM flowstone.waiting_runs w WHERE w.tenant = r.tenant AND w.run_id = r.run_id);
END;

-- Counts the runs of a month, and those that may go. Nothing is staged: it may be asked beside an archive.
CREATE FUNCTION flowstone.archive_count(
    of_month date, ended_before timestamptz, OUT born bigint, OUT ended bigint, OUT cold bigint, OUT events bigint
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
SET enable_mergejoin = on
AS $$
DECLARE
    month record;
BEGIN
    PERFORM set_config('flowstone.archiving', 'on', true);
    SELECT * INTO month FROM flowstone.cold_month(of_month);
    SELECT count(*), coalesce(sum(c.last_seq), 0) INTO cold, events
    FROM flowstone.cold_runs(month.lower, month.upper, ended_before) c;
    SELECT count(*), count(r.ended_at) INTO born, ended
    FROM flowstone.runs r
    WHERE r.run_id >= month.lower AND r.run_id < month.upper;
    PERFORM set_config('flowstone.archiving', '', true);
END
$$;

-- Stages the runs of a month that are over and quiet, and counts. Whatever another attempt had staged is forgotten: the one that
-- was overtaken is refused at its end. One that is at its end already is not overtaken: then this is refused.
CREATE FUNCTION flowstone.archive_stage(
    of_month date, ended_before timestamptz, of_attempt uuid,
    OUT born bigint, OUT ended bigint, OUT staged bigint, OUT events bigint
)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
SET enable_mergejoin = on
AS $$
DECLARE
    month record;
BEGIN
    PERFORM set_config('flowstone.archiving', 'on', true);
    SELECT * INTO month FROM flowstone.cold_month(of_month);
    PERFORM flowstone.archive_alone();
    DELETE FROM flowstone.archiving;
    INSERT INTO flowstone.archiving (attempt, tenant, run_id, last_seq, last_hash)
    SELECT of_attempt, c.tenant, c.run_id, c.last_seq, c.last_hash
    FROM flowstone.cold_runs(month.lower, month.upper, ended_before) c;
    ANALYZE flowstone.archiving; -- or what joins it is planned for an empty table
    SELECT count(*), coalesce(sum(a.last_seq), 0) INTO staged, events FROM flowstone.archiving a;
    SELECT count(*), count(r.ended_at) INTO born, ended
    FROM flowstone.runs r
    WHERE r.run_id >= month.lower AND r.run_id < month.upper;
    PERFORM set_config('flowstone.archiving', '', true);
END
$$;

-- The runs of a feed row; see FeedCodec.
CREATE FUNCTION flowstone.feed_runs(moved bytea) RETURNS TABLE (run_id uuid, first_seq bigint)
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    at     integer := 0;
    field  integer;
    octet  integer;
    shift  integer;
    number bigint;
BEGIN
    WHILE at < length(moved) LOOP
        FOR field IN 1..3 LOOP -- the tenant's length, the first event's number, how many more
            number := 0;
            shift := 0;
            LOOP
                octet := get_byte(moved, at);
                at := at + 1;
                number := number | ((octet & 127)::bigint << shift);
                shift := shift + 7;
                EXIT WHEN octet < 128;
            END LOOP;
            IF field = 1 THEN
                at := at + number::integer;
                run_id := encode(substring(moved FROM at + 1 FOR 16), 'hex')::uuid;
                at := at + 16;
            ELSIF field = 2 THEN
                first_seq := number;
            END IF;
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Copies what was committed since these rows of the feed; answers the newest ones, of which everything is copied. The feed is
-- gapless: a row that is missing was swept, and nobody knows any more what it told.
CREATE FUNCTION flowstone.archive_catch_up(
    copy text, lower uuid, upper uuid, streams integer[], INOUT numbers bigint[]
)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gap boolean;
BEGIN
    EXECUTE format($sql$
        WITH fresh AS MATERIALIZED (
            SELECT f.stream, f.number, f.moved
            FROM unnest($1, $2) AS s (stream, number)
            JOIN flowstone.feed f ON f.stream = s.stream AND f.number > s.number
        ), moves AS MATERIALIZED (
            SELECT m.run_id, min(m.first_seq) AS first_seq
            FROM fresh, flowstone.feed_runs(fresh.moved) AS m
            WHERE m.run_id >= $3 AND m.run_id < $4
            GROUP BY m.run_id
        ), copied AS (
            INSERT INTO flowstone.%I (tenant, run_id, first_seq, last_seq, bytes, hash)
            SELECT e.tenant, e.run_id, e.first_seq, e.last_seq, e.bytes, e.hash
            FROM moves m
            JOIN flowstone.entries e ON e.run_id = m.run_id AND e.first_seq >= m.first_seq
            WHERE e.run_id >= $3 AND e.run_id < $4
            ON CONFLICT DO NOTHING
        )
        SELECT array_agg(greatest(s.number, f.newest) ORDER BY s.place),
               coalesce(bool_or(f.newest - s.number <> f.rows), false)
        FROM unnest($1, $2) WITH ORDINALITY AS s (stream, number, place)
        LEFT JOIN (SELECT f.stream, max(f.number) AS newest, count(*) AS rows FROM fresh f GROUP BY f.stream) AS f
            ON f.stream = s.stream
        $sql$, copy)
    INTO numbers, gap USING streams, numbers, lower, upper;
    IF gap THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = 'the feed has lost rows of the last minutes, which tell what was committed while the month was copied: '
                      'is it swept too early?';
    END IF;
END
$$;

-- Stops an archive one of whose runs has something waiting for it.
CREATE FUNCTION flowstone.archive_refuse(waiting bigint, run_count bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF waiting > 0 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('something has come for %s of its %s runs since the file was written', waiting, run_count);
    END IF;
END
$$;

-- Stops an archive one of whose runs doesn't stand any more where the file has it.
CREATE FUNCTION flowstone.archive_refuse_moved(standing bigint, run_count bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF standing <> run_count THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('%s of its %s runs have moved since the file was written', run_count - standing, run_count);
    END IF;
END
$$;

-- Replaces the month's partition by a copy without the staged runs, and deletes those, in one transaction: this call. It must
-- be given what the file was found to hold when it was read again, and each run must have been confirmed then. SQLSTATE FS003:
-- something isn't as it was staged; FS004: others read the journal all the time. Nothing is changed then.
--
-- Readers and commits go on while the copy is made, and nothing is deleted before it stands: whoever starts a run under a key
-- that an archived one once had, or posts what it was sent once, must not wait for it. Then everybody waits, once, for what was
-- committed meanwhile to be copied too, which the feed tells: each commit says there which runs it moved.
CREATE FUNCTION flowstone.archive_month(
    of_month date, of_attempt uuid, to_file text, run_count bigint, entry_count bigint, event_count bigint,
    file_anchor bytea, file_content bytea, written_at timestamptz
) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '10s'
SET enable_seqscan = on
SET enable_hashjoin = on
SET enable_mergejoin = on
AS $$
DECLARE
    cold    record;
    copy    text;
    streams integer[];
    numbers bigint[];
    before  bigint[];
    counted bigint;
    found   bigint;
    copied  bigint;
    spent   record;
    locked  boolean := false;
    made    integer;
BEGIN
    PERFORM set_config('flowstone.archiving', 'on', true);
    SELECT * INTO cold FROM flowstone.cold_month(of_month);
    copy := cold.partition || '_copy';
    PERFORM flowstone.archive_alone();
    -- It is read several times, and must say the same each time.
    LOCK TABLE flowstone.archiving IN SHARE ROW EXCLUSIVE MODE;
    -- Sends autovacuum away, which does so only for those who wait longer than we shall at the end.
    EXECUTE format('LOCK TABLE flowstone.%I IN SHARE UPDATE EXCLUSIVE MODE', cold.partition);

    SELECT count(*), count(*) FILTER (WHERE a.confirmed) INTO counted, found
    FROM flowstone.archiving a
    WHERE a.attempt = of_attempt;
    IF counted <> run_count OR run_count = 0 THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('the file holds %s runs and %s are staged: another archive has begun since', run_count, counted);
    END IF;
    IF found <> run_count THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('only %s of its %s runs were found in the file', found, run_count);
    END IF;
    IF EXISTS (SELECT FROM flowstone.archives a WHERE a.file = to_file) THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('there is an archive of the name %s already', to_file);
    END IF;
    -- Asked again at the end; whoever has moved by now needn't wait for that.
    SELECT count(*) INTO counted
    FROM flowstone.archiving a
    JOIN flowstone.runs r ON r.tenant = a.tenant AND r.run_id = a.run_id
    WHERE a.attempt = of_attempt AND r.last_seq = a.last_seq AND r.last_hash = a.last_hash;
    PERFORM flowstone.archive_refuse_moved(counted, run_count);
    SELECT count(*) INTO counted
    FROM flowstone.archiving a
    WHERE a.attempt = of_attempt
      AND EXISTS (SELECT FROM flowstone.waiting_runs w WHERE w.tenant = a.tenant AND w.run_id = a.run_id);
    PERFORM flowstone.archive_refuse(counted, run_count);

    -- Read before the copy begins: whatever is in the feed by now is copied for certain.
    SELECT array_agg(s.stream ORDER BY s.stream),
           array_agg(coalesce((SELECT f.number FROM flowstone.feed f WHERE f.stream = s.stream
                               ORDER BY f.number DESC LIMIT 1), 0) ORDER BY s.stream)
    INTO streams, numbers
    FROM flowstone.shards s;

    EXECUTE format('CREATE TABLE flowstone.%I (LIKE flowstone.entries INCLUDING ALL, '
                   'CONSTRAINT of_this_month CHECK (run_id >= %L AND run_id < %L)) '
                   'WITH (toast_tuple_target = 4080, autovacuum_vacuum_insert_scale_factor = 0.2)',
                   copy, cold.lower, cold.upper);
    EXECUTE format('CREATE TRIGGER entries_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change()', copy);
    EXECUTE format('ALTER TABLE flowstone.%I ENABLE ALWAYS TRIGGER entries_are_for_ever', copy);
    EXECUTE format($sql$
        WITH copied AS (
            INSERT INTO flowstone.%I (tenant, run_id, first_seq, last_seq, bytes, hash)
            SELECT e.tenant, e.run_id, e.first_seq, e.last_seq, e.bytes, e.hash
            FROM flowstone.entries e
            WHERE e.run_id >= $1 AND e.run_id < $2
              AND EXISTS (SELECT FROM flowstone.runs r
                          WHERE r.tenant = e.tenant AND r.run_id = e.run_id AND r.run_id >= $1 AND r.run_id < $2)
              AND NOT EXISTS (SELECT FROM flowstone.archiving a
                              WHERE a.attempt = $3 AND a.tenant = e.tenant AND a.run_id = e.run_id)
            RETURNING 1
        )
        SELECT (SELECT count(*) FROM copied),
               (SELECT count(*) FROM flowstone.entries e WHERE e.run_id >= $1 AND e.run_id < $2)
        $sql$, copy)
    INTO copied, counted USING cold.lower, cold.upper, of_attempt;
    IF counted <> copied + entry_count THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('of its %s entries %s are in the file and %s belong to runs that stay: a run has just moved, or the '
                             'others belong to nobody, see `flowstone verify`', counted, entry_count, copied);
    END IF;

    FOR round IN 1..20 LOOP -- they may come faster than they are copied: then those who write them must wait
        before := numbers;
        numbers := flowstone.archive_catch_up(copy, cold.lower, cold.upper, streams, numbers);
        EXIT WHEN (SELECT coalesce(sum(u.now - u.before), 0) < 100 FROM unnest(numbers, before) AS u (now, before));
    END LOOP;

    -- Who moves one of them from here on waits, and finds that it isn't there any more.
    DELETE FROM flowstone.runs r
    USING flowstone.archiving a
    WHERE a.attempt = of_attempt AND r.tenant = a.tenant AND r.run_id = a.run_id
      AND r.last_seq = a.last_seq AND r.last_hash = a.last_hash AND r.ended_at IS NOT NULL
      AND r.run_id >= cold.lower AND r.run_id < cold.upper;
    GET DIAGNOSTICS counted = ROW_COUNT;
    PERFORM flowstone.archive_refuse_moved(counted, run_count);
    DELETE FROM flowstone.snapshots s
    USING flowstone.archiving a
    WHERE a.attempt = of_attempt AND s.tenant = a.tenant AND s.run_id = a.run_id;
    DELETE FROM flowstone.inbox i
    USING flowstone.archiving a
    WHERE a.attempt = of_attempt AND i.tenant = a.tenant AND i.run_id = a.run_id AND i.consumed;
    -- Deleted at the very end: a commit that takes such a key again has the journal locked by then, and would wait for us while we
    -- wait for it.
    SELECT array_agg(r.tenant) AS tenants, array_agg(r.scope) AS scopes, array_agg(r.key) AS keys INTO spent
    FROM flowstone.receipts r
    JOIN flowstone.archiving a ON a.attempt = of_attempt AND a.tenant = r.tenant AND a.run_id = r.run_id;

    SELECT coalesce(max(a.number), 0) + 1 INTO made FROM flowstone.archives a WHERE a.month = of_month;
    INSERT INTO flowstone.archives (month, number, file, runs, entries, events, anchor, content, made_at)
    VALUES (of_month, made, to_file, run_count, entry_count, event_count, file_anchor, file_content, written_at);
    INSERT INTO flowstone.archived_tenants (tenant, month, number, file, runs, events)
    SELECT a.tenant, of_month, made, to_file, count(*), sum(a.last_seq)
    FROM flowstone.archiving a
    WHERE a.attempt = of_attempt
    GROUP BY a.tenant;
    SELECT sum(t.runs) INTO counted FROM flowstone.archived_tenants t WHERE t.month = of_month AND t.number = made;
    IF counted IS DISTINCT FROM run_count THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS003',
            MESSAGE = format('%s runs of tenants are no %s runs', counted, run_count);
    END IF;

    -- A reader that goes on for long must not make everybody wait behind this.
    FOR attempt IN 1..60 LOOP
        BEGIN
            PERFORM set_config('lock_timeout', '100ms', true);
            LOCK TABLE ONLY flowstone.entries IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('LOCK TABLE flowstone.%I IN ACCESS EXCLUSIVE MODE', cold.partition);
            locked := true;
        EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
            locked := false;
        END;
        EXIT WHEN locked;
        PERFORM pg_sleep(1);
        numbers := flowstone.archive_catch_up(copy, cold.lower, cold.upper, streams, numbers);
    END LOOP;
    IF NOT locked THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS004',
            MESSAGE = 'others have read the journal without a pause for a minute: try again when it is quieter';
    END IF;
    PERFORM set_config('lock_timeout', '10s', true);
    PERFORM flowstone.archive_catch_up(copy, cold.lower, cold.upper, streams, numbers);
    -- What else keeps a run comes only by a move of its own.
    SELECT count(DISTINCT (w.tenant, w.run_id)) INTO counted
    FROM flowstone.written_runs w
    JOIN flowstone.archiving a ON a.attempt = of_attempt AND a.tenant = w.tenant AND a.run_id = w.run_id;
    PERFORM flowstone.archive_refuse(counted, run_count);
    DELETE FROM flowstone.receipts r
    USING unnest(spent.tenants, spent.scopes, spent.keys) AS u (tenant, scope, key), flowstone.archiving a
    WHERE r.tenant = u.tenant AND r.scope = u.scope AND r.key = u.key
      AND a.attempt = of_attempt AND a.tenant = r.tenant AND a.run_id = r.run_id; -- another run may have it now

    EXECUTE format('DROP TABLE flowstone.%I', cold.partition);
    EXECUTE format('ALTER TABLE flowstone.%I RENAME TO %I', copy, cold.partition);
    EXECUTE format('ALTER INDEX flowstone.%I RENAME TO %I', copy || '_pkey', cold.partition || '_pkey');
    EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', cold.partition);
    EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', cold.partition);
    EXECUTE format('ALTER TABLE flowstone.entries ATTACH PARTITION flowstone.%I FOR VALUES FROM (%L) TO (%L)',
                   cold.partition, cold.lower, cold.upper);
    EXECUTE format('ALTER TABLE flowstone.%I DROP CONSTRAINT of_this_month', cold.partition);
    PERFORM set_config('flowstone.archiving', '', true);
    RETURN made;
END
$$;

REVOKE ALL ON FUNCTION flowstone.cold_month, flowstone.archive_alone, flowstone.cold_runs, flowstone.archive_count,
    flowstone.archive_stage, flowstone.feed_runs, flowstone.archive_catch_up, flowstone.archive_refuse,
    flowstone.archive_refuse_moved, flowstone.archive_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.archive_count, flowstone.archive_stage, flowstone.archive_month TO ${engine};

RESET ROLE;
