package dev.flowstone.sdk.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What came of a call. */
public sealed interface ServerAnswer {
    /** It was done. */
    record Ok(JsonNode body) implements ServerAnswer {
        public Ok {
            requireNonNull(body);
        }
    }

    /**
     * The server said no.
     *
     * @param code the problem's, such as {@code CONFLICT}; {@code HTTP_} and the status if it gave none
     * @param category {@code retryable}, {@code permanent}, {@code policy_denied}, {@code external_limit}, {@code conflict}
     *     or {@code suspended}
     * @param retryAfter when it asks to be called again
     */
    record Refused(int status, String code, String category, String detail, Optional<Duration> retryAfter)
            implements ServerAnswer {
        public Refused {
            requireNonNull(code);
            requireNonNull(category);
            requireNonNull(detail);
            requireNonNull(retryAfter);
        }

        /** Whether the same call may succeed later. */
        public boolean passes() {
            return category.equals("retryable") || category.equals("external_limit") || category.equals("suspended");
        }
    }

    /** Nobody knows what became of it: the server can't be reached, or was cut off in mid-answer. */
    record Silence(String why) implements ServerAnswer {
        public Silence {
            requireNonNull(why);
        }
    }
}
