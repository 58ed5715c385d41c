-- What came for triggers, and what became of it.

SET LOCAL ROLE ${owner};

-- id: a UUIDv7, so that the newest comes last. delivery: as its sender calls it. sent_at: as its sender signed it; the same
-- delivery of the same time is the same bytes, sent again. holds: while no other of the same bytes is taken; null once it has come to
-- nothing that is for good, or another one has taken its place. outcome: null while it is being worked on, or if its node went away.
CREATE TABLE flowstone.trigger_deliveries (
    tenant      text        NOT NULL,
    trigger_id  uuid        NOT NULL,
    id          uuid        NOT NULL,
    delivery    text        NOT NULL,
    source      text        NOT NULL CHECK (source IN ('webhook', 'schedule', 'event', 'manual')),
    actor       text,
    sent_at     timestamptz,
    holds       boolean     CHECK (holds IS NULL OR (holds AND sent_at IS NOT NULL)),
    received_at timestamptz NOT NULL,
    outcome     text        CHECK (outcome IN ('started', 'repeated', 'ignored', 'refused')),
    code        text,
    detail      text,
    run_id      uuid,
    PRIMARY KEY (tenant, trigger_id, id)
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX trigger_deliveries_once ON flowstone.trigger_deliveries (tenant, trigger_id, delivery, sent_at, holds)
    WHERE sent_at IS NOT NULL;

ALTER TABLE flowstone.trigger_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE flowstone.trigger_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY engine ON flowstone.trigger_deliveries TO ${engine} USING (true) WITH CHECK (true);
CREATE POLICY one_tenant ON flowstone.trigger_deliveries FOR SELECT TO ${api} USING (tenant = flowstone.current_tenant());

GRANT SELECT, INSERT, DELETE, UPDATE (outcome, code, detail, run_id, holds) ON flowstone.trigger_deliveries TO ${engine};
GRANT SELECT ON flowstone.trigger_deliveries TO ${api};

RESET ROLE;
