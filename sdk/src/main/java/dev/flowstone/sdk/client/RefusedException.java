package dev.flowstone.sdk.client;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The server, or what stands in between, has said no to the last attempt. What was asked may be done all the same if an attempt
 * before it got no answer, or by a refusal of 5xx: {@link #mayBeDone} says so.
 */
public final class RefusedException extends FlowstoneException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Category category;
    private final transient List<Fault> faults;
    private final transient JsonNode problem;
    private final @Nullable Duration retryAfter;

    RefusedException(
            Said said,
            String message,
            Category category,
            List<Fault> faults,
            JsonNode problem,
            Optional<Duration> retryAfter) {
        super(said, message, null);
        this.category = category;
        this.faults = List.copyOf(faults);
        this.problem = problem;
        this.retryAfter = retryAfter.orElse(null);
    }

    /** What is to be done about a refusal. */
    public enum Category {
        /** Trying again may help. */
        RETRYABLE,
        /** It won't: the call is wrong as it is. */
        PERMANENT,
        /** Somebody forbids it. */
        POLICY_DENIED,
        /** Too much at once, or over quota: later. */
        EXTERNAL_LIMIT,
        /** It doesn't fit the present state: read, and decide again. */
        CONFLICT,
        /** Its execution, workflow or tenant is suspended. */
        SUSPENDED,
        /** One that this release of the library doesn't know. */
        UNKNOWN
    }

    public Category category() {
        return category;
    }

    /** What is wrong with what was sent, each with a pointer into it; empty if the refusal isn't about that. */
    public List<Fault> faults() {
        return faults == null ? List.of() : faults;
    }

    /** The whole refusal (RFC 9457), with members that only some have; empty if it had no such form. */
    public JsonNode problem() {
        return problem == null ? JsonNodeFactory.instance.objectNode() : problem;
    }

    /** When the server asks to be called again. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public boolean isRetryable() {
        return category == Category.RETRYABLE || category == Category.EXTERNAL_LIMIT || category == Category.SUSPENDED;
    }
}
