-- Timers in the order of their time, for questions about time only. The predicate is true of every row, and nothing but a bound on
-- due_at implies it, so that a timer that is looked for by its name is looked for in the key. It wasn't always: where the table looks
-- empty and a report keeps a snapshot open, the planner holds both indexes for equal and took the smaller one, and each timer that
-- went was found behind all that had gone before it. The release before asks with a bound on due_at, too.

SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

DROP INDEX flowstone.timers_due;
CREATE INDEX timers_due ON flowstone.timers (due_at, tenant, run_id, timer_id) WHERE due_at IS NOT NULL;

RESET ROLE;
