package dev.flowstone.server.config;

/**
 * What a node makes of the catalog (dataflow.md §10.4).
 *
 * @param draftExecution whether drafts may be run
 * @param registersActions whether it tells the catalog what it has
 * @param refusesSchemas whether it doesn't start with an action whose schema can't be used
 */
public record CatalogConfig(boolean draftExecution, boolean registersActions, boolean refusesSchemas) {}
