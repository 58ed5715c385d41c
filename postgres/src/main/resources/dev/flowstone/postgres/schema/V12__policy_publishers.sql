-- Who published a version of a policy stands beside it, as kind:id, from now on. What was published before names nobody, and
-- may be longer than is taken now: it stays as it was.

SET LOCAL ROLE ${owner};

ALTER TABLE flowstone.policies
    ADD COLUMN published_by text,
    ADD CONSTRAINT policies_published_by_somebody CHECK (published_by IS NOT NULL AND published_by <> '') NOT VALID,
    ADD CONSTRAINT policies_bundle_bounded CHECK (octet_length(bundle) <= 65536) NOT VALID;

RESET ROLE;
