-- Triggers: what starts executions of a workflow. They go when their workflow is deleted; nothing is written to them when it is
-- archived or taken into use again: whether one fires is its own flag and its workflow's state, read together.

SET LOCAL ROLE ${owner};

-- config: canonical JSON, of the kind's own form.
CREATE TABLE flowstone.triggers (
    tenant     text        NOT NULL,
    id         uuid        NOT NULL,
    workflow   text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('webhook', 'schedule', 'event', 'manual')),
    origin     text        NOT NULL DEFAULT 'api' CHECK (origin IN ('api', 'definition')),
    enabled    boolean     NOT NULL,
    config     bytea       NOT NULL,
    condition  text,
    revision   bigint      NOT NULL CHECK (revision > 0),
    created_at timestamptz NOT NULL,
    created_by text        NOT NULL,
    changed_at timestamptz NOT NULL,
    changed_by text        NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, workflow) REFERENCES flowstone.workflows (tenant, workflow) ON DELETE CASCADE
);

-- A webhook's address names no tenant.
CREATE UNIQUE INDEX triggers_id ON flowstone.triggers (id);
CREATE INDEX triggers_workflow ON flowstone.triggers (tenant, workflow, id);
CREATE INDEX triggers_kind_enabled ON flowstone.triggers (kind, tenant, id) WHERE enabled;

-- What signs deliveries, the newest first. The API's role writes it and can't read it.
CREATE TABLE flowstone.trigger_secrets (
    tenant     text     NOT NULL,
    trigger_id uuid     NOT NULL,
    place      smallint NOT NULL CHECK (place BETWEEN 0 AND 1),
    secret     text     NOT NULL,
    PRIMARY KEY (tenant, trigger_id, place),
    FOREIGN KEY (tenant, trigger_id) REFERENCES flowstone.triggers (tenant, id) ON DELETE CASCADE
);

-- Calls that made triggers and may be repeated: digests of their key and of their body. Kept when the trigger goes, so that a
-- repetition brings none back.
CREATE TABLE flowstone.trigger_requests (
    tenant     text        NOT NULL,
    key        bytea       NOT NULL CHECK (octet_length(key) = 32),
    request    bytea       NOT NULL CHECK (octet_length(request) = 32),
    trigger_id uuid        NOT NULL,
    made_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant, key)
);

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['triggers', 'trigger_secrets', 'trigger_requests'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
    END LOOP;
END
$policies$;

GRANT SELECT ON flowstone.triggers, flowstone.trigger_secrets TO ${engine};
GRANT SELECT, DELETE ON flowstone.trigger_requests TO ${engine};
GRANT SELECT, INSERT ON flowstone.trigger_requests TO ${api};
GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.triggers TO ${api};
GRANT SELECT (tenant, trigger_id, place), INSERT, UPDATE (place), DELETE ON flowstone.trigger_secrets TO ${api};

-- Whether a trigger's workflow takes executions.
CREATE POLICY engine ON flowstone.workflows FOR SELECT TO ${engine} USING (true);
GRANT SELECT (tenant, workflow, status, enabled) ON flowstone.workflows TO ${engine};

RESET ROLE;
