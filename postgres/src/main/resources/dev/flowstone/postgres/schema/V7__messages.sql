-- Part 2: letters between runs, human tasks for lists, every status of a run, and the commit that writes them.
--
-- commit_1 stays for nodes of the release before.

SET LOCAL ROLE ${owner};

ALTER TABLE flowstone.runs DROP CONSTRAINT runs_status_check, DROP CONSTRAINT runs_check;
ALTER TABLE flowstone.runs
    ADD CONSTRAINT runs_status_check CHECK (status IN ('RUNNING', 'FAILING', 'COMPENSATING', 'CANCELING', 'SUCCEEDED',
                                                       'FAILED', 'CANCELED', 'TERMINATED')),
    ADD CONSTRAINT runs_check CHECK ((ended_at IS NOT NULL) = (status IN ('SUCCEEDED', 'FAILED', 'CANCELED',
                                                                          'TERMINATED')));

-- Letters that were not delivered yet, with the sender's slot: few at any time. No other index than the one that both the
-- commit and the recovery of a shard use.
CREATE TABLE flowstone.letters (
    slot     smallint NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    tenant   text     NOT NULL,
    sender   uuid     NOT NULL,
    number   bigint   NOT NULL CHECK (number > 0),
    receiver uuid     NOT NULL,
    content  bytea    NOT NULL,
    PRIMARY KEY (slot, tenant, sender, number, receiver)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE flowstone.letters ALTER content SET STORAGE EXTERNAL;

-- Human tasks that are open, for lists. The run's history is the truth; this row moves in the same commit.
CREATE TABLE flowstone.human_tasks (
    tenant     text        NOT NULL,
    run_id     uuid        NOT NULL,
    activation text        NOT NULL,
    slot       smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    workflow   text        NOT NULL,
    opened_at  timestamptz NOT NULL,
    assignees  text[]      NOT NULL,
    claimed_by text,
    due_at     timestamptz,
    content    text        NOT NULL,
    PRIMARY KEY (tenant, run_id, activation)
);
CREATE INDEX human_tasks_oldest ON flowstone.human_tasks (tenant, opened_at, run_id, activation);

DO $policies$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['letters', 'human_tasks'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', tenant_table);
    END LOOP;
END
$policies$;
CREATE POLICY one_tenant ON flowstone.human_tasks TO ${api} USING (tenant = flowstone.current_tenant());

GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.letters, flowstone.human_tasks TO ${engine};
GRANT SELECT ON flowstone.human_tasks TO ${api};

CREATE FUNCTION flowstone.commit_2(
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
    taken       integer[] := '{}'; -- moves whose receipt exists already
    born        integer[] := '{}';
    born_tenant text[];
    born_run    uuid[];
    every       boolean;           -- whether every run moved
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
                status = u.status
            FROM unnest(upd_move, upd_tenant, upd_run, upd_expected, upd_seq, upd_hash, upd_status, upd_awake, upd_time,
                        upd_ended) AS u (move, tenant, run_id, expected, seq, hash, status, awake, at, ended)
            WHERE r.tenant = u.tenant AND r.run_id = u.run_id AND r.last_seq = u.expected
              AND r.slot BETWEEN lowest_slot AND highest_slot
              AND (taken = '{}' OR u.move <> ALL (taken))
            RETURNING u.move
        )
        SELECT coalesce(array_agg(w.move), '{}') INTO moved FROM winners w;
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
            RETURNING r.tenant, r.run_id
        )
        SELECT coalesce(array_agg(w.tenant), '{}'), coalesce(array_agg(w.run_id), '{}')
        INTO born_tenant, born_run
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
        INSERT INTO flowstone.feed AS f (stream, number, committed_at, moved)
        SELECT to_stream, coalesce(max(n.number), 0) + 1, clock_timestamp(), feed_bytes
        FROM (SELECT l.number FROM flowstone.feed l WHERE l.stream = to_stream ORDER BY l.number DESC LIMIT 1) AS n
        RETURNING f.number INTO feed_number;
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

REVOKE ALL ON FUNCTION flowstone.commit_2 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.commit_2 TO ${engine};

RESET ROLE;
