-- Calls from node to node, for when one can't reach the other: one leaves its call here, the other takes it and leaves the answer.
-- What they hold is the nodes' own. Rows are few and gone within a minute.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.posted_calls (
    call   uuid        NOT NULL PRIMARY KEY,
    node   text        NOT NULL CHECK (length(node) BETWEEN 1 AND 200),
    until  timestamptz NOT NULL,
    taken  boolean     NOT NULL DEFAULT false,
    asked  bytea       NOT NULL,
    answer bytea
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

CREATE INDEX posted_calls_waiting ON flowstone.posted_calls (node, until) WHERE NOT taken;
CREATE INDEX posted_calls_over ON flowstone.posted_calls (until);

GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.posted_calls TO ${engine};

RESET ROLE;
