-- Messages leave: by turns of their destinations, with evidence of each attempt, and dead letters that people put back or remove.

SET LOCAL ROLE ${owner};

-- tried_before: attempts from before it was put back from the dead letters. death: why it is dead; nodes of the release before say
-- nothing. failed_at: when it was tried last.
ALTER TABLE flowstone.outbox
    ADD COLUMN tried_before integer NOT NULL DEFAULT 0 CHECK (tried_before >= 0),
    ADD COLUMN death        text CHECK (death IN ('UNDELIVERABLE', 'EXHAUSTED', 'UNKNOWN_DESTINATION')),
    ADD COLUMN failed_at    timestamptz;

-- By this each destination's oldest due messages are found, however many others wait.
CREATE INDEX outbox_next ON flowstone.outbox (destination, due_at, tenant, run_id, cause_seq, ordinal) INCLUDE (slot)
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

RESET ROLE;
