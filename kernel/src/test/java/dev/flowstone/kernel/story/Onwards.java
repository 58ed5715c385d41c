package dev.flowstone.kernel.story;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** What moves a run on in the simplest way, by its state alone: everything works, everybody agrees. */
final class Onwards {
    private Onwards() {}

    /**
     * A command.
     *
     * @param due before which it does not come
     */
    record Step(Command command, Optional<Instant> due) {
        static Step now(Command command) {
            return new Step(command, Optional.empty());
        }
    }

    /** Empty if only others can move it, or nothing at all. */
    static Optional<Step> of(RunState state) {
        if (state.continues()) {
            return Optional.of(Step.now(new Command.ContinueRun()));
        }
        if (state.hold() != Hold.NONE && !state.status().isFinal()) {
            return Optional.of(Step.now(new ControlCommand.ResumeRun("go on")));
        }
        return attempt(state)
                .or(() -> attestation(state))
                .or(() -> person(state))
                .or(() -> incident(state))
                .or(() -> timer(state));
    }

    static Stamp stamp(RunState state, Step step, long random) {
        Instant time =
                step.due().filter(due -> due.isAfter(state.lastEventTime())).orElse(state.lastEventTime());
        return new Stamp(
                time,
                Optional.empty(),
                random,
                new Actor("user", "bob"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                state.correlation());
    }

    /** A signal, a permit, a child; an aggregate waits for whoever comes. */
    static boolean waitsForOthers(RunState state) {
        return Aggregates.isAggregate(state.run())
                || !state.awaits().isEmpty()
                || !state.children().isEmpty();
    }

    private static Optional<Step> attempt(RunState state) {
        for (Attempt attempt : state.openAttempts()) {
            if (!state.status().isFinal()) {
                return Optional.of(Step.now(
                        attempt.returned()
                                ? new Command.HandOutTask(attempt.activation(), attempt.attempt())
                                : new Command.CompleteTask(
                                        attempt.activation(),
                                        attempt.attempt(),
                                        new TaskAnswer.Ok(Payload.of(JsonNumber.of(2))))));
            }
        }
        return Optional.empty();
    }

    private static Optional<Step> attestation(RunState state) {
        return state.attestations().stream()
                .findFirst()
                .map(it -> Step.now(new HumanCommand.Attest(it.id(), "by hand")));
    }

    private static Optional<Step> person(RunState state) {
        return state.humanTasks().stream().findFirst().map(open -> {
            ActivationId id = open.task().activation();
            Node.HumanTask asks = (Node.HumanTask) state.program().node(id.node());
            return Step.now(new HumanCommand.Resolve(id, asks.outcomes().getFirst(), "somebody has to"));
        });
    }

    private static Optional<Step> incident(RunState state) {
        return state.incidents().stream()
                .findFirst()
                .map(incident -> Step.now(new ControlCommand.FailIncident(
                        incident.sequence(), TaskError.of("GIVEN_UP", "nobody can say why"))));
    }

    private static Optional<Step> timer(RunState state) {
        return state.timers().stream()
                .min(Comparator.comparing(TimerState::dueAt).thenComparing(TimerState::timer))
                .map(it -> new Step(new Command.FireTimer(it.timer(), it.generation()), Optional.of(it.dueAt())));
    }
}
