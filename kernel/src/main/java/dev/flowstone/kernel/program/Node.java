package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;

/** One node of a program. Kinds to come are additions to this list. */
public sealed interface Node {
    NodeId id();

    ScopeId scope();

    Routing routing();

    /** Whether a path may end here, no edge taken (R9); if not, that is an incident. */
    boolean mayEnd();

    Origin origin();

    /** The entry of a program: completes at once. */
    record Start(NodeId id, ScopeId scope, Routing routing, Origin origin) implements Node {
        public Start {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(routing);
            requireNonNull(origin);
        }

        @Override
        public boolean mayEnd() {
            return false;
        }
    }

    /**
     * Consumes its token (R7).
     *
     * @param terminate closes everything that still lives in the run first
     */
    record End(NodeId id, ScopeId scope, Outcome outcome, boolean terminate, Origin origin) implements Node {
        public End {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(outcome);
            requireNonNull(origin);
        }

        @Override
        public Routing routing() {
            return Routing.FIRST;
        }

        @Override
        public boolean mayEnd() {
            return true;
        }
    }

    /**
     * Work outside the decision, at least once, under an idempotency key (R11).
     *
     * @param input a template, rendered when the activation opens
     * @param timeout of one attempt
     * @param rerender whether each attempt renders the input again
     */
    record Task(
            NodeId id,
            ScopeId scope,
            HandlerName handler,
            JsonValue input,
            Retry retry,
            Duration timeout,
            boolean rerender,
            Routing routing,
            boolean mayEnd,
            Origin origin)
            implements Node {
        public Task {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(handler);
            requireNonNull(input);
            requireNonNull(retry);
            requireNonNull(timeout);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /**
     * A durable wait (R19). Its output is {@code {"dueAt": instant, "firedAt": instant}}.
     *
     * @param duration a template that renders to a number of milliseconds or to an ISO 8601 duration
     */
    record Timer(NodeId id, ScopeId scope, JsonValue duration, Routing routing, boolean mayEnd, Origin origin)
            implements Node {
        public Timer {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(duration);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }
}
