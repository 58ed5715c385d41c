package dev.flowstone.testkit.scenario.check;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A run as it stands at one instant of a scenario.
 *
 * @param program that it follows now
 * @param refusal why it was never started
 * @param state empty if it was never started
 * @param events all of them, in order
 * @param calls all that handlers were called for, in order
 * @param surroundings whatever else there is
 */
public record Observed(
        Program program,
        Optional<Refusal> refusal,
        Optional<RunState> state,
        List<Event> events,
        List<Call> calls,
        Instant start,
        Instant now,
        Surroundings surroundings) {
    /** The status of a run that was never started. */
    public static final String REFUSED = "refused";

    public Observed {
        requireNonNull(program);
        requireNonNull(refusal);
        requireNonNull(state);
        events = List.copyOf(events);
        calls = List.copyOf(calls);
        requireNonNull(start);
        requireNonNull(now);
        requireNonNull(surroundings);
    }

    /** Why a start was refused. */
    public record Refusal(String code, String message) {
        public Refusal {
            requireNonNull(code);
            requireNonNull(message);
        }
    }

    /** One call of a handler. */
    public record Call(String handler, String node, int attempt, JsonValue input) {
        public Call {
            requireNonNull(handler);
            requireNonNull(node);
            requireNonNull(input);
        }
    }

    /** {@code running}, {@code succeeded}, …, or {@link #REFUSED}. */
    public String status() {
        return state.map(it -> it.status().name().toLowerCase(Locale.ROOT)).orElse(REFUSED);
    }

    public boolean isOver() {
        return state.map(it -> it.status().isFinal()).orElse(true);
    }

    /** From its start to its end, or until now. */
    public Duration took() {
        Instant end = isOver() && !events.isEmpty() ? events.getLast().header().eventTime() : now;
        return Duration.between(start, end);
    }

    public Optional<JsonValue> output() {
        return state.flatMap(RunState::output).map(surroundings::value);
    }

    /** Nodes in the order in which they were completed, once for each visit; starts are nobody's and left out. */
    public List<String> path() {
        return transitions()
                .filter(it -> !it.outcome().isFailure() && !it.outcome().equals(Outcome.SKIPPED))
                .map(it -> it.activation().node())
                .filter(this::isWritten)
                .map(NodeId::value)
                .toList();
    }

    /** Nodes that were entered. */
    public SequencedSet<String> visited() {
        return nodes(EventBody.ActivationOpened.class, it -> it.activation().node());
    }

    /** Nodes that no way led to, or whose handlers had nothing to do. */
    public SequencedSet<String> skipped() {
        SequencedSet<String> nodes =
                nodes(EventBody.ActivationSkipped.class, it -> it.activation().node());
        nodes.addAll(nodes(EventBody.TaskSkipped.class, it -> it.activation().node()));
        return nodes;
    }

    /** Nodes that failed, handled or not. */
    public SequencedSet<String> failed() {
        SequencedSet<String> nodes = new LinkedHashSet<>();
        all(EventBody.TaskFailed.class).filter(it -> it.settles()).forEach(it -> nodes.add(name(it.activation())));
        all(EventBody.TaskTimedOut.class).filter(it -> it.settles()).forEach(it -> nodes.add(name(it.activation())));
        transitions().filter(it -> it.outcome().isFailure()).forEach(it -> nodes.add(name(it.activation())));
        return nodes;
    }

    /** Timers that are set, next one first. */
    public List<TimerState> timers() {
        return state.map(RunState::timers).orElse(List.of()).stream()
                .sorted(Comparator.comparing(TimerState::dueAt).thenComparing(TimerState::timer))
                .toList();
    }

    /** What could move it on, for a message about one that stands still. */
    public List<String> waits() {
        List<String> waits = new ArrayList<>();
        for (Attempt attempt : state.map(RunState::openAttempts).orElse(List.of())) {
            waits.add("task " + attempt.activation().node() + ", attempt " + attempt.attempt() + " of "
                    + attempt.handler());
        }
        for (TimerState timer : timers()) {
            String whose = timer.activation().map(it -> it.node().value()).orElse("of the run");
            waits.add("timer " + whose + " (" + timer.purpose().name().toLowerCase(Locale.ROOT) + ") due "
                    + timer.dueAt());
        }
        incidents()
                .forEach(it -> waits.add("incident " + it.code()
                        + (it.activation() == null
                                ? ""
                                : " at " + it.activation().node())));
        state.map(RunState::humanTasks)
                .orElse(List.of())
                .forEach(it -> waits.add("people at " + it.task().activation()));
        state.map(RunState::awaits)
                .orElse(List.of())
                .forEach(it ->
                        waits.add((it.permit() ? "permits of " : "signal ") + it.name() + " at " + it.activation()));
        state.map(RunState::children).orElse(List.of()).stream()
                .filter(OpenChild::awaited)
                .forEach(it -> waits.add("child " + it.workflow() + " of " + it.activation()));
        return waits;
    }

    /** What an operator has to decide, the oldest first. */
    public List<Incident> incidents() {
        return state.map(RunState::incidents).orElse(List.of());
    }

    /** The bodies of one kind, in order. */
    public <T extends EventBody> Stream<T> all(Class<T> kind) {
        return events.stream().map(Event::body).filter(kind::isInstance).map(kind::cast);
    }

    static String word(TimerPurpose purpose) {
        return purpose.name().toLowerCase(Locale.ROOT);
    }

    private static String name(ActivationId activation) {
        return activation.node().value();
    }

    private Stream<EventBody.Transitioned> transitions() {
        return all(EventBody.Transitioned.class);
    }

    private <T extends EventBody> SequencedSet<String> nodes(Class<T> kind, Function<T, NodeId> node) {
        SequencedSet<String> nodes = new LinkedHashSet<>();
        all(kind).map(node).filter(this::isWritten).forEach(it -> nodes.add(it.value()));
        return nodes;
    }

    /** A start is the compiler's, and no author knows its name. */
    private boolean isWritten(NodeId node) {
        return !program.has(node) || !(program.node(node) instanceof Node.Start);
    }
}
