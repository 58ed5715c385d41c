-- The catalog: which connectors and actions nodes have, in which versions, and what operators have turned off.
--
-- It is the deployment's, not a tenant's: the engine's role writes it, and the API's reads it for all tenants alike.

SET LOCAL ROLE ${owner};

-- config_schema: canonical JSON.
CREATE TABLE flowstone.catalog_connectors (
    id                text        NOT NULL,
    version           text        NOT NULL CHECK (version ~ '^\d+\.\d+\.\d+$'),
    display_name      text        NOT NULL,
    description       text        NOT NULL,
    icon_url          text,
    documentation_url text,
    enabled           boolean     NOT NULL,
    requires_auth     boolean     NOT NULL,
    auth_type         text,
    config_schema     bytea,
    capabilities      text[]      NOT NULL,
    created_at        timestamptz NOT NULL,
    PRIMARY KEY (id, version)
);

-- parameter_schema, output_schema: canonical JSON.
CREATE TABLE flowstone.catalog_actions (
    id               text        NOT NULL,
    version          text        NOT NULL CHECK (version ~ '^\d+\.\d+\.\d+$'),
    connector        text        NOT NULL,
    display_name     text        NOT NULL,
    description      text        NOT NULL,
    category         text        NOT NULL,
    tags             text[]      NOT NULL,
    parameter_schema bytea       NOT NULL,
    output_schema    bytea       NOT NULL,
    enabled          boolean     NOT NULL,
    deprecation      text,
    deprecated_since text,
    created_at       timestamptz NOT NULL,
    PRIMARY KEY (id, version)
);

-- Nodes that said what they have, and when they were last there.
CREATE TABLE flowstone.catalog_nodes (
    node    text        NOT NULL PRIMARY KEY,
    seen_at timestamptz NOT NULL
);

CREATE TABLE flowstone.catalog_offers (
    node    text NOT NULL REFERENCES flowstone.catalog_nodes (node) ON DELETE CASCADE,
    kind    text NOT NULL CHECK (kind IN ('ACTION', 'CONNECTOR')),
    id      text NOT NULL,
    version text NOT NULL,
    PRIMARY KEY (node, kind, id)
);

CREATE INDEX catalog_offers_id ON flowstone.catalog_offers (kind, id, version);

-- A change is a row that is never changed again; the newest row of an id says whether it is on.
CREATE TABLE flowstone.catalog_switches (
    kind        text        NOT NULL CHECK (kind IN ('ACTION', 'CONNECTOR')),
    id          text        NOT NULL,
    revision    bigint      NOT NULL CHECK (revision > 0),
    is_on       boolean     NOT NULL,
    reason      text,
    switched_at timestamptz NOT NULL,
    switched_by text        NOT NULL,
    PRIMARY KEY (kind, id, revision)
);

-- What was ever turned off: the newest of an id says whether it still is.
CREATE INDEX catalog_switches_off ON flowstone.catalog_switches (kind, id, revision) WHERE NOT is_on;

CREATE TRIGGER switches_are_for_ever BEFORE UPDATE OR DELETE OR TRUNCATE ON flowstone.catalog_switches
    FOR EACH STATEMENT EXECUTE FUNCTION flowstone.refuse_change();
ALTER TABLE flowstone.catalog_switches ENABLE ALWAYS TRIGGER switches_are_for_ever;

GRANT SELECT, INSERT, UPDATE, DELETE ON flowstone.catalog_connectors, flowstone.catalog_actions, flowstone.catalog_nodes TO ${engine};
GRANT SELECT, INSERT, DELETE ON flowstone.catalog_offers TO ${engine};
GRANT SELECT, INSERT ON flowstone.catalog_switches TO ${engine};
GRANT SELECT ON flowstone.catalog_connectors, flowstone.catalog_actions, flowstone.catalog_nodes, flowstone.catalog_offers,
    flowstone.catalog_switches TO ${api};

RESET ROLE;
