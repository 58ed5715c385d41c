-- A run may change to another program of its workflow: its row tells the new one in the commit that makes it so.

SET LOCAL ROLE ${owner};

-- Called on the reply of the commit, in its statement and so in its transaction, after the runs have moved.
CREATE FUNCTION flowstone.commit_programs(moved integer[], programs jsonb) RETURNS boolean
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
AS $$
#variable_conflict error
BEGIN
    IF programs IS NULL THEN
        RETURN false;
    END IF;
    UPDATE flowstone.runs r
    SET version = u.version, program = decode(u.program, 'hex')
    FROM jsonb_to_recordset(programs) AS u (move integer, tenant text, run_id uuid, version integer, program text)
    WHERE r.tenant = u.tenant AND r.run_id = u.run_id
      AND (commit_programs.moved IS NULL OR u.move = ANY (commit_programs.moved));
    RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION flowstone.commit_programs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.commit_programs TO ${engine};

RESET ROLE;
