package dev.flowstone.action;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How an attempt ended (dataflow.md §7.4). */
public sealed interface ActionResult<O> {
    /**
     * It is done.
     *
     * @param links what it has made, or found, outside, and that there is once in a tenant
     */
    record Succeeded<O>(O outputs, List<ResourceLink> links) implements ActionResult<O> {
        public Succeeded {
            requireNonNull(outputs);
            links = List.copyOf(links);
        }
    }

    /** There was nothing to do: the node is skipped, and what follows it alone, too. */
    record Skipped<O>(String reason) implements ActionResult<O> {
        public Skipped {
            requireNonNull(reason);
        }
    }

    /**
     * It isn't.
     *
     * @param code for programs, such as {@code NO_STOCK}
     * @param message for people: what is wrong and what to do, without a secret
     * @param details for programs, whatever Jackson makes JSON of
     * @param retryAfter at least this long before another attempt
     */
    record Failed<O>(
            FailureKind kind, String code, String message, Map<String, Object> details, Optional<Duration> retryAfter)
            implements ActionResult<O> {
        public Failed {
            requireNonNull(kind);
            requireNonNull(code);
            requireNonNull(message);
            details = Map.copyOf(details);
            requireNonNull(retryAfter);
        }

        /** The same with details. */
        public Failed<O> with(Map<String, Object> more) {
            return new Failed<>(kind, code, message, more, retryAfter);
        }
    }

    static <O> ActionResult<O> succeeded(O outputs, ResourceLink... links) {
        return new Succeeded<>(outputs, List.of(links));
    }

    static <O> ActionResult<O> skipped(String reason) {
        return new Skipped<>(reason);
    }

    /** For good: no attempt will do better. */
    static <O> Failed<O> failed(String code, String message) {
        return new Failed<>(FailureKind.PERMANENT, code, message, Map.of(), Optional.empty());
    }

    /** Somebody forbids it. */
    static <O> Failed<O> denied(String code, String message) {
        return new Failed<>(FailureKind.POLICY_DENIED, code, message, Map.of(), Optional.empty());
    }

    /** For now: the node's policy says whether it is tried again. */
    static <O> Failed<O> retriable(String code, String message) {
        return new Failed<>(FailureKind.RETRIABLE, code, message, Map.of(), Optional.empty());
    }

    /** The other side has had enough for so long. */
    static <O> Failed<O> limited(String code, String message, Duration retryAfter) {
        return new Failed<>(FailureKind.EXTERNAL_LIMIT, code, message, Map.of(), Optional.of(retryAfter));
    }
}
