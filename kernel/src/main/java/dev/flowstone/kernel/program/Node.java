package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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
     * @param compensation what undoes it (R24); empty if there is nothing to undo
     * @param applies the human task whose newest decision this is a gate for: without one that was not applied yet it
     *     fails with {@code NO_DECISION}; when it completes, that decision is applied (R15)
     */
    record Task(
            NodeId id,
            ScopeId scope,
            HandlerName handler,
            JsonValue input,
            Retry retry,
            Duration timeout,
            boolean rerender,
            Optional<Compensation> compensation,
            Optional<NodeId> applies,
            Routing routing,
            boolean mayEnd,
            Origin origin)
            implements Node {
        /** One that is no gate. */
        public Task(
                NodeId id,
                ScopeId scope,
                HandlerName handler,
                JsonValue input,
                Retry retry,
                Duration timeout,
                boolean rerender,
                Optional<Compensation> compensation,
                Routing routing,
                boolean mayEnd,
                Origin origin) {
            this(
                    id,
                    scope,
                    handler,
                    input,
                    retry,
                    timeout,
                    rerender,
                    compensation,
                    Optional.empty(),
                    routing,
                    mayEnd,
                    origin);
        }

        /** One that is no gate, and that nothing undoes. */
        public Task(
                NodeId id,
                ScopeId scope,
                HandlerName handler,
                JsonValue input,
                Retry retry,
                Duration timeout,
                boolean rerender,
                Routing routing,
                boolean mayEnd,
                Origin origin) {
            this(id, scope, handler, input, retry, timeout, rerender, Optional.empty(), routing, mayEnd, origin);
        }

        public Task {
            requireNonNull(compensation);
            requireNonNull(applies);
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
     * @param due when it fires
     */
    record Timer(NodeId id, ScopeId scope, Due due, Routing routing, boolean mayEnd, Origin origin) implements Node {
        /** One that waits for a duration. */
        public Timer(NodeId id, ScopeId scope, JsonValue duration, Routing routing, boolean mayEnd, Origin origin) {
            this(id, scope, new Due.After(duration), routing, mayEnd, origin);
        }

        public Timer {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(due);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /**
     * Decisions of people (R13). Its outcome is one of those it declares, or {@code failure} if it could not be asked for;
     * its output is {@code {"outcome", "decisions": [{"actor", "outcome", "rationale", …}]}}.
     * A quorum that can't be met any more ends it as well: with the outcome {@code unmet}, or as {@code failure}, code
     * {@code QUORUM_UNREACHABLE}.
     *
     * @param outcomes what may be decided, by name; at least one
     * @param vetoes outcomes of which a single decision settles the task, whatever the quorum
     * @param abstain the outcome that only shrinks the denominator of a quorum
     * @param quorum how many must agree
     * @param assignees a template that renders to a list of {@code {"user": id}}, {@code {"role": name}} or plain ids of
     *     users; in the order in which a serial quorum asks them
     * @param request a template of what they are shown; opaque to the kernel
     * @param uniqueActors whether one person counts once in a visit
     * @param reminders what happens while nobody decides, by time since the activation opened
     * @param unmet its outcome when the quorum can't be met any more; empty fails it
     * @param drift what a change of its subject does
     */
    record HumanTask(
            NodeId id,
            ScopeId scope,
            List<Outcome> outcomes,
            Set<Outcome> vetoes,
            Optional<Outcome> abstain,
            Quorum quorum,
            JsonValue assignees,
            JsonValue request,
            boolean uniqueActors,
            List<Reminder> reminders,
            Optional<Outcome> unmet,
            Drift drift,
            Routing routing,
            boolean mayEnd,
            Origin origin)
            implements Node {
        public HumanTask {
            requireNonNull(id);
            requireNonNull(scope);
            outcomes = List.copyOf(outcomes);
            vetoes = Set.copyOf(vetoes);
            requireNonNull(abstain);
            requireNonNull(quorum);
            requireNonNull(assignees);
            requireNonNull(request);
            reminders = List.copyOf(reminders);
            requireNonNull(unmet);
            requireNonNull(drift);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /** Completes at once; its edges' conditions choose where to go on. */
    record Choice(NodeId id, ScopeId scope, Routing routing, boolean mayEnd, Origin origin) implements Node {
        public Choice {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /**
     * Writes variables of the run, then completes.
     *
     * @param values templates by variable; all are rendered on the values before, then written at once
     */
    record Assign(
            NodeId id, ScopeId scope, Map<String, JsonValue> values, Routing routing, boolean mayEnd, Origin origin)
            implements Node {
        /** What a variable may be called. */
        public static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

        public Assign {
            requireNonNull(id);
            requireNonNull(scope);
            values = Map.copyOf(values);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /**
     * Opens one scope for each branch and ends when its join fires (R6, R10). It has no edges of its own but for
     * {@code failure}, if the collection can't be rendered: branches are entered at their scopes' entries.
     *
     * @param join the node in the same scope that the branches arrive at
     */
    record Fork(NodeId id, ScopeId scope, Branches branches, NodeId join, Routing routing, Origin origin)
            implements Node {
        public Fork {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(branches);
            requireNonNull(join);
            requireNonNull(routing);
            requireNonNull(origin);
        }

        @Override
        public boolean mayEnd() {
            return false;
        }
    }

    /**
     * Joins the branches of the one fork that names it (R10). Outcomes: {@code success} and {@code unsatisfied}; its output
     * is the branches' results in branch order, {@code [{"branch", "outcome", "output"}]}.
     *
     * @param losers what becomes of the branches that still live when it fires
     */
    record Join(
            NodeId id, ScopeId scope, JoinPolicy policy, Losers losers, Routing routing, boolean mayEnd, Origin origin)
            implements Node {
        public Join {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(policy);
            requireNonNull(losers);
            requireNonNull(routing);
            requireNonNull(origin);
        }

        /** See {@code kernel.md} R10. */
        public enum Losers {
            CANCEL,
            KEEP,
            COMPENSATE
        }
    }

    /**
     * Waits for a signal or a permit (R20). Outcomes: {@code success}, its output the signal's payload or the permit;
     * {@code timeout}.
     *
     * @param timeout a template as of {@link Due.After}; empty waits for ever
     */
    record Await(
            NodeId id,
            ScopeId scope,
            Source source,
            Optional<JsonValue> timeout,
            Routing routing,
            boolean mayEnd,
            Origin origin)
            implements Node {
        public Await {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(source);
            requireNonNull(timeout);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /** Sends a signal or gives a permit back (R20), then completes: it doesn't wait for anybody to receive it. */
    record Emit(NodeId id, ScopeId scope, Target target, Routing routing, boolean mayEnd, Origin origin)
            implements Node {
        public Emit {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(target);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }

    /**
     * Starts a child run (R22). Waited for, its outcome is the child's ({@code success}, {@code failure}, {@code timeout},
     * or {@code canceled}) and its output the child's; spawned, it completes when the child's start was recorded, with
     * {@code {"run": id}}.
     *
     * @param version of the workflow; empty means the one that is active when the call is made
     * @param input templates by root name, rendered when the activation opens
     * @param timeout a template as of {@link Due.After}
     * @param policies what an operation on this run does to the child
     * @param answer what this run's expressions see of the child
     */
    record Call(
            NodeId id,
            ScopeId scope,
            WorkflowId workflow,
            Optional<Integer> version,
            Map<String, JsonValue> input,
            boolean waits,
            Optional<JsonValue> timeout,
            ChildPolicies policies,
            ChildAnswer answer,
            Routing routing,
            boolean mayEnd,
            Origin origin)
            implements Node {
        /** One that gives the child's output as it is. */
        public Call(
                NodeId id,
                ScopeId scope,
                WorkflowId workflow,
                Optional<Integer> version,
                Map<String, JsonValue> input,
                boolean waits,
                Optional<JsonValue> timeout,
                ChildPolicies policies,
                Routing routing,
                boolean mayEnd,
                Origin origin) {
            this(
                    id,
                    scope,
                    workflow,
                    version,
                    input,
                    waits,
                    timeout,
                    policies,
                    ChildAnswer.PLAIN,
                    routing,
                    mayEnd,
                    origin);
        }

        public Call {
            requireNonNull(id);
            requireNonNull(scope);
            requireNonNull(workflow);
            requireNonNull(version);
            input = Map.copyOf(input);
            requireNonNull(timeout);
            requireNonNull(policies);
            requireNonNull(answer);
            requireNonNull(routing);
            requireNonNull(origin);
        }
    }
}
