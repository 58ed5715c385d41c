-- Events out: who gets which events of a tenant, and how far each has come in each stream of the feed.
--
-- The feed is the outbox of events: nothing is written for an event when it happens or leaves. A cursor moves by what was
-- acknowledged, under the epoch of the shard whose stream it is.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.subscriptions (
    tenant     text        NOT NULL,
    name       text        NOT NULL,
    revision   bigint      NOT NULL CHECK (revision > 0),
    sink       text        NOT NULL CHECK (sink IN ('webhook', 'kafka')),
    target     text        NOT NULL,
    types      text[]      NOT NULL,
    workflows  text[]      NOT NULL,
    state      text        NOT NULL CHECK (state IN ('active', 'paused', 'broken')),
    reason     text,
    created_at timestamptz NOT NULL,
    created_by text        NOT NULL,
    changed_at timestamptz NOT NULL,
    changed_by text        NOT NULL,
    PRIMARY KEY (tenant, name)
);

-- number, events: the last row of the feed that is done with, and how many events of the next one. turn: another one whenever
-- somebody moves the cursor by hand, so that whoever sends meanwhile doesn't move it back. blocked_…: the event that can't be
-- delivered, and the place behind it.
CREATE TABLE flowstone.subscription_cursors (
    tenant         text    NOT NULL,
    name           text    NOT NULL,
    stream         integer NOT NULL,
    number         bigint  NOT NULL CHECK (number >= 0),
    events         bigint  NOT NULL CHECK (events >= 0),
    turn           bigint  NOT NULL,
    delivered      bigint  NOT NULL DEFAULT 0 CHECK (delivered >= 0),
    error          text,
    failed_at      timestamptz,
    failing_since  timestamptz,
    blocked_event  text,
    blocked_number bigint,
    blocked_events bigint,
    PRIMARY KEY (tenant, name, stream)
) WITH (fillfactor = 50);

-- What was done to subscriptions, by people and by the engine; also to those that are gone.
CREATE TABLE flowstone.subscription_deeds (
    tenant  text        NOT NULL,
    name    text        NOT NULL,
    done_at timestamptz NOT NULL,
    deed    text        NOT NULL CHECK (deed IN ('put', 'pause', 'resume', 'rewind', 'skip', 'break', 'remove')),
    actor   text        NOT NULL,
    detail  text        NOT NULL,
    reason  text        NOT NULL,
    PRIMARY KEY (tenant, name, done_at, deed)
);

CREATE TRIGGER deeds_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.subscription_deeds
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.subscription_deeds ENABLE ALWAYS TRIGGER deeds_are_for_ever;

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['subscriptions', 'subscription_cursors', 'subscription_deeds'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
    END LOOP;
END
$policies$;

GRANT SELECT, UPDATE (state, reason, changed_at, changed_by, revision) ON flowstone.subscriptions TO ${engine};
GRANT SELECT, UPDATE ON flowstone.subscription_cursors TO ${engine};
GRANT INSERT ON flowstone.subscription_deeds TO ${engine};
GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.subscriptions, flowstone.subscription_cursors TO ${api};
GRANT SELECT, INSERT ON flowstone.subscription_deeds TO ${api};

RESET ROLE;
