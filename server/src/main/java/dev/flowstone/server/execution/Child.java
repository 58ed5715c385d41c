package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.message.Message.Ended;
import java.time.Instant;
import java.util.Optional;

/**
 * A run that another one called, as its caller's events tell; without what was given and got, which may be long.
 *
 * @param sequence number of the event in the caller that started it
 * @param activation that called it
 * @param ended how it ended, once the caller has heard of that
 * @param error code of the error with which it ended
 * @param expected whether its caller is known to hear how it ends: not after the call was given up, or the child let go
 */
public record Child(
        long sequence,
        Instant startedAt,
        ActivationId activation,
        RunId id,
        WorkflowId workflow,
        int version,
        boolean awaited,
        Optional<Ended> ended,
        Optional<String> error,
        boolean expected) {
    public Child {
        requireNonNull(startedAt);
        requireNonNull(activation);
        requireNonNull(id);
        requireNonNull(workflow);
        requireNonNull(ended);
        requireNonNull(error);
    }

    static Child started(Event event, ChildStarted body) {
        return new Child(
                event.sequence(),
                event.header().eventTime(),
                body.activation(),
                body.child(),
                body.called(),
                body.childVersion(),
                body.awaited(),
                Optional.empty(),
                Optional.empty(),
                true);
    }

    Child ended(ChildEnded body) {
        return new Child(
                sequence,
                startedAt,
                activation,
                id,
                workflow,
                version,
                awaited,
                Optional.of(body.ended()),
                body.error().map(error -> error.code()),
                expected);
    }

    /** The same, of which its caller hears nothing more, or nobody knows whether it does. */
    Child unexpected() {
        return new Child(sequence, startedAt, activation, id, workflow, version, awaited, ended, error, false);
    }
}
