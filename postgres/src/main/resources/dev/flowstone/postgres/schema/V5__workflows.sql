-- Definitions: drafts that may change, versions and programs that never do. The API's, one tenant at a time.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.workflows (
    tenant          text        NOT NULL,
    workflow        text        NOT NULL,
    display_name    text        NOT NULL,
    description     text,
    status          text        NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'ARCHIVED')),
    enabled         boolean     NOT NULL,
    current_version integer     NOT NULL CHECK (current_version >= 0),
    latest_version  integer     NOT NULL CHECK (latest_version >= current_version),
    draft           bytea,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    revision        bigint      NOT NULL CHECK (revision > 0),
    PRIMARY KEY (tenant, workflow)
);

CREATE TABLE flowstone.workflow_versions (
    tenant       text        NOT NULL,
    workflow     text        NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    source       bytea       NOT NULL,
    checksum     bytea       NOT NULL CHECK (octet_length(checksum) = 32),
    program      bytea       NOT NULL CHECK (octet_length(program) = 32),
    published_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, workflow, version)
);

CREATE INDEX workflow_versions_checksum ON flowstone.workflow_versions (tenant, workflow, checksum);

CREATE TABLE flowstone.programs (
    tenant text  NOT NULL,
    hash   bytea NOT NULL CHECK (octet_length(hash) = 32),
    bytes  bytea NOT NULL,
    PRIMARY KEY (tenant, hash)
);

DO $shut$
DECLARE
    tenant_table text;
BEGIN
    FOREACH tenant_table IN ARRAY ARRAY['workflows', 'workflow_versions', 'programs'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', tenant_table);
        EXECUTE format(
            'CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
            'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())',
            tenant_table);
    END LOOP;
    FOREACH tenant_table IN ARRAY ARRAY['workflow_versions', 'programs'] LOOP
        EXECUTE format('CREATE TRIGGER published_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.%I '
                       'FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change()', tenant_table);
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ALWAYS TRIGGER published_is_for_ever', tenant_table);
    END LOOP;
END
$shut$;

GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.workflows TO ${api};
GRANT SELECT, INSERT ON flowstone.workflow_versions, flowstone.programs TO ${api};

RESET ROLE;
