-- How old a release may be that works on this schema: the number of the newest migration that it knows. Nodes of a release are
-- replaced one by one, and a release is taken back without its schema, so that an older node has to know whether it may go on.
-- A migration that an older release can't work with raises this in the same transaction.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.compatibility (
    one   boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
    least integer NOT NULL CHECK (least > 0)
);

INSERT INTO flowstone.compatibility (least) VALUES (19);

GRANT SELECT ON flowstone.compatibility TO PUBLIC;

RESET ROLE;
