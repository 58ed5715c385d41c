package dev.flowstone.server.http;

import dev.flowstone.engine.log.LogContext;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is known of a call so far, for lines that are logged while it is answered. Belongs to its thread. */
final class CallContext implements LogContext {
    private @Nullable String correlation;
    private @Nullable Route route;
    private @Nullable Caller caller;
    private @Nullable String run;
    private final Tally tally = new Tally();

    void correlation(String id) {
        correlation = id;
    }

    /** Let in, as this route's; {@code execution} is what its path names, if it names one. */
    void admitted(Route matched, Caller known, @Nullable String execution) {
        route = matched;
        caller = known;
        run = execution;
    }

    Tally tally() {
        return tally;
    }

    @Override
    public void describe(BiConsumer<String, String> field) {
        if (caller != null) {
            field.accept("tenant", caller.tenant().value());
            field.accept("principal", caller.principal().toString());
        }
        if (route != null) {
            field.accept("route", route.toString());
        }
        if (run != null) {
            field.accept("run", run);
        }
        if (correlation != null) {
            field.accept("correlation", correlation);
        }
    }
}
