package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.definition.Programs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts executions of published workflows; answers after the commit. Thread-safe; blocks. */
public final class Starts {
    /** The input root that a {@code triggerSchema} speaks of. */
    public static final String TRIGGER = "trigger";

    public static final String SPEC = "spec";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Ports ports;
    private final Workflows workflows;
    private final Programs programs;
    private final Engine engine;

    public Starts(Ports ports, Workflows workflows, Programs programs, Engine engine) {
        this.ports = requireNonNull(ports);
        this.workflows = requireNonNull(workflows);
        this.programs = requireNonNull(programs);
        this.engine = requireNonNull(engine);
    }

    /**
     * A wish for an execution of a workflow's current version.
     *
     * @param input by root name
     */
    public record Wish(
            TenantId tenant,
            WorkflowId workflow,
            Optional<String> requestId,
            Map<String, JsonValue> input,
            Actor actor,
            String correlation) {
        public Wish {
            requireNonNull(tenant);
            requireNonNull(workflow);
            requireNonNull(requestId);
            input = Map.copyOf(input);
            requireNonNull(actor);
            requireNonNull(correlation);
        }
    }

    /** What became of it. */
    public sealed interface Outcome {
        /** The engine's answer. */
        record Answered(StartAnswer answer) implements Outcome {}

        /** There is no such workflow. */
        record Unknown() implements Outcome {}

        /** The workflow takes no executions in this state, and this request id never started one. */
        record NotExecutable(WorkflowRow row) implements Outcome {}

        /** The trigger's payload isn't what the workflow's {@code triggerSchema} asks for. */
        record BadTrigger(List<Fault> faults) implements Outcome {
            public BadTrigger {
                faults = List.copyOf(faults);
            }
        }
    }

    public Outcome start(Wish wish) throws JournalException {
        Optional<WorkflowRow> found = workflows.find(wish.tenant(), wish.workflow());
        if (found.isEmpty()) {
            return new Outcome.Unknown();
        }
        WorkflowRow row = found.get();
        if (row.status() != WorkflowStatus.ACTIVE || !row.enabled()) {
            return beforeOr(wish, new Outcome.NotExecutable(row));
        }
        WorkflowVersion version = workflows
                .version(wish.tenant(), wish.workflow(), row.currentVersion())
                .orElseThrow(() -> new IllegalStateException(
                        "workflow " + row.id() + " points at version " + row.currentVersion() + ", which isn't there"));
        List<Fault> faults = programs.program(wish.tenant(), version.program())
                .trigger()
                .check(wish.input().getOrDefault(TRIGGER, JsonNull.NULL));
        if (!faults.isEmpty()) {
            return beforeOr(wish, new Outcome.BadTrigger(faults));
        }
        return new Outcome.Answered(ask(new StartRequest(
                wish.tenant(),
                wish.workflow(),
                version.version(),
                version.program(),
                wish.requestId(),
                wish.input(),
                wish.actor(),
                wish.correlation())));
    }

    /** What was started while it could be is there to be found, whatever became of the workflow since. */
    private Outcome beforeOr(Wish wish, Outcome otherwise) throws JournalException {
        return before(wish).<Outcome>map(Outcome.Answered::new).orElse(otherwise);
    }

    /** The run that this request id started before, looked for without starting one. */
    private Optional<StartAnswer> before(Wish wish) throws JournalException {
        if (wish.requestId().isEmpty()) {
            return Optional.empty();
        }
        ReceiptKey key = new ReceiptKey(wish.tenant(), "start", wish.requestId().get());
        for (Shard shard : ports.leases().shards()) {
            Receipt receipt = ports.journal().receipts(shard.id(), List.of(key)).get(key);
            Optional<RunRow> run =
                    receipt == null ? Optional.empty() : ports.runs().run(wish.tenant(), receipt.run());
            if (run.isPresent()) {
                RunRow row = run.get();
                return Optional.of(
                        row.workflow().equals(wish.workflow())
                                ? new StartAnswer.Existing(row.key().run())
                                : new StartAnswer.OtherWorkflow(row.key().run(), row.workflow()));
            }
        }
        return Optional.empty();
    }

    private StartAnswer ask(StartRequest request) {
        try {
            return engine.start(request).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return new StartAnswer.Busy("no answer within " + PATIENCE.toSeconds() + " s", PATIENCE);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a start failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new StartAnswer.Busy("the server is stopping", Duration.ofSeconds(1));
        }
    }
}
