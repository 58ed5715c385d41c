-- Document templates: sets, and templates in versions that never change. What belongs to the tenant '*' is read by all.

SET LOCAL ROLE ${owner};

-- bytes: of all versions of its templates.
CREATE TABLE flowstone.template_sets (
    tenant       text        NOT NULL,
    id           text        NOT NULL,
    display_name text        NOT NULL,
    team         text        NOT NULL,
    enabled      boolean     NOT NULL,
    revision     bigint      NOT NULL CHECK (revision > 0),
    created_at   timestamptz NOT NULL,
    created_by   text        NOT NULL,
    changed_at   timestamptz NOT NULL,
    changed_by   text        NOT NULL,
    bytes        bigint      NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (tenant, id)
);

CREATE TABLE flowstone.templates (
    tenant text    NOT NULL,
    set_id text    NOT NULL,
    id     text    NOT NULL,
    latest integer NOT NULL CHECK (latest > 0),
    PRIMARY KEY (tenant, set_id, id),
    FOREIGN KEY (tenant, set_id) REFERENCES flowstone.template_sets (tenant, id)
);

-- Some callers know the template and not its set.
CREATE INDEX templates_id ON flowstone.templates (tenant, id, set_id);

-- fields: canonical JSON.
CREATE TABLE flowstone.template_versions (
    tenant       text        NOT NULL,
    set_id       text        NOT NULL,
    id           text        NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    display_name text        NOT NULL,
    format       text        NOT NULL CHECK (format IN ('text', 'html')),
    fields       bytea       NOT NULL,
    body         text        NOT NULL,
    help         text,
    created_at   timestamptz NOT NULL,
    created_by   text        NOT NULL,
    PRIMARY KEY (tenant, set_id, id, version),
    FOREIGN KEY (tenant, set_id, id) REFERENCES flowstone.templates (tenant, set_id, id)
);

-- Versions that may not be rendered: a version's own row stays as it was written.
CREATE TABLE flowstone.template_versions_off (
    tenant  text        NOT NULL,
    set_id  text        NOT NULL,
    id      text        NOT NULL,
    version integer     NOT NULL,
    off_at  timestamptz NOT NULL,
    off_by  text        NOT NULL,
    PRIMARY KEY (tenant, set_id, id, version),
    FOREIGN KEY (tenant, set_id, id, version) REFERENCES flowstone.template_versions (tenant, set_id, id, version)
);

CREATE TRIGGER written_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.template_versions
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.template_versions ENABLE ALWAYS TRIGGER written_is_for_ever;

DO $policies$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY['template_sets', 'templates', 'template_versions', 'template_versions_off'] LOOP
        EXECUTE format('ALTER TABLE flowstone.%I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE flowstone.%I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY one_tenant ON flowstone.%I TO ${api} '
                       'USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant())', one);
        EXECUTE format('CREATE POLICY everybody ON flowstone.%I FOR SELECT TO ${api} USING (tenant = ''*'')', one);
    END LOOP;
END
$policies$;

GRANT SELECT, INSERT ON flowstone.template_sets, flowstone.templates, flowstone.template_versions TO ${api};
GRANT UPDATE (display_name, team, enabled, revision, changed_at, changed_by, bytes) ON flowstone.template_sets TO ${api};
-- One that has templates is held by their rows.
GRANT DELETE ON flowstone.template_sets TO ${api};
GRANT UPDATE (latest) ON flowstone.templates TO ${api};
GRANT SELECT, INSERT, DELETE ON flowstone.template_versions_off TO ${api};

RESET ROLE;
