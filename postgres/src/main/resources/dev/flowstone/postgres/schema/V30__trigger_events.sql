-- Event triggers: from where each listens, and how far the feed was followed for all of them together.

SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

-- streams, numbers: behind which row of each stream of the feed it listens, as it was when it was made or turned on; from the
-- beginning in a stream that isn't there. engine: whether it wants the engine's events, as its configuration says.
CREATE TABLE flowstone.trigger_events (
    tenant     text      NOT NULL,
    trigger_id uuid      NOT NULL,
    streams    integer[] NOT NULL,
    numbers    bigint[]  NOT NULL CHECK (cardinality(numbers) = cardinality(streams)),
    engine     boolean   NOT NULL,
    PRIMARY KEY (tenant, trigger_id),
    FOREIGN KEY (tenant, trigger_id) REFERENCES flowstone.triggers (tenant, id) ON DELETE CASCADE
);

-- Nodes look several times a second whether there are any, while those for events from outside may be many.
CREATE INDEX trigger_events_engine ON flowstone.trigger_events (tenant, trigger_id) WHERE engine;

-- number, events: the last row of the stream whose events were all taken, and how many of the next one.
CREATE TABLE flowstone.trigger_cursors (
    stream integer NOT NULL PRIMARY KEY,
    number bigint  NOT NULL CHECK (number >= 0),
    events bigint  NOT NULL CHECK (events >= 0)
) WITH (fillfactor = 50);

ALTER TABLE flowstone.trigger_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE flowstone.trigger_events FORCE ROW LEVEL SECURITY;
CREATE POLICY engine ON flowstone.trigger_events FOR SELECT TO ${engine} USING (true);
CREATE POLICY one_tenant ON flowstone.trigger_events TO ${api}
    USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant());

GRANT SELECT ON flowstone.trigger_events TO ${engine};
GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.trigger_events TO ${api};
GRANT SELECT, INSERT, UPDATE ON flowstone.trigger_cursors TO ${engine};

-- Triggers of definitions that were off when a version without them became the current one: they are off again with the next one that
-- has them.
CREATE TABLE flowstone.triggers_off (
    tenant     text NOT NULL,
    trigger_id uuid NOT NULL,
    PRIMARY KEY (tenant, trigger_id)
);

ALTER TABLE flowstone.triggers_off ENABLE ROW LEVEL SECURITY;
ALTER TABLE flowstone.triggers_off FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON flowstone.triggers_off TO ${api}
    USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant());

GRANT SELECT, INSERT, DELETE ON flowstone.triggers_off TO ${api};

-- Dead letters that are due are taken by tenants and sources in turns.
CREATE INDEX dead_letters_turns ON flowstone.dead_letters (source, tenant, due_at, id) WHERE state = 'waiting';

-- An arrival may signal an execution instead of starting one. The new rule lets in all that the old one did: rows that are there aren't
-- read again, for which every node would have to wait.
ALTER TABLE flowstone.trigger_deliveries DROP CONSTRAINT trigger_deliveries_outcome_check;
ALTER TABLE flowstone.trigger_deliveries ADD CONSTRAINT trigger_deliveries_outcome_check
    CHECK (outcome IN ('started', 'repeated', 'signaled', 'ignored', 'refused')) NOT VALID;

RESET ROLE;
