-- The journal and its borders.
--
-- Every hot row carries tenant and slot. Hot tables have no foreign keys and no index that the commit or the shard's
-- loop does not need. Canonical bytes (events, payloads, snapshots, programs) are bytea that is never compressed: what
-- is hashed is what is stored.

SET LOCAL ROLE ${owner};

-- The API's tenant of this transaction. Not set means an error, whatever the query would have found.
CREATE FUNCTION flowstone.current_tenant() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
    tenant text := current_setting('flowstone.tenant', true);
BEGIN
    IF tenant IS NULL OR tenant = '' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'insufficient_privilege',
            MESSAGE = 'no tenant is set in this transaction',
            HINT = 'SELECT set_config(''flowstone.tenant'', …, true) first, in the same transaction';
    END IF;
    RETURN tenant;
END
$$;

CREATE FUNCTION flowstone.refuse_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION USING
        ERRCODE = 'restrict_violation',
        MESSAGE = format('%s of %I.%I is refused: it stays as it was written', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME);
END
$$;

-- Shards: ranges of slots, cut once; re-cut offline.
CREATE TABLE flowstone.shards (
    shard      integer NOT NULL PRIMARY KEY,
    first_slot integer NOT NULL CHECK (first_slot >= 0),
    last_slot  integer NOT NULL CHECK (last_slot < 4096),
    stream     integer NOT NULL UNIQUE,
    CHECK (first_slot <= last_slot)
);

-- The fence. Changes only at takeover; every commit locks its row FOR SHARE.
CREATE TABLE flowstone.epochs (
    shard  integer NOT NULL PRIMARY KEY,
    epoch  bigint  NOT NULL CHECK (epoch >= 0),
    holder text    NOT NULL
) WITH (fillfactor = 50);

-- The heartbeat, apart from the fence so that it waits for no commit. until is in database time.
CREATE TABLE flowstone.heartbeats (
    shard  integer     NOT NULL PRIMARY KEY,
    epoch  bigint      NOT NULL,
    holder text        NOT NULL,
    until  timestamptz NOT NULL
) WITH (fillfactor = 50);

-- A run's head. Columns that a move changes stand last: WAL then carries only them. Status is not indexed, and awake
-- changes twice in a life, so that moves are heap-only updates.
CREATE TABLE flowstone.runs (
    tenant      text        NOT NULL,
    run_id      uuid        NOT NULL,
    slot        smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    version     integer     NOT NULL CHECK (version > 0),
    started_at  timestamptz NOT NULL,
    workflow    text        NOT NULL,
    program     bytea       NOT NULL CHECK (octet_length(program) = 32),
    correlation text        NOT NULL,
    last_seq    bigint      NOT NULL CHECK (last_seq > 0),
    last_hash   bytea       NOT NULL CHECK (octet_length(last_hash) = 32),
    updated_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    awake       boolean     NOT NULL,
    status      text        NOT NULL CHECK (status IN ('RUNNING', 'FAILING', 'SUCCEEDED', 'FAILED')),
    PRIMARY KEY (tenant, run_id),
    CHECK ((ended_at IS NOT NULL) = (status IN ('SUCCEEDED', 'FAILED')))
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2);

CREATE INDEX runs_awake ON flowstone.runs (tenant, run_id) INCLUDE (slot) WHERE awake;

-- The journal: the events of one decision in one row. Partitioned by the run's birth month, which its id begins with.
CREATE TABLE flowstone.entries (
    tenant    text   NOT NULL,
    run_id    uuid   NOT NULL,
    first_seq bigint NOT NULL CHECK (first_seq > 0),
    last_seq  bigint NOT NULL,
    bytes     bytea  NOT NULL,
    hash      bytea  NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (run_id, first_seq),
    CHECK (last_seq >= first_seq)
) PARTITION BY RANGE (run_id);

CREATE TRIGGER entries_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.entries
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.entries ENABLE ALWAYS TRIGGER entries_are_for_ever;

CREATE TABLE flowstone.snapshots (
    tenant text   NOT NULL,
    run_id uuid   NOT NULL,
    seq    bigint NOT NULL CHECK (seq > 0),
    bytes  bytea  NOT NULL,
    PRIMARY KEY (tenant, run_id)
) WITH (fillfactor = 80);

CREATE TABLE flowstone.receipts (
    tenant     text        NOT NULL,
    scope      text        NOT NULL,
    key        text        NOT NULL,
    slot       smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    request    bytea       NOT NULL CHECK (octet_length(request) = 32),
    run_id     uuid        NOT NULL,
    answer     bytea       NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, scope, key)
);

CREATE TABLE flowstone.timers (
    tenant     text        NOT NULL,
    run_id     uuid        NOT NULL,
    timer_id   text        NOT NULL,
    slot       smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    generation integer     NOT NULL,
    due_at     timestamptz NOT NULL,
    PRIMARY KEY (tenant, run_id, timer_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX timers_due ON flowstone.timers (due_at, tenant, run_id, timer_id);

CREATE TABLE flowstone.payloads (
    tenant text  NOT NULL,
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32),
    bytes  bytea NOT NULL,
    PRIMARY KEY (tenant, hash)
);

CREATE TABLE flowstone.outbox (
    tenant      text        NOT NULL,
    run_id      uuid        NOT NULL,
    cause_seq   bigint      NOT NULL,
    ordinal     integer     NOT NULL,
    slot        smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    destination text        NOT NULL,
    content     bytea       NOT NULL,
    state       text        NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'dead')),
    attempts    integer     NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    due_at      timestamptz NOT NULL,
    error       text,
    PRIMARY KEY (tenant, run_id, cause_seq, ordinal)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX outbox_due ON flowstone.outbox (due_at, tenant, run_id, cause_seq, ordinal) WHERE state = 'pending';

-- A key names its message for ever: consumed rows stay, so that a second one under the key is dropped.
CREATE TABLE flowstone.inbox (
    tenant      text        NOT NULL,
    source      text        NOT NULL,
    key         text        NOT NULL,
    run_id      uuid        NOT NULL,
    slot        smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    kind        text        NOT NULL,
    content     bytea       NOT NULL,
    received_at timestamptz NOT NULL,
    consumed    boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, source, key)
);

CREATE INDEX inbox_waiting ON flowstone.inbox (received_at, tenant, source, key) WHERE NOT consumed;

-- The order for readers: one row a commit, gapless in each stream. The newest row of a stream is never removed, because
-- the next number is read off it: no counter row that every commit would write.
CREATE TABLE flowstone.feed (
    stream       integer     NOT NULL,
    number       bigint      NOT NULL CHECK (number > 0),
    committed_at timestamptz NOT NULL,
    moved        bytea       NOT NULL,
    PRIMARY KEY (stream, number)
);

-- Never compressed: what is large goes out of line as it is. (CREATE TABLE says so only from PostgreSQL 16 on.)
ALTER TABLE flowstone.entries ALTER bytes SET STORAGE EXTERNAL, ALTER hash SET STORAGE PLAIN;
ALTER TABLE flowstone.snapshots ALTER bytes SET STORAGE EXTERNAL;
ALTER TABLE flowstone.receipts ALTER answer SET STORAGE EXTERNAL;
ALTER TABLE flowstone.payloads ALTER bytes SET STORAGE EXTERNAL;
ALTER TABLE flowstone.outbox ALTER content SET STORAGE EXTERNAL;
ALTER TABLE flowstone.inbox ALTER content SET STORAGE EXTERNAL;
ALTER TABLE flowstone.feed ALTER moved SET STORAGE EXTERNAL;

-- Row-level security. FORCE, so that the owner does not slip past it either.
DO $policies$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY[
        'runs', 'entries', 'snapshots', 'receipts', 'timers', 'payloads', 'outbox', 'inbox', 'feed'
    ] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', tenant_table);
    END LOOP;
    FOREACH tenant_table IN ARRAY ARRAY['runs', 'entries', 'payloads', 'inbox'] LOOP
        EXECUTE format(
            'CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
            'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())',
            tenant_table);
    END LOOP;
END
$policies$;

GRANT SELECT, INSERT ON flowstone.entries, flowstone.payloads, flowstone.feed TO ${engine};
GRANT SELECT, INSERT, UPDATE ON flowstone.runs, flowstone.snapshots, flowstone.receipts, flowstone.inbox TO ${engine};
GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.timers, flowstone.outbox TO ${engine};
GRANT SELECT, INSERT, UPDATE ON flowstone.epochs, flowstone.heartbeats TO ${engine};
GRANT SELECT, INSERT ON flowstone.shards TO ${engine};
GRANT SELECT ON flowstone.runs, flowstone.entries, flowstone.payloads TO ${api};
GRANT SELECT, INSERT ON flowstone.inbox TO ${api};

RESET ROLE;
