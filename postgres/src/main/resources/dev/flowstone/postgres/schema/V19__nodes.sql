-- Nodes that share shards say here that they are there, every third of the time that their word is good for. Who holds which
-- shard stands in heartbeats, and nowhere else: this only tells how many are to have some.

SET LOCAL ROLE ${owner};

-- address: where other nodes reach it. until: when it counts as gone, unless it says again that it is there.
CREATE TABLE flowstone.nodes (
    node    text        NOT NULL PRIMARY KEY CHECK (length(node) BETWEEN 1 AND 200),
    address text        NOT NULL CHECK (length(address) <= 200),
    release text        NOT NULL CHECK (length(release) <= 200),
    since   timestamptz NOT NULL,
    until   timestamptz NOT NULL
) WITH (fillfactor = 50);

GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.nodes TO ${engine};

RESET ROLE;
