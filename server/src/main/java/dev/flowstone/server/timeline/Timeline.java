package dev.flowstone.server.timeline;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.TimerEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.server.timeline.Line.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a run's events, told in order from the first, into lines. Not thread-safe. */
public final class Timeline {
    private final Map<Attempt, Instant> began = new HashMap<>();
    private final Map<TimerId, Wait> waits = new HashMap<>();
    private final Speakers speakers;
    private Instant start = Instant.EPOCH;

    public Timeline() {
        this(new Speakers());
    }

    /** One of whoever knows already what was buffered before the first event. */
    public Timeline(Speakers speakers) {
        this.speakers = speakers;
    }

    /** The lines of the next event; most have none or one. */
    public List<Line> lines(Event event) {
        return lines(event, speakers.of(event));
    }

    /** The same where it is known whose word it is. */
    public List<Line> lines(Event event, Actor speaker) {
        Instant now = event.header().eventTime();
        return switch (event.body()) {
            case EventBody.RunStarted _ -> {
                start = now;
                yield List.of(of(event, "", "started", Tone.QUIET)
                        .detail(event.header().workflow() + " version "
                                + event.header().typeVersion()));
            }
            case EventBody.TaskScheduled it -> scheduled(event, it);
            case EventBody.TaskCompleted it ->
                List.of(ended(event, it.activation(), it.attempt(), "done", Tone.GOOD)
                        .value(it.output()));
            case EventBody.TaskSkipped it ->
                List.of(ended(event, it.activation(), it.attempt(), "skipped", Tone.QUIET)
                        .detail(it.reason()));
            case EventBody.TaskFailed it ->
                List.of(ended(event, it.activation(), it.attempt(), failed(it.settles()), tone(it.settles()))
                        .detail(text(it.error()) + attempt(it.attempt())));
            case EventBody.TaskTimedOut it ->
                List.of(ended(event, it.activation(), it.attempt(), "timed out", tone(it.settles()))
                        .detail("no answer in time" + attempt(it.attempt())));
            case EventBody.TaskReturned it ->
                List.of(of(event, it.activation(), "given back", Tone.WARNING)
                        .detail("its node shut down; the attempt will be made again"));
            case EventBody.TaskHandedOut it ->
                List.of(of(event, it.activation(), "handed out again", Tone.QUIET)
                        .detail("attempt " + it.attempt()));
            case EventBody.EffectObserved it ->
                List.of(ended(event, it.activation(), it.attempt(), "done too late", Tone.WARNING)
                        .value(it.output()));
            case EventBody.ActivationCanceled it ->
                List.of(of(event, it.activation(), "canceled", Tone.WARNING).detail(it.reason()));
            case EventBody.ActivationSkipped it -> List.of(of(event, it.activation(), "skipped", Tone.QUIET));
            case EventBody.Transitioned it -> conditions(event, it);
            case EventBody.TimerSet it -> timerSet(event, it);
            case EventBody.TimerFired it -> timerFired(event, it);
            case EventBody.IncidentRaised it ->
                List.of(of(event, node(it.activation()), "incident", Tone.BAD)
                        .detail(it.code() + ": " + it.message() + "; the run waits for a person"));
            case EventBody.RunFailing it ->
                List.of(of(event, nodeName(it.node()), "failing", Tone.BAD)
                        .detail(text(it.error()) + "; waits for what was handed out"));
            case EventBody.RunCompleted it ->
                List.of(of(event, "", "succeeded", Tone.GOOD)
                        .took(Duration.between(start, now))
                        .value(it.output()));
            case EventBody.RunFailed it ->
                List.of(of(event, "", "failed", Tone.BAD)
                        .took(Duration.between(start, now))
                        .detail(text(it.error())
                                + it.node().map(node -> " at " + node).orElse("")));
            case ForkEvent.ForkOpened it ->
                List.of(of(event, it.fork(), "forked", Tone.QUIET).detail(branches(it.branches())));
            case ForkEvent.JoinFired it ->
                List.of(of(
                                event,
                                it.join().value(),
                                "joined",
                                it.outcome().equals(Outcome.SUCCESS) ? Tone.GOOD : Tone.WARNING)
                        .detail(it.outcome() + ", " + it.arrived() + " of " + branches(it.branches()) + " arrived"));
            case ForkEvent _ -> List.of();
            case HumanEvent it -> People.lines(Duration.between(start, now), speaker, it);
            case DataEvent it -> People.lines(Duration.between(start, now), speaker, it);
            case TimerEvent.TickPlanned it ->
                it.missed() == 0
                        ? List.of()
                        : List.of(of(event, it.activation(), "missed", Tone.WARNING)
                                .detail(it.missed() + (it.missed() == 1 ? " due time" : " due times")));
            case EventBody.ActivationOpened _,
                    EventBody.TimerCanceled _,
                    EventBody.ContinueScheduled _,
                    EventBody.WaitDiscounted _,
                    EventBody.ScopeOpened _,
                    EventBody.ScopeClosed _,
                    EventBody.TokenDiscarded _,
                    MessageEvent _,
                    AggregateEvent _,
                    ControlEvent _,
                    CompensationEvent _ -> List.of();
        };
    }

    private static String branches(int count) {
        return count + (count == 1 ? " branch" : " branches");
    }

    private List<Line> scheduled(Event event, EventBody.TaskScheduled it) {
        began.put(new Attempt(it.activation(), it.attempt()), event.header().eventTime());
        return List.of(of(event, it.activation(), "started", Tone.QUIET).detail(it.handler() + attempt(it.attempt())));
    }

    private List<Line> timerSet(Event event, EventBody.TimerSet it) {
        Instant now = event.header().eventTime();
        waits.put(it.timer(), new Wait(it.purpose(), it.activation(), now));
        return switch (it.purpose()) {
            case TimerPurpose.WAIT ->
                List.of(of(event, node(it.activation()), "waits", Tone.QUIET).detail("until " + it.dueAt()));
            case TimerPurpose.RETRY ->
                List.of(of(event, node(it.activation()), "will retry", Tone.QUIET)
                        .detail("in " + Durations.text(Duration.between(now, it.dueAt()))));
            case TimerPurpose.DEADLINE, TimerPurpose.EXPIRY, TimerPurpose.DRAIN, TimerPurpose.HOLD -> List.of();
            case TimerPurpose.TIMEOUT ->
                List.of(of(event, node(it.activation()), "waits", Tone.QUIET).detail("at most until " + it.dueAt()));
            case TimerPurpose.CLAIM, TimerPurpose.REMINDER -> List.of();
        };
    }

    private List<Line> timerFired(Event event, EventBody.TimerFired it) {
        Wait wait = waits.get(it.timer());
        if (wait == null) {
            return List.of();
        }
        return switch (wait.purpose()) {
            case TimerPurpose.WAIT ->
                List.of(of(event, node(wait.activation()), "waited", Tone.GOOD)
                        .took(Duration.between(wait.since(), event.header().eventTime())));
            case TimerPurpose.RETRY, TimerPurpose.EXPIRY, TimerPurpose.DRAIN, TimerPurpose.HOLD -> List.of();
            case TimerPurpose.TIMEOUT ->
                List.of(of(event, node(wait.activation()), "timeout", Tone.WARNING)
                        .took(Duration.between(wait.since(), event.header().eventTime())));
            case TimerPurpose.CLAIM, TimerPurpose.REMINDER -> List.of();
            case TimerPurpose.DEADLINE ->
                List.of(of(event, "", "deadline", Tone.BAD).detail("the run took longer than it may"));
        };
    }

    /** A condition that failed counts as false, which its author should see. */
    private List<Line> conditions(Event event, EventBody.Transitioned it) {
        return it.conditions().stream()
                .filter(condition -> condition.error().isPresent())
                .map(condition -> of(event, it.activation(), "condition", Tone.WARNING)
                        .detail(condition.expression() + " counts as false: " + reason(condition)))
                .toList();
    }

    private static String reason(EvaluatedCondition condition) {
        return condition
                .error()
                .map(error -> error.code() + ", " + error.message())
                .orElse("");
    }

    private Line ended(Event event, ActivationId activation, int attempt, String what, Tone tone) {
        Line line = of(event, activation, what, tone);
        Instant since = began.remove(new Attempt(activation, attempt));
        return since == null
                ? line
                : line.took(Duration.between(since, event.header().eventTime()));
    }

    private Line of(Event event, ActivationId activation, String what, Tone tone) {
        return of(event, node(Optional.of(activation)), what, tone);
    }

    private Line of(Event event, String node, String what, Tone tone) {
        return Line.of(Duration.between(start, event.header().eventTime()), node, what, tone);
    }

    private static String node(Optional<ActivationId> activation) {
        return activation
                .map(it -> it.visit() == 1 ? it.node().value() : it.toString())
                .orElse("");
    }

    private static String nodeName(Optional<NodeId> node) {
        return node.map(NodeId::value).orElse("");
    }

    private static String text(TaskError error) {
        return error.code() + ": " + error.message();
    }

    private static String failed(boolean settles) {
        return settles ? "failed" : "try failed";
    }

    private static Tone tone(boolean settles) {
        return settles ? Tone.BAD : Tone.WARNING;
    }

    private static String attempt(int attempt) {
        return attempt > 1 ? " (attempt " + attempt + ")" : "";
    }

    private record Attempt(ActivationId activation, int number) {}

    private record Wait(TimerPurpose purpose, Optional<ActivationId> activation, Instant since) {}
}
