package dev.flowstone.server.cli;

import java.util.List;
import java.util.Map;

/** A command that has commands of its own, which speak to a running server. */
interface Group {
    /** Those that are one call each. */
    List<Verb> verbs();

    /** The others, by name. */
    default Map<String, Object> commands(Terminal terminal) {
        return Map.of();
    }
}
