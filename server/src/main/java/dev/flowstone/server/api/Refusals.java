package dev.flowstone.server.api;

import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.time.Duration;
import java.util.Map;

/** The engine's refusals of calls as problems. */
final class Refusals {
    private static final Duration FULL = Duration.ofSeconds(5);

    /** By the code of the kernel or the engine; what is missing here is a fault of ours. */
    private static final Map<String, ProblemCode> CODES = Map.ofEntries(
            Map.entry("NOT_STARTED", ProblemCode.EXECUTION_NOT_FOUND),
            Map.entry("NOT_FOUND", ProblemCode.NOT_FOUND),
            Map.entry("CONFLICT", ProblemCode.CONFLICT),
            Map.entry("ALREADY_STARTED", ProblemCode.CONFLICT),
            Map.entry("INVALID_STATE", ProblemCode.INVALID_STATE),
            Map.entry("INVALID_COMMAND", ProblemCode.INVALID_COMMAND),
            Map.entry("LIMIT_EXCEEDED", ProblemCode.LIMIT_EXCEEDED),
            Map.entry("CONTEXT_TOO_LARGE", ProblemCode.LIMIT_EXCEEDED),
            Map.entry("SIGNAL_BUFFER_FULL", ProblemCode.SIGNAL_BUFFER_FULL),
            Map.entry("NOT_ASSIGNED", ProblemCode.NOT_ASSIGNED),
            Map.entry("STALE_ACTIVATION", ProblemCode.STALE_ACTIVATION),
            Map.entry("STALE_SUBJECT_VERSION", ProblemCode.STALE_SUBJECT_VERSION),
            Map.entry("SUBJECT_BUSY", ProblemCode.SUBJECT_BUSY),
            Map.entry("SUSPENDED", ProblemCode.SUSPENDED),
            Map.entry("RUN_SET_ASIDE", ProblemCode.INVALID_STATE),
            Map.entry("IDEMPOTENCY_KEY_REUSED", ProblemCode.IDEMPOTENCY_KEY_REUSED),
            Map.entry("INVALID_REQUEST_ID", ProblemCode.INVALID_REQUEST),
            Map.entry("NOT_STORABLE", ProblemCode.INVALID_REQUEST));

    private Refusals() {}

    static ProblemException exception(String code, String reason) {
        ProblemCode known = CODES.get(code);
        if (known == null) {
            throw new IllegalStateException("the engine refused a call: " + code + ": " + reason);
        }
        Problem problem = Problem.of(known, reason);
        return (known == ProblemCode.SIGNAL_BUFFER_FULL ? problem.retryAfter(FULL) : problem).exception();
    }
}
