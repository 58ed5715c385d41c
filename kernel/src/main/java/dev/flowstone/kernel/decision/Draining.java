package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.Suspension;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.Optional;

/**
 * Lets a run come to rest (R25): live work may finish, but what would do something outside stays ready. When nothing works
 * any more, or its time is up, the run is suspended.
 */
final class Draining {
    private Draining() {}

    static Optional<Decision.Rejected> begin(Deciding deciding, ControlCommand.DrainRun command) {
        Draft state = deciding.state();
        if (command.timeToLive().isNegative()) {
            return Optional.of(new Decision.Rejected(RejectionCode.INVALID_COMMAND, "a time to live is not negative"));
        }
        if (state.ending() != Ending.NONE) {
            return Controlling.invalid("the run is on its way to its end and starts nothing new anyway");
        }
        if (state.hold() == Hold.SUSPENDED) {
            return Controlling.invalid("the run is suspended");
        }
        if (state.control().own() != null) {
            return Optional.empty();
        }
        // That of a scope's drain: from now on the run drains for itself.
        Timers.cancel(deciding, Timers.DRAIN);
        deciding.emit(new ControlEvent.RunDraining(
                command.policy(),
                Answers.text(command.reason(), Answers.MESSAGE),
                Answers.text(command.scope(), Answers.MESSAGE)));
        expires(deciding, Timers.due(deciding.now(), command.timeToLive()).orElse(Times.LAST));
        return Optional.empty();
    }

    /** The drain that holds the run now becomes a suspension then, at the latest. */
    static void expires(Deciding deciding, Instant due) {
        int generation = Timers.generation(deciding, Heeding.generation(deciding));
        deciding.emit(
                new EventBody.TimerSet(Timers.DRAIN, generation, due, EventBody.TimerPurpose.DRAIN, Optional.empty()));
    }

    /** Whether a node does something outside the run when it begins; one that lives is waited for. */
    static boolean startsSomething(Node node) {
        return switch (node) {
            case Node.Task _, Node.HumanTask _, Node.Call _, Node.Emit _ -> true;
            case Node.Start _,
                    Node.End _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Join _,
                    Node.Await _,
                    Node.Timer _ -> false;
        };
    }

    /** Whether it stays ready while the run drains: what does something outside, or would get something from there. */
    static boolean parks(Node node) {
        return startsSomething(node) || node instanceof Node.Await;
    }

    /** An activation that was parked begins; unless the run ends, or drains again. */
    static void release(Deciding deciding, Draft state) {
        ActivationId id = state.control().parked().firstKey();
        if (id == null) {
            throw new IllegalStateException("nothing is parked");
        }
        deciding.emit(new ControlEvent.ActivationReleased(
                id, Keys.of(state.run().orElseThrow(), id, state.data().subjectVersion())));
        Activation activation = state.activation(id);
        if (state.ending() != Ending.NONE || activation == null || !activation.isLive()) {
            return;
        }
        deciding.within(id);
        Opening.begin(deciding, state.program().node(id.node()), id);
    }

    /** Its time is up, or it came to rest. */
    static void expired(Deciding deciding) {
        Suspension own = deciding.state().control().own();
        if (deciding.state().hold() != Hold.DRAINING) {
            return;
        }
        if (own == null) {
            Heeding.drained(deciding, deciding.now());
        } else {
            Suspending.now(deciding, own.policy(), own.reason(), own.scope());
        }
    }

    static void ifQuiet(Deciding deciding) {
        if (!deciding.state().status().isFinal() && isQuiet(deciding.state())) {
            expired(deciding);
        }
    }

    /** A scope's drain that the run records late came to rest at once if nothing was at work then. */
    static void restsFrom(Deciding deciding, Instant since) {
        Draft state = deciding.state();
        if (state.control().own() == null && !state.hasWork() && isQuiet(state)) {
            Heeding.drained(deciding, since);
        }
    }

    /** Nothing happened to the run in this time: a scope's drain whose time was up in it became a suspension. */
    static void slept(Deciding deciding, Instant from, Instant until) {
        Draft state = deciding.state();
        TimerState timer = state.timer(Timers.DRAIN);
        if (state.control().own() == null
                && state.hold() == Hold.DRAINING
                && timer != null
                && !timer.dueAt().isAfter(until)) {
            Heeding.drained(deciding, Heeding.later(from, timer.dueAt()));
        }
    }

    /** Looks through what lives only while the run drains, and only when no attempt is open. */
    private static boolean isQuiet(Draft state) {
        if (state.hold() != Hold.DRAINING || state.hasOpenAttempts()) {
            return false;
        }
        for (ScopeInstance scope : state.tree().scopes()) {
            for (ActivationId id : scope.live().values()) {
                boolean parked = state.control().parked().get(id) != null;
                if (!parked && startsSomething(state.program().node(id.node()))) {
                    return false;
                }
            }
        }
        return state.undoing().isIdle();
    }
}
