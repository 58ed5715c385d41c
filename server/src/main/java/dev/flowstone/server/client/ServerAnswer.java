package dev.flowstone.server.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.OptionalLong;

/** What became of a call. */
public sealed interface ServerAnswer {
    /**
     * It was done.
     *
     * @param body empty if there was nothing to say
     * @param revision of what was told or changed ({@code ETag}), if it has one
     */
    record Done(JsonObject body, OptionalLong revision) implements ServerAnswer {
        public Done {
            requireNonNull(body);
            requireNonNull(revision);
        }

        public Done(JsonObject body) {
            this(body, OptionalLong.empty());
        }
    }

    /** The server said no; the body is a problem (RFC 9457). */
    record Refused(int status, JsonObject problem) implements ServerAnswer {
        public Refused {
            requireNonNull(problem);
        }
    }

    /**
     * Nobody answered, or nobody who speaks as Flowstone does. A change may have happened all the same.
     *
     * @param reason for people
     */
    record Silent(String reason) implements ServerAnswer {
        public Silent {
            requireNonNull(reason);
        }
    }
}
