package dev.flowstone.engine.workflow;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * An event trigger that a definition declares: it is there while a version that declares it is the current one.
 *
 * @param name unique in the workflow
 * @param config of event triggers' form
 * @param condition under which it starts something; empty for always
 */
public record OwnTrigger(String name, JsonObject config, Optional<String> condition) {
    /** Of one workflow. */
    public static final int MOST = 100;

    public OwnTrigger {
        requireNonNull(name);
        requireNonNull(config);
        requireNonNull(condition);
    }
}
