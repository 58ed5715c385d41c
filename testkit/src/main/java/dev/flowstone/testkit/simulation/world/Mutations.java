package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Attempt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * R17: what transactional tasks have done to subjects, in the order in which it became durable. Each activation does it once, for
 * an attempt that was asked for and with the version that the subject has; and nothing else is decided about the run between
 * that and the decision that records it.
 */
public final class Mutations {
    private final World world;
    private final Map<RunKey, List<Mutation>> all = new LinkedHashMap<>();
    private final Map<RunKey, Mutation> undecided = new HashMap<>();

    Mutations(World world) {
        this.world = world;
    }

    /**
     * One, committed.
     *
     * @param version that it gave the subject; empty if it left it as it was
     */
    public record Mutation(RunKey run, ActivationId activation, int attempt, Optional<Long> version) {}

    /** By run, in order; grows. */
    public Map<RunKey, List<Mutation>> all() {
        return all;
    }

    /** Whether a run gave its subject this version itself. */
    boolean made(RunKey run, long version) {
        return all.getOrDefault(run, List.of()).stream()
                .anyMatch(mutation -> mutation.version().equals(Optional.of(version)));
    }

    /** A transaction is committed. */
    void committed(TransactionRequest request, Optional<Long> version) {
        RunLog log = world.log(request.run());
        Mutation mutation = new Mutation(request.run(), request.activation(), request.attempt(), version);
        world.say(() ->
                log.name() + " " + mutation.activation() + ", attempt " + mutation.attempt() + ", changes its subject"
                        + version.map(it -> " to version " + it).orElse(""));
        List<Mutation> before = all.computeIfAbsent(request.run(), _ -> new ArrayList<>());
        if (before.stream().anyMatch(one -> one.activation().equals(mutation.activation()))) {
            broken(log, "does it again: " + mutation);
        }
        before.add(mutation);
        Mutation other = undecided.put(request.run(), mutation);
        if (other != null) {
            broken(log, "does " + mutation + " before " + other + " is decided");
        }
        Optional<Attempt> open = log.state().openAttempt(request.activation());
        if (open.isEmpty()
                || open.get().attempt() != request.attempt()
                || open.get().returned()) {
            broken(log, "is asked for no such thing: " + mutation);
        }
        long known = world.subjects().version(request.subject());
        if (request.expectedVersion() != known
                || !log.state().subjectVersion().equals(Optional.of(known))
                || (version.isPresent() && version.get() != known + 1)) {
            broken(
                    log,
                    "does " + mutation + " for version " + request.expectedVersion() + ", knows "
                            + log.state().subjectVersion() + ", and the subject has " + known);
        }
        if (version.isPresent()) {
            world.subjects().mutated(request.subject());
        }
    }

    /** The run has moved. */
    void stored(RunLog log, List<Event> fresh) {
        Mutation mutation = undecided.get(log.run());
        // What is set for its scope is recorded in front of whatever comes, and changes nothing about its subject.
        Optional<EventBody> first = fresh.stream()
                .filter(event -> event.header().causation().stream().noneMatch(cause -> cause.startsWith("setting/")))
                .map(Event::body)
                .findFirst();
        if (mutation == null || first.isEmpty()) {
            return;
        }
        boolean stops = world.nodes().stream().anyMatch(SimulatedNode::givesBack);
        // A node that stops doesn't wait: it says that the attempt is given back, and its successor finds the result.
        if (!stops && !decides(mutation, first.get())) {
            broken(log, "goes on with " + first.get() + " before it decides " + mutation);
        }
        undecided.remove(log.run());
    }

    private static boolean decides(Mutation mutation, EventBody event) {
        return switch (event) {
            case ControlEvent.InputBuffered _ -> true;
            case DataEvent.SubjectChanged changed ->
                changed.byThisRun() && mutation.version().equals(Optional.of(changed.subjectVersion()));
            default -> mutation.version().isEmpty() && records(mutation.activation(), event);
        };
    }

    /** Whether this tells how an activation's effect was recorded. */
    public static boolean records(ActivationId activation, EventBody event) {
        return switch (event) {
            case EventBody.TaskCompleted body -> body.activation().equals(activation);
            case EventBody.EffectObserved body -> body.activation().equals(activation);
            case CompensationEvent.CompensationApplied body -> body.activation().equals(activation);
            // By a name that says what was wrong with it, not that it was lost or too late.
            case EventBody.TaskFailed body ->
                body.activation().equals(activation)
                        && List.of("NOT_STORABLE", "OUTPUT_TOO_LARGE", "NO_DECISION", "CONTEXT_TOO_LARGE")
                                .contains(body.error().code());
            default -> false;
        };
    }

    /** What was committed and never decided. */
    public Map<RunKey, Mutation> undecided() {
        return undecided;
    }

    private void broken(RunLog log, String what) {
        world.violate(new Violation("R17", log.name() + " " + what));
    }
}
