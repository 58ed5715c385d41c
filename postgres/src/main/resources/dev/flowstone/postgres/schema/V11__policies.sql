-- Published policies: versions that never change, the newest of which is the current one. The API's, one tenant at a time.

SET LOCAL ROLE ${owner};

CREATE TABLE flowstone.policies (
    tenant       text        NOT NULL,
    policy       text        NOT NULL,
    version      integer     NOT NULL CHECK (version > 0),
    bundle       bytea       NOT NULL,
    hash         bytea       NOT NULL CHECK (octet_length(hash) = 32),
    published_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, policy, version)
);

ALTER TABLE flowstone.policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE flowstone.policies FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON flowstone.policies TO ${api}
    USING (tenant = flowstone.current_tenant()) WITH CHECK (tenant = flowstone.current_tenant());

CREATE TRIGGER published_is_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.policies
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.policies ENABLE ALWAYS TRIGGER published_is_for_ever;

GRANT SELECT, INSERT ON flowstone.policies TO ${api};

RESET ROLE;
