-- The lifecycle of definitions holds in the database too, whatever comes to write; and a draft goes with the versions that were
-- staged for it and never came into use.
--
-- flowstone.dropping says that a draft is being dropped: without it, a version is for ever; with it, one of a workflow that has
-- ever been active still is.

SET LOCAL lock_timeout = '30s'; -- others queue behind whoever waits
SET LOCAL ROLE ${owner};

ALTER TABLE flowstone.workflows ADD CONSTRAINT lifecycle CHECK (
    CASE status
        WHEN 'DRAFT' THEN current_version = 0 AND draft IS NOT NULL
        WHEN 'ACTIVE' THEN current_version > 0
        ELSE current_version > 0 AND NOT enabled
    END);

CREATE FUNCTION flowstone.guard_workflow() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    fault text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        fault := CASE
            WHEN OLD.status <> 'DRAFT' THEN 'it has been active, and stays'
            WHEN EXISTS (SELECT FROM flowstone.workflow_versions v
                         WHERE v.tenant = OLD.tenant AND v.workflow = OLD.workflow) THEN 'its versions would be left behind'
        END;
    ELSE
        fault := CASE
            WHEN (NEW.tenant, NEW.workflow) IS DISTINCT FROM (OLD.tenant, OLD.workflow) THEN 'it would be another one'
            WHEN NEW.revision <> OLD.revision + 1 THEN 'its revision counts every change'
            WHEN NEW.status <> OLD.status AND (OLD.status, NEW.status)
                NOT IN (('DRAFT', 'ACTIVE'), ('ACTIVE', 'ARCHIVED'), ('ARCHIVED', 'ACTIVE'))
                THEN format('it goes from %s to %s never', OLD.status, NEW.status)
            WHEN NEW.latest_version < OLD.latest_version THEN 'its versions are never fewer'
            WHEN 'ARCHIVED' IN (OLD.status, NEW.status)
                AND ((NEW.current_version, NEW.latest_version) IS DISTINCT FROM (OLD.current_version, OLD.latest_version)
                     OR (NEW.draft IS NOT NULL AND NEW.draft IS DISTINCT FROM OLD.draft))
                THEN 'what is archived takes no draft and no version'
        END;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION USING
            ERRCODE = 'restrict_violation',
            MESSAGE = format('%s of workflow %L is refused: %s', TG_OP, OLD.workflow, fault);
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;

CREATE TRIGGER lifecycle BEFORE UPDATE OR DELETE ON flowstone.workflows
    FOR EACH ROW EXECUTE FUNCTION flowstone.guard_workflow();
CREATE TRIGGER lifecycle_of_all BEFORE TRUNCATE ON flowstone.workflows
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();

-- At the end of the transaction, which writes the row before its version.
CREATE FUNCTION flowstone.guard_versions_there() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    missing integer;
BEGIN
    SELECT n.number INTO missing
    FROM (VALUES (NEW.current_version), (NEW.latest_version)) AS n (number)
    WHERE n.number > 0
      AND NOT EXISTS (SELECT FROM flowstone.workflow_versions v
                      WHERE v.tenant = NEW.tenant AND v.workflow = NEW.workflow AND v.version = n.number)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION USING
            ERRCODE = 'foreign_key_violation',
            MESSAGE = format('workflow %L points at version %s, which isn''t there', NEW.workflow, missing);
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER versions_are_there AFTER INSERT OR UPDATE ON flowstone.workflows
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION flowstone.guard_versions_there();

CREATE FUNCTION flowstone.guard_staged() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF coalesce(current_setting('flowstone.dropping', true), '') <> 'on' THEN
        RAISE EXCEPTION USING
            ERRCODE = 'restrict_violation',
            MESSAGE = format('DELETE of %I.%I is refused: it stays as it was written', TG_TABLE_SCHEMA, TG_TABLE_NAME);
    END IF;
    IF TG_LEVEL = 'ROW' AND NOT EXISTS (
            SELECT FROM flowstone.workflows w
            WHERE w.tenant = OLD.tenant AND w.workflow = OLD.workflow AND w.status = 'DRAFT') THEN
        RAISE EXCEPTION USING
            ERRCODE = 'restrict_violation',
            MESSAGE = format('version %s of workflow %L stays: the workflow has been active', OLD.version, OLD.workflow);
    END IF;
    RETURN OLD;
END
$$;

DROP TRIGGER published_is_for_ever ON flowstone.workflow_versions;
CREATE TRIGGER published_is_for_ever BEFORE UPDATE OR TRUNCATE ON flowstone.workflow_versions
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
CREATE TRIGGER staged_goes_with_its_draft BEFORE DELETE ON flowstone.workflow_versions
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.guard_staged();
CREATE TRIGGER active_never_goes BEFORE DELETE ON flowstone.workflow_versions
    FOR EACH ROW EXECUTE FUNCTION flowstone.guard_staged();

DO $always$
DECLARE
    one     record;
    guarded text;
BEGIN
    FOR one IN VALUES ('workflows', 'lifecycle'), ('workflows', 'lifecycle_of_all'), ('workflows', 'versions_are_there'),
                      ('workflow_versions', 'published_is_for_ever'),
                      ('workflow_versions', 'staged_goes_with_its_draft'), ('workflow_versions', 'active_never_goes') LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ALWAYS TRIGGER %I', one.column1, one.column2);
    END LOOP;
    FOREACH guarded IN ARRAY ARRAY['workflows', 'workflow_versions', 'runs'] LOOP
        EXECUTE format(
            'CREATE POLICY drop_draft ON flowstone.%I FOR %s TO ${owner} '
            'USING (current_setting(''flowstone.dropping'', true) = ''on'' AND tenant = current_setting(''flowstone.tenant'', true))',
            guarded, CASE guarded WHEN 'runs' THEN 'SELECT' ELSE 'ALL' END);
    END LOOP;
END
$always$;

-- Removes a draft of the transaction's tenant that is at this revision, and the versions staged for it, of which no run knows.
-- Programs stay: others may have the same. False where it isn't so, or a run of the draft may have moved to one of them.
CREATE FUNCTION flowstone.drop_draft(dropped text, at_revision bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    of_tenant text := flowstone.current_tenant();
    staged    integer;
    gone      boolean;
BEGIN
    PERFORM set_config('flowstone.dropping', 'on', true);
    SELECT w.latest_version INTO staged
    FROM flowstone.workflows w
    WHERE w.tenant = of_tenant AND w.workflow = dropped AND w.revision = at_revision AND w.status = 'DRAFT'
    FOR UPDATE;
    gone := FOUND AND (staged = 0 OR NOT EXISTS (
        SELECT FROM flowstone.runs r WHERE r.tenant = of_tenant AND r.workflow = dropped));
    IF gone THEN
        DELETE FROM flowstone.workflow_versions v WHERE v.tenant = of_tenant AND v.workflow = dropped;
        DELETE FROM flowstone.workflows w WHERE w.tenant = of_tenant AND w.workflow = dropped;
    END IF;
    PERFORM set_config('flowstone.dropping', '', true);
    RETURN gone;
END
$$;

REVOKE ALL ON FUNCTION flowstone.drop_draft FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flowstone.drop_draft TO ${api};

RESET ROLE;
