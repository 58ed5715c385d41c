-- Who may do what. Run by a user that may create roles; everything else belongs to the owner role.
--
--   ${owner}   owns schema and tables; nobody logs in as it
--   ${engine}  the journal's tables, all tenants; not owner, not superuser, not BYPASSRLS
--   ${api}     one tenant in each transaction, by set_config('flowstone.tenant', …, true)
--
-- The roles get LOGIN and a password outside of the migrations, where no log shows it.

DO $roles$
DECLARE
    missing text;
BEGIN
    FOREACH missing IN ARRAY ARRAY['${owner}', '${engine}', '${api}'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = missing) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOLOGIN', missing);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- another database of this server was faster
            END;
        END IF;
    END LOOP;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        EXECUTE format('GRANT %I TO CURRENT_USER', '${owner}');
    END IF;
END
$roles$;

GRANT USAGE, CREATE ON SCHEMA flowstone TO ${owner};
GRANT USAGE ON SCHEMA flowstone TO ${engine}, ${api};

-- Bounds and plans for whoever logs in as these roles. Nothing that must hold relies on them: correctness is in the
-- statements. The engine only ever looks up keys; a plan that was made while a table was empty must not become a scan.
ALTER ROLE ${engine} SET statement_timeout = '60s';
ALTER ROLE ${engine} SET lock_timeout = '10s';
ALTER ROLE ${engine} SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE ${engine} SET enable_seqscan = off;
ALTER ROLE ${engine} SET enable_hashjoin = off;
ALTER ROLE ${engine} SET enable_mergejoin = off;
ALTER ROLE ${engine} SET jit = off;
ALTER ROLE ${api} SET statement_timeout = '30s';
ALTER ROLE ${api} SET lock_timeout = '5s';
ALTER ROLE ${api} SET idle_in_transaction_session_timeout = '60s';
