-- When schedule triggers are due, and the ticks that were claimed and not yet settled. Both go with their trigger.

SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

-- due: the first tick that was not seen to; null if that is to be counted from since. look_at: when the owner of the slot looks at it;
-- later than due while it doesn't fire. turn: another one after each change, by whoever.
CREATE TABLE flowstone.trigger_schedules (
    tenant     text        NOT NULL,
    trigger_id uuid        NOT NULL,
    slot       smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    due        timestamptz,
    since      timestamptz NOT NULL,
    look_at    timestamptz NOT NULL,
    turn       bigint      NOT NULL,
    PRIMARY KEY (tenant, trigger_id),
    FOREIGN KEY (tenant, trigger_id) REFERENCES flowstone.triggers (tenant, id) ON DELETE CASCADE
);

-- By time, since few are due; the slot tells an owner without reading the row that it is another's.
CREATE INDEX trigger_schedules_look_at ON flowstone.trigger_schedules (look_at, slot);

-- id: of the delivery. slot: of its start. first_try: when it was put off first. It is no column of the deliveries, since an index that knows which are open would make each
-- delivery of a webhook dearer.
CREATE TABLE flowstone.trigger_ticks (
    tenant     text        NOT NULL,
    trigger_id uuid        NOT NULL,
    id         uuid        NOT NULL,
    slot       smallint    NOT NULL CHECK (slot BETWEEN 0 AND 4095),
    tick       timestamptz NOT NULL,
    claimed_at timestamptz NOT NULL,
    try_at     timestamptz NOT NULL,
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    first_try  timestamptz CHECK ((first_try IS NULL) = (tries = 0)),
    PRIMARY KEY (tenant, trigger_id, id),
    FOREIGN KEY (tenant, trigger_id) REFERENCES flowstone.trigger_schedules (tenant, trigger_id) ON DELETE CASCADE
);

CREATE INDEX trigger_ticks_try_at ON flowstone.trigger_ticks (try_at, slot);

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['trigger_schedules', 'trigger_ticks'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY engine ON flowstone.%I TO ${engine} USING (true) WITH CHECK (true)', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
    END LOOP;
END
$policies$;

GRANT SELECT, UPDATE (due, look_at, turn) ON flowstone.trigger_schedules TO ${engine};
GRANT SELECT, INSERT, DELETE, UPDATE (try_at, tries, first_try) ON flowstone.trigger_ticks TO ${engine};
GRANT SELECT, INSERT, UPDATE (due, since, look_at, turn) ON flowstone.trigger_schedules TO ${api};

-- A workflow that takes executions (again) has its schedules looked at, which count from now on. Whether they fire is still read, each
-- time: this only wakes who reads.
CREATE FUNCTION flowstone.wake_schedules() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE flowstone.trigger_schedules s
    SET since = clock_timestamp(), look_at = clock_timestamp(), turn = s.turn + 1
    FROM (SELECT w.tenant, w.trigger_id
          FROM flowstone.trigger_schedules w
          JOIN flowstone.triggers t ON t.tenant = w.tenant AND t.id = w.trigger_id
          WHERE t.tenant = NEW.tenant AND t.workflow = NEW.workflow
          ORDER BY w.tenant, w.trigger_id
          FOR NO KEY UPDATE OF w) AS mine
    WHERE s.tenant = mine.tenant AND s.trigger_id = mine.trigger_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER schedules_wake AFTER UPDATE ON flowstone.workflows
    FOR EACH ROW
    WHEN (NEW.status = 'ACTIVE' AND NEW.enabled AND NOT (OLD.status = 'ACTIVE' AND OLD.enabled))
    EXECUTE FUNCTION flowstone.wake_schedules();

RESET ROLE;
