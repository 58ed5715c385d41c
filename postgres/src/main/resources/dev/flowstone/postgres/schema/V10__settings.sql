-- What operators set for whole scopes: the system, a tenant, a tenant's workflow.
--
-- A change is a row that is never changed again; the newest row of a scope is its setting. Writers take a lock, so that
-- numbers are gapless and in the order of commits: a reader that has seen one has seen all before it. Only the engine's
-- role comes here: a setting of the system is nobody's tenant's, and a tenant's is asked for through the engine.

SET LOCAL ROLE ${owner};

-- time_to_live: of a drain, in microseconds; else 0.
CREATE TABLE flowstone.settings (
    number       bigint      NOT NULL PRIMARY KEY CHECK (number > 0),
    set_at       timestamptz NOT NULL,
    tenant       text,
    workflow     text,
    mode         text        NOT NULL CHECK (mode IN ('GO', 'DRAIN', 'SUSPEND', 'CLEAR')),
    timers       text        NOT NULL CHECK (timers IN ('FREEZE', 'CATCH_UP')),
    input        text        NOT NULL CHECK (input IN ('BUFFER', 'REJECT')),
    time_to_live bigint      NOT NULL CHECK (time_to_live >= 0),
    reason       text        NOT NULL,
    actor        text        NOT NULL,
    CHECK (workflow IS NULL OR tenant IS NOT NULL),
    CHECK (mode = 'DRAIN' OR time_to_live = 0)
);

CREATE TRIGGER settings_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.settings
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.settings ENABLE ALWAYS TRIGGER settings_are_for_ever;

ALTER TABLE flowstone.settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE flowstone.settings FORCE ROW LEVEL SECURITY;
CREATE POLICY engine ON flowstone.settings TO ${engine} USING (true) WITH CHECK (true);

-- How far each shard heeds them, in its holder's word; of another epoch than the heartbeat's it says nothing.
CREATE TABLE flowstone.setting_acks (
    shard    integer     NOT NULL PRIMARY KEY,
    epoch    bigint      NOT NULL CHECK (epoch >= 0),
    number   bigint      NOT NULL CHECK (number > 0),
    acked_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- By this a shard finds the runs that a scope has held, when the scope is let go. Nothing is in it as long as nothing is held.
CREATE INDEX timers_held ON flowstone.timers (tenant, run_id) INCLUDE (slot) WHERE timer_id = 'hold';

GRANT SELECT, INSERT ON flowstone.settings TO ${engine};
GRANT SELECT, INSERT, UPDATE ON flowstone.setting_acks TO ${engine};

RESET ROLE;
