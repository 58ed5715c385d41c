-- Nodes of a release that knows no publisher go on publishing beside nodes of this one until they are replaced: what they
-- publish names nobody, as what was published before V12. Whoever names a publisher still has to name somebody.

SET LOCAL ROLE ${owner};

ALTER TABLE flowstone.policies
    DROP CONSTRAINT policies_published_by_somebody,
    ADD CONSTRAINT policies_published_by_somebody CHECK (published_by <> '') NOT VALID;

RESET ROLE;
