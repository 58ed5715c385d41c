package dev.flowstone.server.api;

import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** The engine's refusals of calls as problems. */
final class Refusals {
    private static final System.Logger LOG = System.getLogger(Refusals.class.getName());
    private static final Duration FULL = Duration.ofSeconds(5);

    private static final String SET_ASIDE = "RUN_SET_ASIDE";

    /** By the code of the kernel or the engine; what is missing here is a fault of ours. */
    private static final Map<String, ProblemCode> CODES = Map.ofEntries(
            Map.entry("NOT_STARTED", ProblemCode.EXECUTION_NOT_FOUND),
            Map.entry("NOT_FOUND", ProblemCode.NOT_FOUND),
            Map.entry("CONFLICT", ProblemCode.CONFLICT),
            Map.entry("ALREADY_STARTED", ProblemCode.CONFLICT),
            Map.entry("INVALID_STATE", ProblemCode.WFENG002),
            Map.entry("INVALID_COMMAND", ProblemCode.INVALID_COMMAND),
            Map.entry("LIMIT_EXCEEDED", ProblemCode.LIMIT_EXCEEDED),
            Map.entry("CONTEXT_TOO_LARGE", ProblemCode.LIMIT_EXCEEDED),
            Map.entry("SIGNAL_BUFFER_FULL", ProblemCode.SIGNAL_BUFFER_FULL),
            Map.entry("NOT_ASSIGNED", ProblemCode.NOT_ASSIGNED),
            Map.entry("STALE_ACTIVATION", ProblemCode.STALE_ACTIVATION),
            Map.entry("STALE_SUBJECT_VERSION", ProblemCode.STALE_SUBJECT_VERSION),
            Map.entry("SUBJECT_BUSY", ProblemCode.SUBJECT_BUSY),
            Map.entry("SUSPENDED", ProblemCode.SUSPENDED),
            Map.entry(SET_ASIDE, ProblemCode.WFENG002),
            Map.entry("IDEMPOTENCY_KEY_REUSED", ProblemCode.IDEMPOTENCY_KEY_REUSED),
            Map.entry("INVALID_REQUEST_ID", ProblemCode.INVALID_REQUEST),
            Map.entry("NOT_STORABLE", ProblemCode.INVALID_REQUEST));

    private Refusals() {}

    /** What is wrong with an execution itself, not with the call: the log has the details, the caller learns that it is so. */
    private static final Set<String> BROKEN = Set.of("ENGINE_ERROR", "DAMAGED_PROGRAM", "UNKNOWN_PROGRAM");

    static boolean isBroken(String code) {
        return BROKEN.contains(code);
    }

    /** Whether this server can't go on with an execution, which another one, or this one started again, perhaps can. */
    static boolean isSetAside(String code) {
        return code.equals(SET_ASIDE);
    }

    static ProblemException exception(String code, String reason) {
        if (BROKEN.contains(code)) {
            LOG.log(System.Logger.Level.ERROR, "an execution can't be asked: " + code + ": " + reason);
            return Problem.of(ProblemCode.INTERNAL, "this execution can't go on; the server's log has the details")
                    .exception();
        }
        ProblemCode known = CODES.get(code);
        if (known == null) {
            throw new IllegalStateException("the engine refused a call: " + code + ": " + reason);
        }
        Problem problem = Problem.of(known, reason);
        return (known == ProblemCode.SIGNAL_BUFFER_FULL ? problem.retryAfter(FULL) : problem).exception();
    }
}
