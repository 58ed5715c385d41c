-- What runs are about, and how it may be edited meanwhile.
--
-- A subject's row is where starts and edits meet: whoever binds a run to a subject or changes its version locks it first.
-- A window row is one run's word on its subject. It moves in the run's commit; whoever edits the subject locks it, so that
-- an edit is judged right with every engine down, and after the run's end. Neither table has a row that every commit
-- writes: a run writes its own, when its window, its version or its life changes.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.subjects (
    tenant  text     NOT NULL,
    kind    text     NOT NULL,
    id      text     NOT NULL,
    slot    smallint NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    version bigint   NOT NULL CHECK (version >= 0),
    PRIMARY KEY (tenant, kind, id)
) WITH (fillfactor = 70);

-- fields: the only ones that may be edited; NULL for all. tightened_*: by an edit that asked for a transition, until the
-- run knows the version that the edit made.
CREATE TABLE flowstone.subject_windows (
    tenant            text     NOT NULL,
    kind              text     NOT NULL,
    id                text     NOT NULL,
    run_id            uuid     NOT NULL,
    slot              smallint NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    exclusive         boolean  NOT NULL,
    live              boolean  NOT NULL,
    mode              text     NOT NULL CHECK (mode IN ('EDITABLE', 'AMEND_ONLY', 'LOCKED')),
    fields            text[],
    version           bigint   NOT NULL CHECK (version >= 0),
    tightened_mode    text CHECK (tightened_mode IN ('EDITABLE', 'AMEND_ONLY', 'LOCKED')),
    tightened_fields  text[],
    tightened_version bigint,
    PRIMARY KEY (tenant, kind, id, run_id),
    CHECK ((tightened_mode IS NULL) = (tightened_version IS NULL))
) WITH (fillfactor = 70);

-- The last word on exclusivity, whatever anybody checked before.
CREATE UNIQUE INDEX subject_windows_alone ON flowstone.subject_windows (tenant, kind, id) WHERE live AND exclusive;

DO $policies$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['subjects', 'subject_windows'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', tenant_table);
        EXECUTE format(
            'CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
            'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())',
            tenant_table);
    END LOOP;
END
$policies$;

GRANT SELECT, INSERT, UPDATE ON flowstone.subjects TO ${engine}, ${api};
GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.subject_windows TO ${engine};
-- Of a window an edit may only tighten.
GRANT SELECT, UPDATE (tightened_mode, tightened_fields, tightened_version) ON flowstone.subject_windows TO ${api};

-- Whether a shard is still held so; the fence stays locked until the transaction ends, so that no takeover overtakes it.
-- The API's role may ask: transactions on subjects run as a tenant's, and may not see the fence itself.
CREATE FUNCTION flowstone.holds_shard(shard_number integer, held_epoch bigint, held_by text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM FROM flowstone.epochs e
    WHERE e.shard = shard_number AND e.epoch = held_epoch AND e.holder = held_by
    FOR SHARE;
    RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION flowstone.holds_shard(integer, bigint, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.holds_shard(integer, bigint, text) TO ${api};

-- The windows of a commit, called on the reply of commit_2 in the same statement, hence in its transaction. Of the moves
-- that moved: all of them if moved is NULL.
--
--   windows: [{"move", "tenant", "kind", "id", "run_id", "slot", "first", "mode", "fields", "version", "exclusive", "live"}]
--
-- A run that can't have its subject makes the whole call fail with SQLSTATE FS002: nothing is stored, and the caller
-- finds out by halves whom to refuse.
CREATE FUNCTION flowstone.commit_windows(moved integer[], windows jsonb) RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET lock_timeout = '10s'
AS $$
#variable_conflict error
DECLARE
    births  jsonb;
    taken   record;
    written integer := 0;
BEGIN
    IF windows IS NULL THEN
        RETURN 0;
    END IF;
    SELECT jsonb_agg(w.value ORDER BY w.value ->> 'tenant', w.value ->> 'kind', w.value ->> 'id', w.value ->> 'run_id')
    INTO windows
    FROM jsonb_array_elements(windows) AS w (value)
    WHERE moved IS NULL OR (w.value ->> 'move')::integer = ANY (moved);
    IF windows IS NULL THEN
        RETURN 0;
    END IF;

    SELECT jsonb_agg(w.value) INTO births
    FROM jsonb_array_elements(windows) AS w (value)
    WHERE (w.value ->> 'first')::boolean;
    IF births IS NOT NULL THEN
        -- Locks the subjects, in order: DO UPDATE waits for an edit that is under way and sees what it made.
        INSERT INTO flowstone.subjects AS s (tenant, kind, id, slot, version)
        SELECT b.tenant, b.kind, b.id, min(b.slot), min(b.version)
        FROM jsonb_to_recordset(births) AS b (tenant text, kind text, id text, slot smallint, version bigint)
        GROUP BY b.tenant, b.kind, b.id
        ORDER BY b.tenant, b.kind, b.id
        ON CONFLICT (tenant, kind, id) DO UPDATE SET version = s.version;

        SELECT b.kind, b.id, s.version INTO taken
        FROM jsonb_to_recordset(births) AS b (tenant text, kind text, id text, version bigint)
        JOIN flowstone.subjects s ON s.tenant = b.tenant AND s.kind = b.kind AND s.id = b.id
        WHERE s.version > b.version
        LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING
                ERRCODE = 'FS002',
                MESSAGE = format('%s/%s has version %s by now', taken.kind, taken.id, taken.version);
        END IF;

        SELECT b.kind, b.id, w.run_id INTO taken
        FROM jsonb_to_recordset(births) AS b (tenant text, kind text, id text, run_id uuid, exclusive boolean)
        JOIN flowstone.subject_windows w ON w.tenant = b.tenant AND w.kind = b.kind AND w.id = b.id
        WHERE w.live AND w.run_id <> b.run_id AND (w.exclusive OR b.exclusive)
        LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING
                ERRCODE = 'FS002',
                MESSAGE = format('the run %s works on %s/%s', taken.run_id, taken.kind, taken.id);
        END IF;

        UPDATE flowstone.subjects s
        SET version = b.version
        FROM jsonb_to_recordset(births) AS b (tenant text, kind text, id text, version bigint)
        WHERE s.tenant = b.tenant AND s.kind = b.kind AND s.id = b.id AND s.version < b.version;

        -- The word of runs that have ended holds until another one is bound.
        DELETE FROM flowstone.subject_windows w
        USING jsonb_to_recordset(births) AS b (tenant text, kind text, id text)
        WHERE w.tenant = b.tenant AND w.kind = b.kind AND w.id = b.id AND NOT w.live;

        INSERT INTO flowstone.subject_windows AS w
            (tenant, kind, id, run_id, slot, exclusive, live, mode, fields, version)
        SELECT b.tenant, b.kind, b.id, b.run_id, b.slot, b.exclusive, b.live, coalesce(b.mode, 'EDITABLE'), b.fields,
               b.version
        FROM jsonb_to_recordset(births)
            AS b (tenant text, kind text, id text, run_id uuid, slot smallint, exclusive boolean, live boolean, mode text,
                  fields text[], version bigint);
        GET DIAGNOSTICS written = ROW_COUNT;
    END IF;

    IF written < jsonb_array_length(windows) THEN
        -- In the order in which edits lock them.
        PERFORM FROM jsonb_to_recordset(windows)
            AS m (tenant text, kind text, id text, run_id uuid, first boolean)
        JOIN flowstone.subject_windows w
            ON w.tenant = m.tenant AND w.kind = m.kind AND w.id = m.id AND w.run_id = m.run_id
        WHERE NOT m.first
        ORDER BY w.tenant, w.kind, w.id, w.run_id
        FOR UPDATE OF w;

        UPDATE flowstone.subject_windows w
        SET live = m.live,
            version = m.version,
            mode = coalesce(m.mode, w.mode),
            fields = CASE WHEN m.mode IS NULL THEN w.fields ELSE m.fields END,
            tightened_mode = CASE WHEN w.tightened_version > m.version THEN w.tightened_mode END,
            tightened_fields = CASE WHEN w.tightened_version > m.version THEN w.tightened_fields END,
            tightened_version = CASE WHEN w.tightened_version > m.version THEN w.tightened_version END
        FROM jsonb_to_recordset(windows)
            AS m (tenant text, kind text, id text, run_id uuid, first boolean, live boolean, mode text, fields text[],
                  version bigint)
        WHERE NOT m.first
          AND w.tenant = m.tenant AND w.kind = m.kind AND w.id = m.id AND w.run_id = m.run_id;
    END IF;
    RETURN jsonb_array_length(windows);
END
$$;
REVOKE ALL ON FUNCTION flowstone.commit_windows(integer[], jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.commit_windows(integer[], jsonb) TO ${engine};

RESET ROLE;
