package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.schedule.DueTimes;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Names of a run's timers, and when they are due. */
final class Timers {
    static final TimerId DEADLINE = new TimerId("deadline");
    static final TimerId DRAIN = new TimerId("drain");

    /** Never due; whoever lets a scope go finds the runs that it holds by it. */
    static final TimerId HOLD = new TimerId("hold");

    /** Sequences are numbered without end, generations of timers are not. */
    static final int GENERATIONS = 1 << 30;

    private Timers() {}

    /** Of a timer node's wait. */
    static TimerId wait(ActivationId activation) {
        return new TimerId(activation.toString());
    }

    /** Of the pause between a task's attempts. */
    static TimerId retry(ActivationId activation) {
        return new TimerId(activation + "/retry");
    }

    /** Of how long an await or a call waits at most. */
    static TimerId timeout(ActivationId activation) {
        return new TimerId(activation + "/timeout");
    }

    /** Of a claim's lease. */
    static TimerId claim(ActivationId activation) {
        return new TimerId(activation + "/claim");
    }

    /** Of something that happens while a human task waits. */
    static TimerId reminder(ActivationId activation, String name) {
        return new TimerId(activation + "/" + name);
    }

    /** The instant after that duration, or empty if no event could hold it. */
    static Optional<Instant> due(Instant now, Duration duration) {
        return DueTimes.after(now, duration);
    }

    /** A generation above those of the same timer before, also if it was set again after a suspension, or its activation begins once more. */
    static int generation(Deciding deciding, int base) {
        return base + deciding.state().control().thaws() + deciding.renewed();
    }

    /** Cancels the timer if it is set. */
    static void cancel(Deciding deciding, TimerId id) {
        TimerState timer = deciding.state().timer(id);
        if (timer != null) {
            deciding.emit(new EventBody.TimerCanceled(id, timer.generation()));
        }
    }
}
