package dev.flowstone.engine.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Who gets which events of a tenant.
 *
 * @param revision grows with each change that people or the engine make, but for those of the cursors
 * @param reason why it isn't active
 */
public record Subscription(
        SubscriptionKey key,
        long revision,
        Wish wish,
        State state,
        Optional<String> reason,
        Mark created,
        Mark changed) {
    public Subscription {
        requireNonNull(key);
        requireNonNull(wish);
        requireNonNull(state);
        requireNonNull(reason);
        requireNonNull(created);
        requireNonNull(changed);
    }

    /** Whether events leave. */
    public enum State {
        ACTIVE,
        /** Somebody stopped it, or the other side said that it is gone; it goes on where it was. */
        PAUSED,
        /** It can't go on by itself. */
        BROKEN
    }

    /** When, and by whom. */
    public record Mark(Instant at, Actor by) {
        public Mark {
            requireNonNull(at);
            requireNonNull(by);
        }
    }

    /**
     * What people want.
     *
     * @param types kinds of events; all if empty
     * @param workflows whose runs' events; all if empty
     */
    public record Wish(SinkAddress sink, Set<String> types, Set<WorkflowId> workflows) {
        public Wish {
            requireNonNull(sink);
            types = Set.copyOf(types);
            workflows = Set.copyOf(workflows);
        }

        public boolean admits(Event event) {
            return (types.isEmpty() || types.contains(event.body().kind()))
                    && (workflows.isEmpty() || workflows.contains(event.header().workflow()));
        }
    }
}
