-- Lists and counts that cost what they show: indexes for every filter, the parties that human tasks ask in rows of their own,
-- and how many runs of each workflow are in which status, kept by the commit.
--
-- commit_2 is replaced by one of the same form, so that nodes of the release before count too. commit_1, which the releases
-- before that called, would not: it goes.

-- Nothing moves from here on until the end, so that what is counted stays true. Readers wait at the end only.

SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

LOCK TABLE flowstone.runs, flowstone.human_tasks IN SHARE ROW EXCLUSIVE MODE;

DROP FUNCTION flowstone.commit_1;

-- A move that changes neither the status nor whether the run is awake stays heap-only; one that does writes an entry to each index.
CREATE INDEX runs_by_status ON flowstone.runs (tenant, status, run_id);
CREATE INDEX runs_by_workflow ON flowstone.runs (tenant, workflow, status, run_id);

CREATE INDEX human_tasks_of_workflow ON flowstone.human_tasks (tenant, workflow, opened_at, run_id, activation);
CREATE INDEX human_tasks_claimed ON flowstone.human_tasks (tenant, claimed_by, opened_at, run_id, activation)
    WHERE claimed_by IS NOT NULL;
CREATE INDEX human_tasks_due ON flowstone.human_tasks (tenant, due_at) WHERE due_at IS NOT NULL;

-- Whom each open human task asks, one row for each, in the order of lists; with what lists filter by. A trigger keeps them.
CREATE TABLE flowstone.human_task_parties (
    tenant     text        NOT NULL,
    party      text        NOT NULL,
    opened_at  timestamptz NOT NULL,
    run_id     uuid        NOT NULL,
    activation text        NOT NULL,
    workflow   text        NOT NULL,
    claimed_by text,
    due_at     timestamptz,
    PRIMARY KEY (tenant, party, opened_at, run_id, activation)
);
CREATE INDEX human_task_parties_of_workflow
    ON flowstone.human_task_parties (tenant, party, workflow, opened_at, run_id, activation);

-- How many runs of each workflow are in which status, of each stream's shard what was folded up to some commit of it; stream -1
-- is what archives took away. Aggregates are no runs and not counted.
CREATE TABLE flowstone.run_counts (
    tenant   text    NOT NULL,
    workflow text    NOT NULL,
    status   text    NOT NULL,
    stream   integer NOT NULL,
    runs     bigint  NOT NULL,
    PRIMARY KEY (tenant, workflow, status, stream)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- What commits since then have changed, by their number in the feed: inserted, so that no commit writes a row that others write.
-- Each 64th commit of a stream folds what is there of it.
CREATE TABLE flowstone.run_count_changes (
    stream   integer NOT NULL,
    number   bigint  NOT NULL,
    tenant   text    NOT NULL,
    workflow text    NOT NULL,
    status   text    NOT NULL,
    runs     bigint  NOT NULL,
    PRIMARY KEY (stream, number, tenant, workflow, status)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['human_task_parties', 'run_counts', 'run_count_changes'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I FOR SELECT TO ${api} '
                       'USING (tenant = flowstone.current_tenant())', one);
        EXECUTE format('CREATE POLICY archive ON flowstone.%I TO ${owner} '
                       'USING (current_setting(''flowstone.archiving'', true) = ''on'')', one);
    END LOOP;
END
$policies$;

GRANT SELECT, INSERT, DELETE ON flowstone.human_task_parties TO ${engine};
GRANT SELECT, INSERT, UPDATE ON flowstone.run_counts TO ${engine};
GRANT SELECT, INSERT, DELETE ON flowstone.run_count_changes TO ${engine};
GRANT SELECT ON flowstone.human_task_parties, flowstone.run_counts, flowstone.run_count_changes TO ${api};

-- What is there already, by the policies that let the owner in where it says so.
DO $backfill$
BEGIN
    PERFORM set_config('flowstone.archiving', 'on', true);
    INSERT INTO flowstone.run_counts (tenant, workflow, status, stream, runs)
    SELECT r.tenant, r.workflow, r.status, -1, count(*)
    FROM flowstone.runs r
    WHERE r.run_id >= '00000000-0002-0000-0000-000000000000'
    GROUP BY r.tenant, r.workflow, r.status;
    INSERT INTO flowstone.human_task_parties (tenant, party, opened_at, run_id, activation, workflow, claimed_by, due_at)
    SELECT DISTINCT t.tenant, a.party, t.opened_at, t.run_id, t.activation, t.workflow, t.claimed_by, t.due_at
    FROM flowstone.human_tasks t, unnest(t.assignees) AS a (party);
    PERFORM set_config('flowstone.archiving', '', true);
END
$backfill$;

-- Parties that are asked as before are left alone. Told apart by EXCEPT, because the commit, in which this runs, has joins nested.
CREATE FUNCTION flowstone.keep_parties() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM flowstone.human_task_parties p
        USING gone g, unnest(g.assignees) AS a (party)
        WHERE p.tenant = g.tenant AND p.party = a.party AND p.opened_at = g.opened_at AND p.run_id = g.run_id
          AND p.activation = g.activation;
    ELSIF TG_OP = 'UPDATE' THEN
        DELETE FROM flowstone.human_task_parties p
        USING (SELECT g.tenant, unnest(g.assignees) AS party, g.opened_at, g.run_id, g.activation, g.workflow,
                      g.claimed_by, g.due_at
               FROM gone g
               EXCEPT
               SELECT f.tenant, unnest(f.assignees), f.opened_at, f.run_id, f.activation, f.workflow, f.claimed_by,
                      f.due_at
               FROM fresh f) AS u
        WHERE p.tenant = u.tenant AND p.party = u.party AND p.opened_at = u.opened_at AND p.run_id = u.run_id
          AND p.activation = u.activation;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO flowstone.human_task_parties
            (tenant, party, opened_at, run_id, activation, workflow, claimed_by, due_at)
        SELECT f.tenant, a.party, f.opened_at, f.run_id, f.activation, f.workflow, f.claimed_by, f.due_at
        FROM fresh f, unnest(f.assignees) AS a (party)
        ON CONFLICT DO NOTHING; -- whoever is asked twice, or as before
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION flowstone.keep_parties FROM PUBLIC;

CREATE TRIGGER parties_asked AFTER INSERT ON flowstone.human_tasks
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION flowstone.keep_parties();
CREATE TRIGGER parties_asked_anew AFTER UPDATE ON flowstone.human_tasks
    REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION flowstone.keep_parties();
CREATE TRIGGER parties_asked_no_more AFTER DELETE ON flowstone.human_tasks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION flowstone.keep_parties();

-- Runs leave only with an archive, one at a time.
CREATE FUNCTION flowstone.uncount_runs() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO flowstone.run_counts AS c (tenant, workflow, status, stream, runs)
    SELECT g.tenant, g.workflow, g.status, -1, -count(*)
    FROM gone g
    WHERE g.run_id >= '00000000-0002-0000-0000-000000000000'
    GROUP BY g.tenant, g.workflow, g.status
    ON CONFLICT (tenant, workflow, status, stream) DO UPDATE SET runs = c.runs + excluded.runs;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION flowstone.uncount_runs FROM PUBLIC;

CREATE TRIGGER runs_counted_no_more AFTER DELETE ON flowstone.runs
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION flowstone.uncount_runs();

-- Counts what a commit has made and changed; called by it, under its stream's lock. Runs that are none begin before the least id.
CREATE FUNCTION flowstone.count_runs(
    of_stream integer, of_number bigint,
    born_tenant text[], born_run uuid[], born_workflow text[], born_status text[],
    changed_tenant text[], changed_run uuid[], changed_workflow text[], changed_from text[], changed_to text[]
) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict error
DECLARE
    least_run CONSTANT uuid := '00000000-0002-0000-0000-000000000000';
BEGIN
    IF cardinality(born_run) > 0 OR cardinality(changed_run) > 0 THEN
        INSERT INTO flowstone.run_count_changes (stream, number, tenant, workflow, status, runs)
        SELECT of_stream, of_number, c.tenant, c.workflow, c.status, sum(c.runs)
        FROM (SELECT b.tenant, b.workflow, b.status, 1 AS runs
              FROM unnest(born_tenant, born_run, born_workflow, born_status) AS b (tenant, run_id, workflow, status)
              WHERE b.run_id >= least_run
              UNION ALL
              SELECT u.tenant, u.workflow, s.status, s.runs
              FROM unnest(changed_tenant, changed_run, changed_workflow, changed_from, changed_to)
                  AS u (tenant, run_id, workflow, before, after)
              CROSS JOIN LATERAL (VALUES (u.before, -1), (u.after, 1)) AS s (status, runs)
              WHERE u.run_id >= least_run) AS c
        GROUP BY c.tenant, c.workflow, c.status
        HAVING sum(c.runs) <> 0;
    END IF;
    IF of_number % 64 = 0 THEN
        WITH folded AS (
            DELETE FROM flowstone.run_count_changes c
            WHERE c.stream = of_stream AND c.number > of_number - 64 AND c.number <= of_number
            RETURNING c.tenant, c.workflow, c.status, c.runs
        )
        INSERT INTO flowstone.run_counts AS t (tenant, workflow, status, stream, runs)
        SELECT f.tenant, f.workflow, f.status, of_stream, sum(f.runs)
        FROM folded f
        GROUP BY f.tenant, f.workflow, f.status
        ON CONFLICT (tenant, workflow, status, stream) DO UPDATE SET runs = t.runs + excluded.runs;
    END IF;
END
$$;
REVOKE ALL ON FUNCTION flowstone.count_runs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.count_runs TO ${engine};

-- The status that the run's last move found: by it the commit sees that the status has changed. It stands last, and mostly stays
-- what it is, so that WAL doesn't carry it.
ALTER TABLE flowstone.runs ADD COLUMN was text;

-- A commit that has begun before this migration, and waited for it at the runs, goes on with the body that it began with, which
-- counts nothing. It doesn't name this column and so meets its default, fails, and is made again. Always null, at no byte of a row.
CREATE FUNCTION flowstone.refuse_uncounted() RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = '40001',
        MESSAGE = 'this commit began before the schema was migrated to V17: make it again';
END
$$;
REVOKE ALL ON FUNCTION flowstone.refuse_uncounted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.refuse_uncounted TO ${engine};
ALTER TABLE flowstone.feed ADD COLUMN counted boolean;
ALTER TABLE flowstone.feed ALTER COLUMN counted SET DEFAULT flowstone.refuse_uncounted();

-- As in V7, and count_runs at its end.
CREATE OR REPLACE FUNCTION flowstone.commit_2(
    shard_number integer, held_epoch bigint, held_by text, lowest_slot integer, highest_slot integer, to_stream integer,
    move_count integer, feed_bytes bytea, feed_ends integer[],
    new_move integer[], new_tenant text[], new_run uuid[], new_slot smallint[], new_workflow text[],
    new_version integer[], new_program bytea[], new_correlation text[], new_seq bigint[], new_hash bytea[],
    new_status text[], new_awake boolean[], new_time timestamptz[], new_ended timestamptz[],
    upd_move integer[], upd_tenant text[], upd_run uuid[], upd_expected bigint[], upd_seq bigint[], upd_hash bytea[],
    upd_status text[], upd_awake boolean[], upd_time timestamptz[], upd_ended timestamptz[],
    entry_move integer[], entry_tenant text[], entry_run uuid[], entry_first bigint[], entry_last bigint[],
    entry_bytes bytea[], entry_hash bytea[],
    gone_move integer[], gone_tenant text[], gone_run uuid[], gone_timer text[],
    timer_move integer[], timer_tenant text[], timer_run uuid[], timer_slot smallint[], timer_timer text[],
    timer_generation integer[], timer_due timestamptz[],
    snap_move integer[], snap_tenant text[], snap_run uuid[], snap_seq bigint[], snap_bytes bytea[],
    receipt_move integer[], receipt_tenant text[], receipt_scope text[], receipt_key text[], receipt_slot smallint[],
    receipt_request bytea[], receipt_run uuid[], receipt_answer bytea[], receipt_expires timestamptz[],
    payload_move integer[], payload_tenant text[], payload_hash bytea[], payload_bytes bytea[],
    out_move integer[], out_tenant text[], out_run uuid[], out_cause bigint[], out_ordinal integer[],
    out_slot smallint[], out_destination text[], out_content bytea[], out_due timestamptz[],
    used_tenant text[], used_source text[], used_key text[],
    letter_move integer[], letter_tenant text[], letter_run uuid[], letter_slot smallint[], letter_number bigint[],
    letter_receiver uuid[], letter_content bytea[],
    forget_tenant text[], forget_run uuid[], forget_slot smallint[], forget_number bigint[], forget_receiver uuid[],
    tasks jsonb,
    OUT moved integer[], OUT feed_number bigint, OUT database_time timestamptz
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET lock_timeout = '10s'
AS $$
#variable_conflict error
DECLARE
    taken            integer[] := '{}'; -- moves whose receipt exists already
    born             integer[] := '{}';
    born_tenant      text[];
    born_run         uuid[];
    born_workflow    text[];
    born_status      text[];
    changed_tenant   text[];            -- of runs whose status is another one now
    changed_run      uuid[];
    changed_workflow text[];
    changed_from     text[];
    changed_to       text[];
    every            boolean;           -- whether every run moved
BEGIN
    PERFORM FROM flowstone.epochs e
    WHERE e.shard = shard_number AND e.epoch = held_epoch AND e.holder = held_by
    FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'FS001',
            MESSAGE = format('shard %s is no longer held by %s under epoch %s', shard_number, held_by, held_epoch);
    END IF;

    IF cardinality(receipt_move) > 0 THEN
        SELECT coalesce(array_agg(u.move), '{}') INTO taken
        FROM unnest(receipt_move, receipt_tenant, receipt_scope, receipt_key) AS u (move, tenant, scope, key)
        JOIN flowstone.receipts r ON r.tenant = u.tenant AND r.scope = u.scope AND r.key = u.key
        WHERE r.expires_at > clock_timestamp();
    END IF;

    moved := '{}';
    IF cardinality(upd_move) > 0 THEN
        WITH winners AS (
            UPDATE flowstone.runs r
            SET last_seq = u.seq, last_hash = u.hash, updated_at = u.at, ended_at = u.ended, awake = u.awake,
                status = u.status, was = r.status
            FROM unnest(upd_move, upd_tenant, upd_run, upd_expected, upd_seq, upd_hash, upd_status, upd_awake, upd_time,
                        upd_ended) AS u (move, tenant, run_id, expected, seq, hash, status, awake, at, ended)
            WHERE r.tenant = u.tenant AND r.run_id = u.run_id AND r.last_seq = u.expected
              AND r.slot BETWEEN lowest_slot AND highest_slot
              AND (taken = '{}' OR u.move <> ALL (taken))
            RETURNING u.move, r.tenant, r.run_id, r.workflow, r.was, r.status
        )
        SELECT coalesce(array_agg(w.move), '{}'),
               array_agg(w.tenant) FILTER (WHERE w.was <> w.status),
               array_agg(w.run_id) FILTER (WHERE w.was <> w.status),
               array_agg(w.workflow) FILTER (WHERE w.was <> w.status),
               array_agg(w.was) FILTER (WHERE w.was <> w.status),
               array_agg(w.status) FILTER (WHERE w.was <> w.status)
        INTO moved, changed_tenant, changed_run, changed_workflow, changed_from, changed_to
        FROM winners w;
    END IF;

    IF cardinality(new_move) > 0 THEN
        WITH winners AS (
            INSERT INTO flowstone.runs AS r
                (tenant, run_id, slot, workflow, version, program, correlation, started_at, last_seq, last_hash, status,
                 awake, updated_at, ended_at)
            SELECT u.tenant, u.run_id, u.slot, u.workflow, u.version, u.program, u.correlation, u.at, u.seq, u.hash,
                   u.status, u.awake, u.at, u.ended
            FROM unnest(new_move, new_tenant, new_run, new_slot, new_workflow, new_version, new_program,
                        new_correlation, new_seq, new_hash, new_status, new_awake, new_time, new_ended)
                AS u (move, tenant, run_id, slot, workflow, version, program, correlation, seq, hash, status, awake, at,
                      ended)
            WHERE u.slot BETWEEN lowest_slot AND highest_slot
              AND (taken = '{}' OR u.move <> ALL (taken))
            ON CONFLICT DO NOTHING
            RETURNING r.tenant, r.run_id, r.workflow, r.status
        )
        SELECT coalesce(array_agg(w.tenant), '{}'), coalesce(array_agg(w.run_id), '{}'), array_agg(w.workflow),
               array_agg(w.status)
        INTO born_tenant, born_run, born_workflow, born_status
        FROM winners w;
        IF cardinality(born_run) = cardinality(new_move) THEN
            born := new_move;
        ELSE
            SELECT coalesce(array_agg(u.move), '{}') INTO born
            FROM unnest(new_move, new_tenant, new_run) AS u (move, tenant, run_id)
            JOIN unnest(born_tenant, born_run) AS b (tenant, run_id) ON b.tenant = u.tenant AND b.run_id = u.run_id;
        END IF;
        moved := moved || born;
    END IF;
    every := cardinality(moved) = move_count;

    IF cardinality(moved) > 0 THEN
        INSERT INTO flowstone.entries (tenant, run_id, first_seq, last_seq, bytes, hash)
        SELECT u.tenant, u.run_id, u.first_seq, u.last_seq, u.bytes, u.hash
        FROM unnest(entry_move, entry_tenant, entry_run, entry_first, entry_last, entry_bytes, entry_hash)
            AS u (move, tenant, run_id, first_seq, last_seq, bytes, hash)
        WHERE every OR u.move = ANY (moved);

        IF cardinality(timer_move) > 0 THEN
            INSERT INTO flowstone.timers AS t (tenant, run_id, timer_id, slot, generation, due_at)
            SELECT u.tenant, u.run_id, u.timer_id, u.slot, u.generation, u.due_at
            FROM unnest(timer_move, timer_tenant, timer_run, timer_slot, timer_timer, timer_generation, timer_due)
                AS u (move, tenant, run_id, slot, timer_id, generation, due_at)
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, run_id, timer_id) DO UPDATE
                SET generation = excluded.generation, due_at = excluded.due_at
                WHERE excluded.generation > t.generation;
        END IF;

        -- After those that are set: one that was set and went off in the same move is gone.
        IF cardinality(gone_move) > 0 THEN
            DELETE FROM flowstone.timers t
            USING unnest(gone_move, gone_tenant, gone_run, gone_timer) AS u (move, tenant, run_id, timer_id)
            WHERE t.tenant = u.tenant AND t.run_id = u.run_id AND t.timer_id = u.timer_id
              AND (every OR u.move = ANY (moved));
        END IF;

        IF cardinality(snap_move) > 0 THEN
            INSERT INTO flowstone.snapshots AS s (tenant, run_id, seq, bytes)
            SELECT u.tenant, u.run_id, u.seq, u.bytes
            FROM unnest(snap_move, snap_tenant, snap_run, snap_seq, snap_bytes) AS u (move, tenant, run_id, seq, bytes)
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, run_id) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
                WHERE excluded.seq > s.seq;
        END IF;

        IF cardinality(receipt_move) > 0 THEN
            -- A conflict here is with one that has expired: the others kept their run from moving.
            INSERT INTO flowstone.receipts (tenant, scope, key, slot, request, run_id, answer, expires_at)
            SELECT u.tenant, u.scope, u.key, u.slot, u.request, u.run_id, u.answer, u.expires_at
            FROM unnest(receipt_move, receipt_tenant, receipt_scope, receipt_key, receipt_slot, receipt_request,
                        receipt_run, receipt_answer, receipt_expires)
                AS u (move, tenant, scope, key, slot, request, run_id, answer, expires_at)
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, scope, key) DO UPDATE
                SET slot = excluded.slot, request = excluded.request, run_id = excluded.run_id,
                    answer = excluded.answer, expires_at = excluded.expires_at;
        END IF;

        IF cardinality(payload_move) > 0 THEN
            INSERT INTO flowstone.payloads (tenant, hash, bytes)
            SELECT u.tenant, u.hash, u.bytes
            FROM unnest(payload_move, payload_tenant, payload_hash, payload_bytes) AS u (move, tenant, hash, bytes)
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT DO NOTHING;
        END IF;

        IF cardinality(out_move) > 0 THEN
            INSERT INTO flowstone.outbox (tenant, run_id, cause_seq, ordinal, slot, destination, content, due_at)
            SELECT u.tenant, u.run_id, u.cause, u.ordinal, u.slot, u.destination, u.content, u.due_at
            FROM unnest(out_move, out_tenant, out_run, out_cause, out_ordinal, out_slot, out_destination, out_content,
                        out_due)
                AS u (move, tenant, run_id, cause, ordinal, slot, destination, content, due_at)
            WHERE every OR u.move = ANY (moved);
        END IF;

        IF cardinality(letter_move) > 0 THEN
            INSERT INTO flowstone.letters (slot, tenant, sender, number, receiver, content)
            SELECT u.slot, u.tenant, u.run_id, u.number, u.receiver, u.content
            FROM unnest(letter_move, letter_tenant, letter_run, letter_slot, letter_number, letter_receiver,
                        letter_content)
                AS u (move, tenant, run_id, slot, number, receiver, content)
            WHERE every OR u.move = ANY (moved);
        END IF;

        IF tasks IS NOT NULL THEN
            INSERT INTO flowstone.human_tasks AS t
                (tenant, run_id, activation, slot, workflow, opened_at, assignees, claimed_by, due_at, content)
            SELECT u.tenant, u.run_id, u.activation, u.slot, u.workflow, u.opened_at, u.assignees, u.claimed_by,
                   u.due_at, u.content
            FROM jsonb_to_recordset(tasks -> 'open')
                AS u (move integer, tenant text, run_id uuid, slot smallint, workflow text, activation text,
                      opened_at timestamptz, assignees text[], claimed_by text, due_at timestamptz, content text)
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, run_id, activation) DO UPDATE
                SET assignees = excluded.assignees, claimed_by = excluded.claimed_by, due_at = excluded.due_at,
                    content = excluded.content;
            DELETE FROM flowstone.human_tasks t
            USING jsonb_to_recordset(tasks -> 'gone') AS u (move integer, tenant text, run_id uuid, activation text)
            WHERE t.tenant = u.tenant AND t.run_id = u.run_id AND t.activation = u.activation
              AND (every OR u.move = ANY (moved));
        END IF;

        IF NOT every THEN
            SELECT string_agg(substring(feed_bytes FROM coalesce(feed_ends[m.move - 1], 0) + 1
                                        FOR feed_ends[m.move] - coalesce(feed_ends[m.move - 1], 0)), '' ORDER BY m.move)
            INTO feed_bytes
            FROM unnest(moved) AS m (move);
        END IF;
        -- One commit of a stream at a time from here on: the next one reads the newest number after this one is done.
        PERFORM pg_advisory_xact_lock(hashtext('flowstone.feed'), to_stream);
        INSERT INTO flowstone.feed AS f (stream, number, committed_at, moved, counted)
        SELECT to_stream, coalesce(max(n.number), 0) + 1, clock_timestamp(), feed_bytes, NULL
        FROM (SELECT l.number FROM flowstone.feed l WHERE l.stream = to_stream ORDER BY l.number DESC LIMIT 1) AS n
        RETURNING f.number INTO feed_number;
        -- Under that lock: whoever folds counts of this stream is alone with them.
        PERFORM flowstone.count_runs(to_stream, feed_number, born_tenant, born_run, born_workflow, born_status,
                                     changed_tenant, changed_run, changed_workflow, changed_from, changed_to);
    ELSE
        feed_number := 0;
    END IF;

    IF cardinality(used_key) > 0 THEN
        -- Not those of a run that should have moved and did not: its command will be decided again.
        UPDATE flowstone.inbox i
        SET consumed = true
        FROM unnest(used_tenant, used_source, used_key) AS u (tenant, source, key)
        WHERE i.tenant = u.tenant AND i.source = u.source AND i.key = u.key
          AND i.slot BETWEEN lowest_slot AND highest_slot
          AND (every OR NOT EXISTS (
                  SELECT FROM unnest(new_move || upd_move, new_tenant || upd_tenant, new_run || upd_run)
                      AS m (move, tenant, run_id)
                  WHERE m.tenant = i.tenant AND m.run_id = i.run_id AND m.move <> ALL (moved)));
    END IF;

    IF cardinality(forget_number) > 0 THEN
        DELETE FROM flowstone.letters l
        USING unnest(forget_slot, forget_tenant, forget_run, forget_number, forget_receiver)
            AS u (slot, tenant, sender, number, receiver)
        WHERE l.slot = u.slot AND l.tenant = u.tenant AND l.sender = u.sender AND l.number = u.number
          AND l.receiver = u.receiver AND l.slot BETWEEN lowest_slot AND highest_slot;
    END IF;

    IF every THEN
        moved := NULL;
    END IF;
    database_time := clock_timestamp();
END
$$;

RESET ROLE;
