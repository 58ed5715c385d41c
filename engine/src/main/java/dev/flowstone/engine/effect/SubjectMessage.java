package dev.flowstone.engine.effect;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;

/**
 * Word to a run that somebody else has changed its subject, as an inbox message of kind {@value #KIND}:
 * {@code {"version": 6}}.
 */
public record SubjectMessage(long version) {
    public static final String KIND = "subject-changed";

    /** Once for each version. */
    public InboxKey key(RunKey run) {
        return new InboxKey(run.tenant(), "subject", run.run() + "/" + version);
    }

    public JsonObject content() {
        return JsonObject.builder().put("version", version).build();
    }

    /**
     * Reads {@link #content}.
     *
     * @throws IllegalArgumentException if it isn't of this form
     */
    public static SubjectMessage read(JsonObject content) {
        return new SubjectMessage(JsonCursor.of(content).longValue("version"));
    }
}
