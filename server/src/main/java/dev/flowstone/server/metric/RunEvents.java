package dev.flowstone.server.metric;

import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Counts what single events say: retries, failures, holds, undoings, people's times. Most events say nothing here. */
final class RunEvents {
    private final EngineFamilies families;
    private final PermitWaits permits = new PermitWaits();

    RunEvents(EngineFamilies families) {
        this.families = families;
    }

    /** The events of one command, or of what was set for the run's scope. */
    void count(SettledRun run, List<EventBody> events) {
        boolean timed = false;
        for (EventBody event : events) {
            timed |= event instanceof EventBody.TimerFired;
            count(run, event, timed);
        }
    }

    private void count(SettledRun run, EventBody event, boolean timed) {
        switch (event) {
            case EventBody.TaskScheduled task -> {
                if (task.attempt() > 1) {
                    families.actionRetry.add(1, task.handler().value());
                }
            }
            case EventBody.TaskFailed task ->
                families.actionFailure.add(
                        1, action(run, task.activation()), task.failure().name().toLowerCase(Locale.ROOT));
            case EventBody.TaskTimedOut task ->
                families.actionFailure.add(1, action(run, task.activation()), "timeout");
            case EventBody.IncidentRaised _ -> families.incidents.add(1);
            case HumanEvent human -> people(run, human, timed);
            case ControlEvent control -> control(control);
            case CompensationEvent.CompensationApplied _ -> families.compensations.add(1, "applied");
            case CompensationEvent.CompensationFailed _ -> families.compensations.add(1, "failed");
            case MessageEvent message -> message(run, message);
            default -> {}
        }
    }

    private void people(SettledRun run, HumanEvent event, boolean timed) {
        switch (event) {
            case HumanEvent.TaskEscalated _ -> families.slaBreaches.add(1, "escalated");
            case HumanEvent.HumanTaskSettled settled -> {
                if (timed && settled.how() == HumanEvent.Settlement.RESOLVED) {
                    families.slaBreaches.add(1, "expired");
                }
                run.before().humanTasks().stream()
                        .filter(open -> open.task().activation().equals(settled.activation()))
                        .forEach(open -> families.stepDuration.add(
                                Duration.between(open.task().openedAt(), ended(run)), "human_task"));
            }
            default -> {}
        }
    }

    private void control(ControlEvent event) {
        switch (event) {
            case ControlEvent.RunSuspended _ -> families.holds.add(1, "suspended");
            case ControlEvent.RunDraining _ -> families.holds.add(1, "draining");
            case ControlEvent.RunResumed _ -> families.holds.add(1, "resumed");
            case ControlEvent.HoldImposed _ -> families.holds.add(1, "scope_held");
            case ControlEvent.HoldLifted _ -> families.holds.add(1, "scope_released");
            case ControlEvent.InputBuffered _ -> families.inputs.add(1, "buffered");
            case ControlEvent.BufferedInputTaken _ -> families.inputs.add(1, "taken");
            case ControlEvent.BufferedInputRefused _ -> families.inputs.add(1, "refused");
            default -> {}
        }
    }

    private void message(SettledRun run, MessageEvent event) {
        switch (event) {
            case MessageEvent.PermitAwaited wait -> permits.begin(run.run(), wait.activation(), ended(run));
            case MessageEvent.PermitAcquired got ->
                permits.end(run.run(), got.activation())
                        .ifPresent(since -> families.semaphoreWait.add(Duration.between(since, ended(run))));
            case MessageEvent.ChildStarted _ ->
                families.subworkflows.add(1, run.after().program().workflow().value());
            default -> {}
        }
    }

    private static Instant ended(SettledRun run) {
        return run.after().lastEventTime();
    }

    /** By what its node calls; a migrated run may have left that node behind. */
    private static String action(SettledRun run, ActivationId activation) {
        Program program = run.after().program();
        return program.has(activation.node()) && program.node(activation.node()) instanceof Node.Task task
                ? task.handler().value()
                : "unknown";
    }
}
