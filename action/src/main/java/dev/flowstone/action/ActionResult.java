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

    /** It isn't. Made by {@link #failed}, {@link #denied}, {@link #retriable}, {@link #limited}. */
    final class Failed<O> implements ActionResult<O> {
        private final FailureKind kind;
        private final String code;
        private final String message;
        private final Map<String, Object> details;
        private final Optional<Duration> retryAfter;

        private Failed(
                FailureKind kind,
                String code,
                String message,
                Map<String, Object> details,
                Optional<Duration> retryAfter) {
            this.kind = kind;
            this.code = requireNonNull(code);
            this.message = requireNonNull(message);
            this.details = Map.copyOf(details);
            this.retryAfter = retryAfter;
        }

        private Failed(FailureKind kind, String code, String message) {
            this(kind, code, message, Map.of(), Optional.empty());
        }

        /** The same with details. */
        public Failed<O> with(Map<String, Object> more) {
            return new Failed<>(kind, code, message, more, retryAfter);
        }

        /** The same with a pause: at least this long before another attempt, a day at most. */
        public Failed<O> after(Duration pause) {
            return new Failed<>(kind, code, message, details, Optional.of(pause));
        }

        public FailureKind kind() {
            return kind;
        }

        /** For programs, such as {@code NO_STOCK}. */
        public String code() {
            return code;
        }

        /** For people: what is wrong and what to do, without a secret. */
        public String message() {
            return message;
        }

        /** For programs, whatever Jackson makes JSON of. */
        public Map<String, Object> details() {
            return details;
        }

        /** At least this long before another attempt. */
        public Optional<Duration> retryAfter() {
            return retryAfter;
        }

        @Override
        public String toString() {
            return kind + " " + code + ": " + message;
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
        return new Failed<>(FailureKind.PERMANENT, code, message);
    }

    /** Somebody forbids it. */
    static <O> Failed<O> denied(String code, String message) {
        return new Failed<>(FailureKind.POLICY_DENIED, code, message);
    }

    /** For now: the node's policy says whether it is tried again. */
    static <O> Failed<O> retriable(String code, String message) {
        return new Failed<>(FailureKind.RETRIABLE, code, message);
    }

    /** The other side has had enough for so long. */
    static <O> Failed<O> limited(String code, String message, Duration retryAfter) {
        return new Failed<O>(FailureKind.EXTERNAL_LIMIT, code, message).after(retryAfter);
    }
}
