-- A run of a draft follows a program that no version has: its version is 0. Rows that are there met the stricter rule and
-- are not read again.

SET LOCAL ROLE ${owner};

ALTER TABLE flowstone.runs
    DROP CONSTRAINT runs_version_check,
    ADD CONSTRAINT runs_version_check CHECK (version >= 0) NOT VALID;

RESET ROLE;
