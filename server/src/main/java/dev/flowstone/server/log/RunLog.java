package dev.flowstone.server.log;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.SettledCommand;
import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.server.log.Requesters.Requester;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Logs what becomes of runs, each line with its tenant, run and event: their beginnings and ends and what goes wrong at
 * {@code INFO}, dead letters at {@code WARNING}. Where nobody listens to that level it looks at nothing.
 */
public final class RunLog implements Observer {
    private static final System.Logger LOG = System.getLogger("dev.flowstone.runs");

    private final boolean emails;

    /** @param emails whether lines may hold the e-mail addresses of those whom runs are started for */
    public RunLog(boolean emails) {
        this.emails = emails;
    }

    /** A child is its parent's requester's. */
    @Override
    public void born(RunState state, Optional<StartRequest> start) {
        Optional<Requester> requester = start.map(asked -> new Requester(
                        asked.actor().id(), asked.requested().email().filter(_ -> emails)))
                .or(() -> state.parentage()
                        .flatMap(parentage -> Requesters.find(parentage.root().toString())));
        requester.ifPresent(it -> Requesters.put(state.run().toString(), it));
    }

    @Override
    public void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {
        if (LOG.isLoggable(Level.INFO)) {
            runs.stream().filter(SettledRun::hasMoved).forEach(RunLog::log);
        }
    }

    private static void log(SettledRun run) {
        long sequence = run.before().lastSequence();
        for (EventBody _ : run.heeded()) {
            sequence++;
        }
        for (SettledCommand command : run.commands()) {
            for (EventBody event : command.events()) {
                sequence++;
                Optional<String> said = say(event);
                if (said.isPresent()) {
                    ScopedValue.where(LogContext.CURRENT, new About(run, event, sequence))
                            .run(() -> LOG.log(Level.INFO, said.get()));
                }
            }
        }
    }

    /** Codes and names, never what a run carries; error messages of handlers may hold anything, and stay in the event. */
    private static Optional<String> say(EventBody event) {
        return switch (event) {
            case EventBody.RunStarted _ -> Optional.of("the run began");
            case EventBody.RunCompleted _ -> Optional.of("the run succeeded");
            case EventBody.RunFailed failed ->
                Optional.of("the run failed: " + failed.error().code());
            case ControlEvent.RunCanceled _ -> Optional.of("the run was canceled");
            case ControlEvent.RunTerminated _ -> Optional.of("the run was terminated");
            case ControlEvent.RunSuspended _ -> Optional.of("the run is suspended");
            case ControlEvent.RunResumed _ -> Optional.of("the run goes on");
            case EventBody.TaskFailed failed ->
                Optional.of("attempt " + failed.attempt() + " at " + failed.activation() + " failed: "
                        + failed.error().code());
            case EventBody.TaskTimedOut late ->
                Optional.of("attempt " + late.attempt() + " at " + late.activation() + " took too long");
            case EventBody.IncidentRaised incident -> Optional.of("an incident waits for somebody: " + incident.code());
            case CompensationEvent.CompensationFailed failed ->
                Optional.of("undoing " + failed.activation() + " failed: "
                        + failed.error().code());
            default -> Optional.empty();
        };
    }

    @Override
    public void settled(List<Ended> deliveries) {
        for (Ended ended : deliveries) {
            if (ended.settlement() instanceof Outbox.Settlement.Dead dead) {
                Outbox.Pending pending = dead.pending();
                ScopedValue.where(LogContext.CURRENT, field -> {
                            field.accept("tenant", pending.run().tenant().value());
                            field.accept("run", pending.run().run().toString());
                            field.accept(
                                    "event", Long.toString(pending.message().causeSequence()));
                            field.accept("destination", pending.message().destination());
                        })
                        .run(() -> LOG.log(
                                Level.WARNING,
                                "a message is dead (" + dead.reason()
                                        + "): it won't be delivered unless somebody puts it back"));
            }
        }
    }

    /** What a line about an event says of it. */
    private record About(SettledRun run, EventBody event, long sequence) implements LogContext {
        @Override
        public void describe(BiConsumer<String, String> field) {
            field.accept("tenant", run.run().tenant().value());
            field.accept("run", run.run().run().toString());
            field.accept("event", Long.toString(sequence));
            field.accept("kind", event.kind());
            field.accept("workflow", run.after().program().workflow().value());
            field.accept("version", Integer.toString(run.after().version()));
            field.accept("correlation", run.after().correlation());
        }
    }
}
