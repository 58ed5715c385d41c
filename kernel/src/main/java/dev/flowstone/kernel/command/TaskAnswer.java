package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How one attempt of a task ended (R11). */
public sealed interface TaskAnswer {
    /**
     * It worked.
     *
     * @param links what it has made, or found, outside
     */
    record Ok(Payload output, List<ResourceLink> links) implements TaskAnswer {
        public Ok(Payload output) {
            this(output, List.of());
        }

        public Ok {
            requireNonNull(output);
            links = List.copyOf(links);
            if (links.size() > ResourceLink.MOST) {
                throw new IllegalArgumentException("an answer has at most " + ResourceLink.MOST + " links");
            }
        }
    }

    /** There was nothing to do: the activation is skipped, its edges are dead. */
    record Skipped(String reason) implements TaskAnswer {
        public Skipped {
            requireNonNull(reason);
        }
    }

    /**
     * It failed.
     *
     * @param retryAfter at least this long before another attempt; for {@link FailureClass#EXTERNAL_LIMIT}
     */
    record Failed(FailureClass failure, TaskError error, Optional<Duration> retryAfter) implements TaskAnswer {
        public Failed {
            requireNonNull(failure);
            requireNonNull(error);
            requireNonNull(retryAfter);
        }
    }

    /** It didn't answer within its timeout. Retryable; out of attempts, the outcome is {@code timeout}. */
    record TimedOut() implements TaskAnswer {}

    /** Its node died. Uses up the attempt; the next one follows without delay. */
    record Lost() implements TaskAnswer {}

    /** Its node shut down in good order and gave it back. Uses up nothing: the same attempt is dispatched again. */
    record Returned() implements TaskAnswer {}
}
