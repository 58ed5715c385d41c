package dev.flowstone.server.metric;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import java.util.Set;

/** Why a run didn't succeed, in the four words of dataflow.md §14.3. */
final class FailureReason {
    private static final Set<String> TIMES = Set.of("RUN_DEADLINE", "TIMEOUT");

    private FailureReason() {}

    /**
     * Of a run that did not succeed.
     *
     * @param end its final event
     */
    static String of(EventBody end) {
        return switch (end) {
            case EventBody.RunFailed failed -> of(failed.error().code());
            case ControlEvent.RunCanceled _, ControlEvent.RunTerminated _ -> "cancelled";
            default -> "action_failed";
        };
    }

    private static String of(String code) {
        if (TIMES.contains(code)) {
            return "timeout";
        }
        boolean invalid = code.startsWith("INVALID_") || code.endsWith("TEMPLATE_ERROR") || code.endsWith("_TOO_LARGE");
        return invalid ? "validation_error" : "action_failed";
    }
}
