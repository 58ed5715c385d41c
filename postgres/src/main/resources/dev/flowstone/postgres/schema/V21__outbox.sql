-- Messages leave: by turns of their destinations, with evidence of each attempt, and dead letters that people put back or remove.

-- No release before has let anything into the outbox, so that no commit that began before this one fails at the shard that it lacks.
SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

-- shard: whose messages they are, so that one that looks for its own passes by no other's.
-- tried_before: attempts from before it was put back from the dead letters. death: why it is dead; nodes of the release before say
-- nothing. failed_at: when it was tried last.
ALTER TABLE flowstone.outbox
    ADD COLUMN tried_before integer NOT NULL DEFAULT 0 CHECK (tried_before >= 0),
    ADD COLUMN death        text CHECK (death IN ('UNDELIVERABLE', 'EXHAUSTED', 'UNKNOWN_DESTINATION')),
    ADD COLUMN failed_at    timestamptz,
    ADD COLUMN shard        integer;
-- What is there already, past the policies, which let the owner see nothing.
ALTER TABLE flowstone.outbox NO FORCE ROW LEVEL SECURITY;
UPDATE flowstone.outbox o SET shard = s.shard FROM flowstone.shards s WHERE o.slot BETWEEN s.first_slot AND s.last_slot;
ALTER TABLE flowstone.outbox FORCE ROW LEVEL SECURITY;
ALTER TABLE flowstone.outbox ALTER COLUMN shard SET NOT NULL;

-- By this each destination's oldest due messages of a shard are found, however many others wait.
CREATE INDEX outbox_next ON flowstone.outbox (shard, destination, due_at, tenant, run_id, cause_seq, ordinal)
    WHERE state = 'pending';
-- By this a message finds out whether its run is suspended. Nothing is in it as long as no run is.
CREATE INDEX timers_suspended ON flowstone.timers (tenant, run_id) WHERE timer_id = 'suspended';
CREATE INDEX outbox_dead ON flowstone.outbox (tenant, run_id, cause_seq, ordinal) WHERE state = 'dead';

-- What came of each attempt; of delivered messages, too, whose rows are gone. took_ms: until it ended or was given up.
CREATE TABLE flowstone.outbox_attempts (
    tenant      text        NOT NULL,
    run_id      uuid        NOT NULL,
    cause_seq   bigint      NOT NULL,
    ordinal     integer     NOT NULL,
    attempt     integer     NOT NULL CHECK (attempt > 0),
    destination text        NOT NULL,
    begun_at    timestamptz NOT NULL,
    took_ms     bigint      NOT NULL CHECK (took_ms >= 0),
    outcome     text        NOT NULL CHECK (outcome IN ('delivered', 'postponed', 'dead')),
    status      integer,
    error       text,
    PRIMARY KEY (tenant, run_id, cause_seq, ordinal, attempt)
);

-- What people did to dead letters: a row for each message.
CREATE TABLE flowstone.outbox_deeds (
    tenant      text        NOT NULL,
    run_id      uuid        NOT NULL,
    cause_seq   bigint      NOT NULL,
    ordinal     integer     NOT NULL,
    done_at     timestamptz NOT NULL,
    deed        text        NOT NULL CHECK (deed IN ('requeue', 'purge')),
    destination text        NOT NULL,
    actor       text        NOT NULL,
    reason      text        NOT NULL,
    PRIMARY KEY (tenant, run_id, cause_seq, ordinal, done_at, deed)
);

CREATE TRIGGER deeds_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.outbox_deeds
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.outbox_deeds ENABLE ALWAYS TRIGGER deeds_are_for_ever;

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['outbox_attempts', 'outbox_deeds'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
    END LOOP;
END
$policies$;

-- People see their tenant's messages; they touch dead ones only, to put them back or to remove them.
CREATE POLICY one_tenant ON flowstone.outbox FOR SELECT TO ${api} USING (tenant = flowstone.current_tenant());
CREATE POLICY requeue ON flowstone.outbox FOR UPDATE TO ${api}
    USING (tenant = flowstone.current_tenant() AND state = 'dead')
    WITH CHECK (tenant = flowstone.current_tenant() AND state = 'pending');
CREATE POLICY purge ON flowstone.outbox FOR DELETE TO ${api}
    USING (tenant = flowstone.current_tenant() AND state = 'dead');

GRANT SELECT, INSERT, DELETE ON flowstone.outbox_attempts TO ${engine};
GRANT SELECT ON flowstone.outbox_deeds TO ${engine};
GRANT SELECT, DELETE, UPDATE (state, attempts, tried_before, due_at, death) ON flowstone.outbox TO ${api};
GRANT SELECT ON flowstone.outbox_attempts TO ${api};
GRANT SELECT, INSERT ON flowstone.outbox_deeds TO ${api};

-- What it was in V20, but for the shard that it gives to messages.
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
        FROM (SELECT unnest(receipt_move) AS move, unnest(receipt_tenant) AS tenant, unnest(receipt_scope) AS scope,
                     unnest(receipt_key) AS key) AS u
        JOIN flowstone.receipts r ON r.tenant = u.tenant AND r.scope = u.scope AND r.key = u.key
        WHERE r.expires_at > clock_timestamp();
    END IF;

    moved := '{}';
    IF cardinality(upd_move) > 0 THEN
        WITH winners AS (
            UPDATE flowstone.runs r
            SET last_seq = u.seq, last_hash = u.hash, updated_at = u.at, ended_at = u.ended, awake = u.awake,
                status = u.status, was = r.status
            FROM (SELECT unnest(upd_move) AS move, unnest(upd_tenant) AS tenant, unnest(upd_run) AS run_id,
                         unnest(upd_expected) AS expected, unnest(upd_seq) AS seq, unnest(upd_hash) AS hash,
                         unnest(upd_status) AS status, unnest(upd_awake) AS awake, unnest(upd_time) AS at,
                         unnest(upd_ended) AS ended) AS u
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
            FROM (SELECT unnest(new_move) AS move, unnest(new_tenant) AS tenant, unnest(new_run) AS run_id,
                         unnest(new_slot) AS slot, unnest(new_workflow) AS workflow, unnest(new_version) AS version,
                         unnest(new_program) AS program, unnest(new_correlation) AS correlation, unnest(new_seq) AS seq,
                         unnest(new_hash) AS hash, unnest(new_status) AS status, unnest(new_awake) AS awake,
                         unnest(new_time) AS at, unnest(new_ended) AS ended) AS u
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
            FROM (SELECT unnest(new_move) AS move, unnest(new_tenant) AS tenant, unnest(new_run) AS run_id) AS u
            JOIN unnest(born_tenant, born_run) AS b (tenant, run_id) ON b.tenant = u.tenant AND b.run_id = u.run_id;
        END IF;
        moved := moved || born;
    END IF;
    every := cardinality(moved) = move_count;

    IF cardinality(moved) > 0 THEN
        INSERT INTO flowstone.entries (tenant, run_id, first_seq, last_seq, bytes, hash)
        SELECT u.tenant, u.run_id, u.first_seq, u.last_seq, u.bytes, u.hash
        FROM (SELECT unnest(entry_move) AS move, unnest(entry_tenant) AS tenant, unnest(entry_run) AS run_id,
                     unnest(entry_first) AS first_seq, unnest(entry_last) AS last_seq, unnest(entry_bytes) AS bytes,
                     unnest(entry_hash) AS hash) AS u
        WHERE every OR u.move = ANY (moved);

        IF cardinality(timer_move) > 0 THEN
            INSERT INTO flowstone.timers AS t (tenant, run_id, timer_id, slot, generation, due_at)
            SELECT u.tenant, u.run_id, u.timer_id, u.slot, u.generation, u.due_at
            FROM (SELECT unnest(timer_move) AS move, unnest(timer_tenant) AS tenant, unnest(timer_run) AS run_id,
                         unnest(timer_slot) AS slot, unnest(timer_timer) AS timer_id, unnest(timer_generation) AS generation,
                         unnest(timer_due) AS due_at) AS u
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, run_id, timer_id) DO UPDATE
                SET generation = excluded.generation, due_at = excluded.due_at
                WHERE excluded.generation > t.generation;
        END IF;

        -- After those that are set: one that was set and went off in the same move is gone.
        IF cardinality(gone_move) > 0 THEN
            DELETE FROM flowstone.timers t
            WHERE t.ctid = ANY (ARRAY(
                SELECT k.place
                FROM (SELECT unnest(gone_move) AS move, unnest(gone_tenant) AS tenant, unnest(gone_run) AS run_id,
                             unnest(gone_timer) AS timer_id) AS u
                CROSS JOIN LATERAL (
                    SELECT o.ctid AS place FROM flowstone.timers o
                    WHERE o.tenant = u.tenant AND o.run_id = u.run_id AND o.timer_id = u.timer_id
                    OFFSET 0) AS k
                WHERE every OR u.move = ANY (moved)));
        END IF;

        IF cardinality(snap_move) > 0 THEN
            INSERT INTO flowstone.snapshots AS s (tenant, run_id, seq, bytes)
            SELECT u.tenant, u.run_id, u.seq, u.bytes
            FROM (SELECT unnest(snap_move) AS move, unnest(snap_tenant) AS tenant, unnest(snap_run) AS run_id,
                         unnest(snap_seq) AS seq, unnest(snap_bytes) AS bytes) AS u
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, run_id) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
                WHERE excluded.seq > s.seq;
        END IF;

        IF cardinality(receipt_move) > 0 THEN
            -- A conflict here is with one that has expired: the others kept their run from moving.
            INSERT INTO flowstone.receipts (tenant, scope, key, slot, request, run_id, answer, expires_at)
            SELECT u.tenant, u.scope, u.key, u.slot, u.request, u.run_id, u.answer, u.expires_at
            FROM (SELECT unnest(receipt_move) AS move, unnest(receipt_tenant) AS tenant, unnest(receipt_scope) AS scope,
                         unnest(receipt_key) AS key, unnest(receipt_slot) AS slot, unnest(receipt_request) AS request,
                         unnest(receipt_run) AS run_id, unnest(receipt_answer) AS answer,
                         unnest(receipt_expires) AS expires_at) AS u
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT (tenant, scope, key) DO UPDATE
                SET slot = excluded.slot, request = excluded.request, run_id = excluded.run_id,
                    answer = excluded.answer, expires_at = excluded.expires_at;
        END IF;

        IF cardinality(payload_move) > 0 THEN
            INSERT INTO flowstone.payloads (tenant, hash, bytes)
            SELECT u.tenant, u.hash, u.bytes
            FROM (SELECT unnest(payload_move) AS move, unnest(payload_tenant) AS tenant, unnest(payload_hash) AS hash,
                         unnest(payload_bytes) AS bytes) AS u
            WHERE every OR u.move = ANY (moved)
            ON CONFLICT DO NOTHING;
        END IF;

        IF cardinality(out_move) > 0 THEN
            INSERT INTO flowstone.outbox (tenant, run_id, cause_seq, ordinal, slot, shard, destination, content, due_at)
            SELECT u.tenant, u.run_id, u.cause, u.ordinal, u.slot, shard_number, u.destination, u.content, u.due_at
            FROM (SELECT unnest(out_move) AS move, unnest(out_tenant) AS tenant, unnest(out_run) AS run_id,
                         unnest(out_cause) AS cause, unnest(out_ordinal) AS ordinal, unnest(out_slot) AS slot,
                         unnest(out_destination) AS destination, unnest(out_content) AS content, unnest(out_due) AS due_at) AS u
            WHERE every OR u.move = ANY (moved);
        END IF;

        IF cardinality(letter_move) > 0 THEN
            INSERT INTO flowstone.letters (slot, tenant, sender, number, receiver, content)
            SELECT u.slot, u.tenant, u.run_id, u.number, u.receiver, u.content
            FROM (SELECT unnest(letter_move) AS move, unnest(letter_tenant) AS tenant, unnest(letter_run) AS run_id,
                         unnest(letter_slot) AS slot, unnest(letter_number) AS number, unnest(letter_receiver) AS receiver,
                         unnest(letter_content) AS content) AS u
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
        FROM (SELECT unnest(used_tenant) AS tenant, unnest(used_source) AS source, unnest(used_key) AS key) AS u
        WHERE i.tenant = u.tenant AND i.source = u.source AND i.key = u.key
          AND i.slot BETWEEN lowest_slot AND highest_slot
          AND (every OR NOT EXISTS (
                  SELECT FROM unnest(new_move || upd_move, new_tenant || upd_tenant, new_run || upd_run)
                      AS m (move, tenant, run_id)
                  WHERE m.tenant = i.tenant AND m.run_id = i.run_id AND m.move <> ALL (moved)));
    END IF;

    IF cardinality(forget_number) > 0 THEN
        DELETE FROM flowstone.letters l
        WHERE l.ctid = ANY (ARRAY(
            SELECT k.place
            FROM (SELECT unnest(forget_slot) AS slot, unnest(forget_tenant) AS tenant, unnest(forget_run) AS sender,
                         unnest(forget_number) AS number, unnest(forget_receiver) AS receiver) AS u
            CROSS JOIN LATERAL (
                SELECT o.ctid AS place FROM flowstone.letters o
                WHERE o.slot = u.slot AND o.tenant = u.tenant AND o.sender = u.sender AND o.number = u.number
                  AND o.receiver = u.receiver AND o.slot BETWEEN lowest_slot AND highest_slot
                OFFSET 0) AS k));
    END IF;

    IF every THEN
        moved := NULL;
    END IF;
    database_time := clock_timestamp();
END
$$;

RESET ROLE;
