package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A run's beginning and end, which its row doesn't hold.
 *
 * @param requested what the caller said besides the input
 * @param subject what the run is bound to, with the version that it began with
 * @param input by root name
 * @param failedNode where the error happened, if at a node
 */
public record Execution(
        RunRow row,
        Actor startedBy,
        Optional<String> requestId,
        Requested requested,
        Optional<SubjectBinding> subject,
        Map<String, Payload> input,
        Optional<ResetFrom> resetFrom,
        Optional<Payload> output,
        Optional<TaskError> error,
        Optional<String> failedNode) {
    public Execution {
        requireNonNull(row);
        requireNonNull(startedBy);
        requireNonNull(requestId);
        requireNonNull(requested);
        requireNonNull(subject);
        input = Map.copyOf(input);
        requireNonNull(resetFrom);
        requireNonNull(output);
        requireNonNull(error);
        requireNonNull(failedNode);
    }

    /** The point of another run at which this one began: after that event. */
    public record ResetFrom(RunId run, long sequence) {
        public ResetFrom {
            requireNonNull(run);
        }
    }

    /** What a run is bound to, by its first event; one that began at a point of another run is bound to nothing. */
    public static Optional<SubjectBinding> subject(Event first) {
        return first.body() instanceof EventBody.RunStarted started ? started.subject() : Optional.empty();
    }

    /** What a run's first event says; a run that began at a point of another one has that one's input. */
    private record Beginning(
            Optional<String> requestId,
            Requested requested,
            Map<String, Payload> input,
            Optional<ResetFrom> resetFrom) {
        static Beginning of(Event first) {
            if (first.body() instanceof EventBody.RunStarted started) {
                return new Beginning(started.requestId(), started.requested(), started.input(), Optional.empty());
            }
            if (first.body() instanceof ControlEvent.RunReset reset) {
                Map<String, Payload> input = new LinkedHashMap<>();
                for (JsonCursor root :
                        JsonCursor.of(reset.state()).member("input").members()) {
                    input.put(root.token(), PayloadCodec.read(root));
                }
                return new Beginning(
                        first.header().idempotencyKey(),
                        Requested.NOTHING,
                        input,
                        Optional.of(new ResetFrom(reset.from(), reset.sequence())));
            }
            throw new IllegalStateException("run " + first.header().run() + " begins with "
                    + first.body().kind());
        }
    }

    /** Two short reads, however long the run is. */
    public static Execution read(RunHistory history, RunRow row) throws JournalException {
        TenantId tenant = row.key().tenant();
        Event first = history.page(tenant, row.key().run(), 1, 1).getFirst();
        Beginning beginning = Beginning.of(first);
        Optional<Payload> output = Optional.empty();
        Optional<TaskError> error = Optional.empty();
        Optional<String> failedNode = Optional.empty();
        if (row.status().isFinal()) {
            // What ends a run is not always its last event: an effect may be observed later.
            Ending ending = Ending.find(history, row);
            output = ending.output();
            error = ending.error();
            failedNode = ending.failedNode();
        }
        return new Execution(
                row,
                first.header().actor(),
                beginning.requestId(),
                beginning.requested(),
                subject(first),
                beginning.input(),
                beginning.resetFrom(),
                output,
                error,
                failedNode);
    }

    /** How a run ended. */
    private record Ending(Optional<Payload> output, Optional<TaskError> error, Optional<String> failedNode) {
        private static final int WINDOW = 64;

        static Ending find(RunHistory history, RunRow row) throws JournalException {
            for (long last = row.lastSequence(); last > 0; last -= WINDOW) {
                long from = Math.max(1, last - WINDOW + 1);
                for (Event event : history.page(row.key().tenant(), row.key().run(), from, WINDOW)) {
                    if (event.body() instanceof EventBody.RunCompleted completed) {
                        return new Ending(Optional.of(completed.output()), Optional.empty(), Optional.empty());
                    }
                    if (event.body() instanceof EventBody.RunFailed failed) {
                        return new Ending(
                                Optional.empty(),
                                Optional.of(failed.error()),
                                failed.node().map(Object::toString));
                    }
                    if (event.body() instanceof ControlEvent.RunCanceled canceled) {
                        return stopped("CANCELED", canceled.reason());
                    }
                    if (event.body() instanceof ControlEvent.RunTerminated terminated) {
                        return stopped("TERMINATED", terminated.reason());
                    }
                }
            }
            throw new IllegalStateException("run " + row.key().run() + " is over and nothing ended it");
        }

        /** An operator's word is what its error says. */
        private static Ending stopped(String code, String reason) {
            return new Ending(Optional.empty(), Optional.of(TaskError.of(code, reason)), Optional.empty());
        }
    }
}
