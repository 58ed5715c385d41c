package dev.flowstone.dialect.dag.definition;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The properties of each kind of object in the format, as dataflow.md §4.1 lists them. */
enum Format {
    WORKFLOW(
            "a workflow",
            "the workflow",
            "$schema",
            "id",
            "displayName",
            "description",
            "startNode",
            "triggerSchema",
            "settings",
            "nodes"),
    NODE(
            "a node",
            "a node of 'nodes'",
            "id",
            "nodeType",
            "actionType",
            "workflowId",
            "workflowVersion",
            "waitForCompletion",
            "parameters",
            "onFailure",
            "routePolicy",
            "policies",
            "edges"),
    EDGE("an edge", "an edge of 'edges'", "targetNode", "when", "condition"),
    POLICIES("'policies'", "'policies'", "timeoutMs", "rerenderOnRetry", "retry"),
    RETRY("'retry'", "'policies.retry'", "maxAttempts", "baseDelayMs", "backoffFactor", "jitter"),
    SETTINGS("'settings'", "'settings'", "timeoutMs", "maxParallelActions", "context"),
    CONTEXT("'context'", "'settings.context'", "snapshot", "keys", "maxBytes", "overflow");

    private static final Map<String, Format> HOME = homes();

    private final String title;
    private final String place;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker sees only its interface
    private final List<String> properties;

    Format(String title, String place, String... properties) {
        this.title = title;
        this.place = place;
        this.properties = List.of(properties);
    }

    String title() {
        return title;
    }

    String place() {
        return place;
    }

    List<String> properties() {
        return properties;
    }

    /** The kind of object that does have this property, which stands in one of this kind; of several, the outermost. */
    Optional<Format> home(String property) {
        return this == WORKFLOW && SETTINGS.properties.contains(property)
                ? Optional.of(SETTINGS)
                : Optional.ofNullable(HOME.get(property));
    }

    private static Map<String, Format> homes() {
        Map<String, Format> homes = new LinkedHashMap<>();
        for (Format format : values()) {
            for (String property : format.properties) {
                homes.putIfAbsent(property, format);
            }
        }
        return Map.copyOf(homes);
    }
}
