-- Since when somebody has held a snapshot of this database, or a transaction that keeps what everybody else has deleted. The engine's
-- role may not see others' sessions, and needs no more than this one time of them: the owner, as whom nobody logs in, may
-- look, where whoever migrates may let it.

DO $look$
BEGIN
    IF NOT pg_has_role('${owner}', 'pg_read_all_stats', 'USAGE') THEN
        GRANT pg_read_all_stats TO ${owner};
    END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'the age of the oldest snapshot stays unknown: grant pg_read_all_stats to ${owner} to know it';
    WHEN unique_violation OR internal_error THEN
        NULL; -- another database of this server was faster
END
$look$;

SET LOCAL ROLE ${owner};

-- known: whether it may look at all. since: empty if nobody holds one. Sessions that vacuum hold nothing back.
CREATE FUNCTION flowstone.oldest_snapshot(OUT known boolean, OUT since timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE'),
           least((SELECT min(a.xact_start) FROM pg_stat_activity a
                  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
                    AND a.backend_type = 'client backend'
                    AND a.pid NOT IN (SELECT v.pid FROM pg_stat_progress_vacuum v) AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)),
                 (SELECT min(p.prepared) FROM pg_prepared_xacts p WHERE p.database = current_database()))
$$;

REVOKE ALL ON FUNCTION flowstone.oldest_snapshot FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.oldest_snapshot TO ${engine};

RESET ROLE;
