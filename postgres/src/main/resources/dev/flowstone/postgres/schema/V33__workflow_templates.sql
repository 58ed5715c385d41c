-- Workflow templates, in versions that never change. Official ones belong to the tenant '*' and are read by all.

SET LOCAL ROLE ${owner};

-- edition: of the release that shipped it last; 0 if none did. bytes: of all its versions.
CREATE TABLE flowstone.workflow_templates (
    tenant     text        NOT NULL,
    id         text        NOT NULL,
    latest     integer     NOT NULL CHECK (latest > 0),
    enabled    boolean     NOT NULL,
    revision   bigint      NOT NULL CHECK (revision > 0),
    edition    integer     NOT NULL CHECK (edition >= 0),
    bytes      bigint      NOT NULL CHECK (bytes >= 0),
    created_at timestamptz NOT NULL,
    created_by text        NOT NULL,
    changed_at timestamptz NOT NULL,
    changed_by text        NOT NULL,
    PRIMARY KEY (tenant, id),
    CHECK (edition = 0 OR tenant = '*')
);

-- definition, config_schema: canonical JSON.
CREATE TABLE flowstone.workflow_template_versions (
    tenant        text        NOT NULL,
    id            text        NOT NULL,
    version       integer     NOT NULL CHECK (version > 0),
    display_name  text        NOT NULL,
    description   text        NOT NULL,
    category      text        NOT NULL,
    definition    bytea       NOT NULL,
    config_schema bytea       NOT NULL,
    thumbnail     text,
    author        text,
    tags          text[]      NOT NULL,
    created_at    timestamptz NOT NULL,
    created_by    text        NOT NULL,
    PRIMARY KEY (tenant, id, version),
    FOREIGN KEY (tenant, id) REFERENCES flowstone.workflow_templates (tenant, id)
);

CREATE TRIGGER written_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.workflow_template_versions
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.workflow_template_versions ENABLE ALWAYS TRIGGER written_is_for_ever;

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['workflow_templates', 'workflow_template_versions'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
        EXECUTE format('CREATE POLICY everybody ON flowstone.%I FOR SELECT TO ${api} USING (tenant = ''*'')', one);
    END LOOP;
END
$policies$;

GRANT SELECT, INSERT ON flowstone.workflow_templates, flowstone.workflow_template_versions TO ${api};
GRANT UPDATE (latest, enabled, revision, edition, bytes, changed_at, changed_by) ON flowstone.workflow_templates TO ${api};

RESET ROLE;
