package dev.flowstone.bench;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/** One run in the kernel alone: every command is a decision, encoded, hashed and applied as in production; nothing is stored. */
final class DecideRun {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Env ENV =
            new Env(new ScriptExpressions(), new CronSchedules(), Map.of(), JsonObject.EMPTY, Bounds.DEFAULT);
    private static final Stamp STAMP = new Stamp(
            BEGIN,
            Optional.empty(),
            1,
            new Actor("service", "bench"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "bench");
    private static final Payload NOTHING = Payload.of(JsonObject.EMPTY);

    private final Deque<ActivationId> open = new ArrayDeque<>();
    private RunState state;
    private long decisions;
    private long steps;
    private long bytes;

    private DecideRun(RunState initial) {
        state = initial;
    }

    static DecideRun start(Program program, Sha256 hash, JsonValue trigger) {
        DecideRun run = new DecideRun(Kernel.initial(program, hash));
        run.decide(new Command.StartRun(
                new TenantId("bench"),
                RunId.of(BEGIN, new Slot(7), 42),
                1,
                hash,
                Optional.empty(),
                Map.of("trigger", Payload.of(trigger))));
        return run;
    }

    static Sha256 hash(Program program) {
        return ProgramCodec.hash(program);
    }

    /** Decides until the run has nothing to do any more, or that many tasks have been completed. */
    void go(long tasks) {
        long end = steps + tasks;
        while (steps < end) {
            if (state.continues()) {
                decide(new Command.ContinueRun());
            } else {
                ActivationId next = open.poll();
                if (next == null) {
                    return;
                }
                steps++;
                decide(new Command.CompleteTask(next, 1, new TaskAnswer.Ok(NOTHING)));
            }
        }
    }

    private void decide(Command command) {
        if (!(Kernel.decide(ENV, state, STAMP, command) instanceof Decision.Accepted accepted)) {
            throw new IllegalStateException("the workload is refused: " + command);
        }
        decisions++;
        state = accepted.state();
        accepted.entry().ifPresent(entry -> bytes += entry.bytes().length);
        for (EventBody event : accepted.events()) {
            if (event instanceof EventBody.TaskScheduled task) {
                open.add(task.activation());
            }
        }
    }

    boolean succeeded() {
        return state.status() == RunStatus.SUCCEEDED;
    }

    long decisions() {
        return decisions;
    }

    /** Tasks completed. */
    long steps() {
        return steps;
    }

    long entryBytes() {
        return bytes;
    }
}
