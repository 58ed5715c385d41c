package dev.flowstone.server.metric;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.SettledCommand;
import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.server.execution.ExecutionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Counts what the engine tells it, once a commit: what a commit holds is gathered on its shard's thread and added to the
 * shared counters in one go.
 */
public final class EngineMetrics implements Observer {
    private final EngineFamilies families;
    private final RunEvents events;
    private final Spread.Cell timerLags;
    private final Clock clock;

    public EngineMetrics(Meters meters, Clock clock) {
        this.families = new EngineFamilies(meters);
        this.events = new RunEvents(families);
        this.timerLags = families.timerLag.cell();
        this.clock = clock;
    }

    @Override
    public void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {
        CommitTally tally = new CommitTally(clock.now());
        for (SettledRun run : runs) {
            for (SettledCommand command : run.commands()) {
                tally.command(command);
                count(run, command.events(), tally);
            }
            count(run, run.heeded(), tally);
            if (run.hasMoved() && !Aggregates.isAggregate(run.run().run())) {
                lives(run);
            }
        }
        tally.addTo(families);
        families.commits.add(1);
        families.commitDuration.cell().add(Spread.nanos(took));
    }

    private void count(SettledRun run, List<EventBody> told, CommitTally tally) {
        if (told.isEmpty()) {
            return;
        }
        told.forEach(tally::event);
        events.count(run, told);
    }

    /** A run's beginning and its end. */
    private void lives(SettledRun run) {
        RunState before = run.before();
        RunState after = run.after();
        RunKey key = run.run();
        if (before.lastSequence() == 0) {
            families.runsStarted.add(1, key.tenant().value());
        }
        if (before.status().isFinal() || !after.status().isFinal()) {
            return;
        }
        String workflow = after.program().workflow().value();
        ExecutionStatus status = ExecutionStatus.of(after.status());
        families.runsEnded.add(1, key.tenant().value(), after.status().name().toLowerCase(Locale.ROOT));
        families.workflowDuration.add(
                Duration.between(key.run().birth(), after.lastEventTime()), workflow, status.toString());
        if (status == ExecutionStatus.SUCCEEDED) {
            families.workflowSuccess.add(1, workflow);
        } else {
            families.workflowFailure.add(1, workflow, reason(run));
        }
    }

    private static String reason(SettledRun run) {
        return run.commands().stream()
                .flatMap(command -> command.events().stream())
                .filter(EventBody::endsRun)
                .map(FailureReason::of)
                .findFirst()
                .orElse("action_failed");
    }

    @Override
    public void timerLag(ShardId shard, Duration lag) {
        timerLags.add(Spread.nanos(lag));
    }

    @Override
    public void began(HandlerName handler, Duration waited) {
        families.scheduleToStart.add(waited, handler.value());
    }

    @Override
    public void attempted(HandlerName handler, Duration took, TaskAnswer answer) {
        long nanos = Spread.nanos(took);
        families.actionDuration.cell(handler.value()).add(nanos);
        families.stepDuration.cell("task").add(nanos);
    }

    @Override
    public void settled(List<Ended> deliveries) {
        for (Ended ended : deliveries) {
            String destination = ended.settlement().pending().message().destination();
            String result = switch (ended.settlement()) {
                case Outbox.Settlement.Delivered _ -> "delivered";
                case Outbox.Settlement.Postponed _ -> "postponed";
                case Outbox.Settlement.Dead _ -> "dead";
            };
            families.deliveries.add(1, destination, result);
            families.deliveryDuration.add(ended.took(), destination);
        }
    }
}
